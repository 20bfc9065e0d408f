// The command line of a node, as far as it goes without starting one.
#include <gmock/gmock.h>

#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace {

using testing::HasSubstr;

TEST(Run, a_flag_overrides_the_file_both_ways) {
    const Folder folder;
    write_file(folder / "yes.toml", "witness = true\n");
    write_file(folder / "no.toml", "witness = false\n");
    const auto shown = [&](const std::string& words) {
        return run_tool("run --group g --expect 3 --check-config --state '" + (folder / "s") +
                        "' " + words);
    };
    const std::string yes = "--config '" + (folder / "yes.toml") + "' ";
    const std::string no = "--config '" + (folder / "no.toml") + "' ";
    EXPECT_THAT(shown(yes).out, HasSubstr("\nwitness = true\n"));
    EXPECT_THAT(shown(yes + "--witness=false").out, HasSubstr("\nwitness = false\n"));
    EXPECT_THAT(shown(no + "--witness").out, HasSubstr("\nwitness = true\n"));
    EXPECT_EQ(shown("--witness=perhaps").code, 2);
}

TEST(Agent, a_command_is_for_run) {
    const Ran ran = run_tool("agent --group g --expect 3 -- ./job");
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("conclave agent takes no command behind --: conclave run does"));
}

}  // namespace
}  // namespace conclave::tests
