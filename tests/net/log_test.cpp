#include "conclave/net/log.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "conclave/core/date.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::net {
namespace log_test {

using namespace std::chrono_literals;
using testing::MatchesRegex;

// What a log prints while JOURNAL_STREAM names stderr, or something else.
std::string printed(bool to_journal) {
    testing::internal::CaptureStderr();
    struct stat here{};
    fstat(STDERR_FILENO, &here);
    const auto inode = here.st_ino + (to_journal ? 0 : 1);
    const std::string stream = std::to_string(here.st_dev) + ":" + std::to_string(inode);
    setenv("JOURNAL_STREAM", stream.c_str(), 1);
    Log("jobs/a").notice("leads");
    unsetenv("JOURNAL_STREAM");
    return testing::internal::GetCapturedStderr();
}

TEST(Log, lines_begin_with_the_time_of_day) {
    const std::string line = printed(false);
    EXPECT_THAT(line, MatchesRegex("[-0-9]+T[0-9:.]+Z jobs/a: leads\n"));
    const auto time = parse_date(line.substr(0, line.find(' ')));
    ASSERT_TRUE(time);
    EXPECT_LT(unix_time() - *time, 10s);
}

TEST(Log, lines_for_the_journal_begin_with_their_level) {
    EXPECT_EQ(printed(true), "<5>jobs/a: leads\n");
}

}  // namespace log_test
}  // namespace conclave::net
