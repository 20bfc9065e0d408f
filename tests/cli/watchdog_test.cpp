#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace watchdog_test {

TEST(Run, a_command_that_gives_no_sign_of_life_is_killed_and_the_node_says_so) {
    const Folder folder;
    const Ran ran = run_tool("run --group watchdog-" + std::to_string(getpid()) +
                             " --name a --members a --watchdog 100ms --when-done leave --state '" +
                             (folder / "state") + "' -- sleep 60");
    EXPECT_EQ(ran.code, 137) << ran.err;  // as a shell says of what was killed
    EXPECT_THAT(ran.err, testing::HasSubstr("killed because it gave no sign of life"));
}

}  // namespace watchdog_test
}  // namespace conclave::tests
