// Every scenario of this folder and of examples/ runs as its transcript says, to the letter.
//
// After a change that is meant to show: CONCLAVE_REGENERATE=1 build/dev/bin/scenarios_tests, and
// read the difference before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/paths.hpp"
#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace transcripts_test {

namespace fs = std::filesystem;

std::vector<fs::path> scenarios() {
    std::vector<fs::path> files;
    for (const char* folder : {"examples", "tests/scenarios"})
        for (const auto& entry : fs::directory_iterator(fs::path(source_dir) / folder))
            if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

fs::path transcript_of(const fs::path& scenario) {
    return fs::path(source_dir) / "tests/scenarios" / (scenario.stem().string() + ".txt");
}

TEST(Transcripts, every_scenario_runs_as_it_is_written_down) {
    EXPECT_GE(scenarios().size(), 6u);
    for (const fs::path& scenario : scenarios()) {
        const Ran ran = run_tool("sim --trace - --scenario '" + scenario.string() + "'");
        EXPECT_EQ(ran.err, "");
        const std::string golden = transcript_of(scenario).string();
        if (std::getenv("CONCLAVE_REGENERATE") != nullptr) write_file(golden, ran.out);
        EXPECT_EQ(ran.out, read_file(golden)) << scenario;
    }
}

TEST(Transcripts, the_example_of_dev_up_fits_a_screen) {
    const Ran ran =
        run_tool("sim --scenario '" + std::string(source_dir) + "/examples/crash.toml'");
    EXPECT_EQ(ran.code, 0);
    EXPECT_LT(lines_of(ran.out).size(), 60u);
}

}  // namespace transcripts_test
}  // namespace conclave::tests
