#include "conclave/trace/save.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "conclave/trace/diagram.hpp"
#include "conclave/trace/exports.hpp"
#include "tests/support/tool.hpp"
#include "tests/trace/examples.hpp"

namespace conclave::trace {
namespace save_test {

TEST(Save, the_extension_tells_the_format) {
    EXPECT_EQ(format_of("run.txt"), Format::diagram);
    EXPECT_EQ(format_of("/tmp/a.b/run.json"), Format::perfetto);
    EXPECT_EQ(format_of("run.shiviz"), Format::shiviz);
    EXPECT_EQ(format_of("run.mmd"), Format::mermaid);
    EXPECT_EQ(format_of("run.svg"), Format::svg);
    for (const char* path : {"", "run", ".txt", "run.txt.gz", "run.TXT", "json"})
        EXPECT_EQ(format_of(path), std::nullopt) << path;
}

TEST(Save, every_format_renders_its_own_text) {
    const Trace trace = ring_election();
    EXPECT_EQ(render(trace, Format::diagram), diagram(trace));
    EXPECT_EQ(render(trace, Format::perfetto), perfetto(trace));
    EXPECT_EQ(render(trace, Format::shiviz), shiviz(trace));
    EXPECT_EQ(render(trace, Format::mermaid), mermaid(trace));
}

TEST(Save, the_file_holds_what_was_rendered) {
    const tests::Folder folder;
    const std::string path = folder / "run.mmd";
    std::string error;
    ASSERT_TRUE(save(ring_election(), path, error)) << error;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    EXPECT_EQ(text.str(), mermaid(ring_election()));
}

TEST(Save, a_failure_names_the_file_the_reason_and_the_remedy) {
    std::string error;
    EXPECT_FALSE(save(ring_election(), "run.doc", error));
    EXPECT_EQ(
        error,
        "The trace file \"run.doc\" has no known extension; use .txt for a diagram, .svg for a "
        "picture, .json for Perfetto, .shiviz for ShiViz or .mmd for Mermaid.");
    EXPECT_FALSE(save(ring_election(), "/no/such/folder/run.txt", error));
    EXPECT_EQ(error,
              "The trace file \"/no/such/folder/run.txt\" cannot be written (No such file or "
              "directory); name a file in a folder that exists and may be written to.");
}

TEST(Save, a_full_disk_is_noticed) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    const tests::Folder folder;
    const std::string path = folder / "full.txt";
    std::filesystem::create_symlink("/dev/full", path);
    std::string error;
    EXPECT_FALSE(save(ring_election(), path, error));
    EXPECT_NE(error.find("No space left on device"), std::string::npos) << error;
}

}  // namespace save_test
}  // namespace conclave::trace
