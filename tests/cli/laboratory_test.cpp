// conclave and conclave-lab are two programs, and one for whoever types.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "tests/paths.hpp"
#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace laboratory_test {

using testing::HasSubstr;
namespace fs = std::filesystem;

const fs::path tool = tool_path, lab = tool.parent_path() / "conclave-lab";

std::string output_of(const std::string& line) {
    const Folder folder;
    const std::string file = folder / "out";
    const int status = std::system((line + " >'" + file + "' 2>&1 </dev/null").c_str());
    return std::to_string(WEXITSTATUS(status)) + " " + read_file(file);
}

TEST(Laboratory, its_verbs_do_the_same_through_either_program) {
    for (const std::string line :
         {"sim bully --nodes 3", "list bully", "claims N1 --quick",
          "check chang-roberts --nodes 3 --lose 1 --property leader", "sim --nodes x"}) {
        const std::string through_tool = output_of(tool.string() + " " + line);
        EXPECT_EQ(through_tool.substr(0, 60), output_of(lab.string() + " " + line).substr(0, 60))
            << line;
    }
    EXPECT_EQ(run_tool("check chang-roberts --nodes 3 --lose 1 --property leader").code, 1);
    EXPECT_EQ(output_of(tool.string() + " timed sim --help"),
              output_of(lab.string() + " timed-sim --help"));
}

TEST(Laboratory, lists_claims_without_running_them) {
    EXPECT_EQ(run_tool("claims --list N7").out, "N7   The clocks satisfy 9.1 and 9.2.\n");
    EXPECT_THAT(run_tool("claims --list Q9").err, HasSubstr("there is no claim 'Q9'"));
    EXPECT_THAT(run_tool("claims --list --quick").err, HasSubstr("--list runs no claim"));
    EXPECT_THAT(run_tool("claims --list --tables").err, HasSubstr("give one of them"));
}

TEST(Laboratory, is_found_beside_the_tool_or_on_the_path) {
    const Folder folder;
    fs::copy_file(tool, folder / "conclave");
    const std::string alone = "'" + (folder / "conclave") + "' list --json";
    EXPECT_EQ(output_of("PATH=/nowhere " + alone),
              "2 conclave: 'list' is done by conclave-lab, which is neither in " + folder.path() +
                  " nor on the PATH: install the package conclave-lab\n");
    EXPECT_THAT(output_of("PATH='" + lab.parent_path().string() + "' " + alone),
                testing::StartsWith("0 ["));
    fs::create_symlink(lab, folder / "conclave-lab");
    EXPECT_THAT(output_of("PATH=/nowhere " + alone), testing::StartsWith("0 ["));
}

TEST(Laboratory, is_in_the_help_of_both) {
    for (const std::string verb : {"  list ", "  sim ", "  check ", "  claims "}) {
        EXPECT_THAT(run_tool("--help").out, HasSubstr(verb));
        EXPECT_THAT(output_of(lab.string() + " --help"), HasSubstr(verb));
    }
    EXPECT_THAT(output_of(lab.string() + " --version"),
                testing::MatchesRegex("0 conclave-lab " + std::string(version) +
                                      "\nwith(out)? the laboratory's page\n"));
    EXPECT_THAT(output_of(lab.string() + " run"), HasSubstr("2 conclave: there is no verb 'run'"));
}

TEST(Laboratory, is_not_in_the_tool_of_operators) {
    const std::string in_tool = read_file(tool.string()), in_lab = read_file(lab.string());
    for (const std::string library : {"9simulator", "7checker", "6claims"}) {
        const std::string names = "8conclave" + library;  // as the linker spells them
        EXPECT_EQ(in_tool.find(names), std::string::npos) << library;
        EXPECT_NE(in_lab.find(names), std::string::npos) << library;
    }
}

}  // namespace laboratory_test
}  // namespace conclave::tests
