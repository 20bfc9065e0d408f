#include "conclave/timed/report/statistics_files.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/tool.hpp"

namespace conclave::timed {
namespace statistics_test {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

std::string contents(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

DaemonStatus master() {
    DaemonStatus status{.name = "a", .state = "master", .master = "a", .term = 7, .has_time = true};
    status.trust = clock::Trust::synchronised;
    status.clocks = 2;
    status.clock.offset_ns = 12;
    status.clock.bound = clock::ErrorBound{.estimate = 3us, .path = 200us};
    status.members.push_back(
        {.name = "b", .measured = Measured{.offset_ns = -5, .stamps = "kernel"}});
    status.members.push_back({.name = "silent"});
    return status;
}

TEST(Statistics, have_a_word_for_each_column) {
    const tests::Folder own;
    const std::string& folder = own.path();
    const Statistics statistics(folder);
    ASSERT_TRUE(statistics.note(1'794'911'400s, master()));
    EXPECT_EQ(contents(folder + "/tracking.log"),
              "# time state master term trust clocks offset_ns drift_ppb bound_ns estimate_ns "
              "slew_ns visible_ns path_ns growth_ns\n"
              "2026-11-17T10:30:00.000Z master a 7 synchronised 2 12 0 203000 3000 0 0 200000 0\n");
    EXPECT_EQ(contents(folder + "/measurements.log"),
              "# time member kind offset_ns rate_ppb jitter_ns error_ns stamps fault\n"
              "2026-11-17T10:30:00.000Z b own -5 - - - kernel -\n");
    ASSERT_TRUE(statistics.note(1'794'911'401s, {}));
    EXPECT_THAT(contents(folder + "/tracking.log"), HasSubstr("10:30:01.000Z - - 0 unknown 0 - 0"));
}

TEST(Statistics, never_take_more_than_two_files_of_the_largest_size) {
    const tests::Folder own;
    const std::string& folder = own.path();
    const Statistics statistics(folder, 1000);
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(statistics.note(i * 1s, master()));
    std::uintmax_t bytes = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) bytes += file.file_size();
    EXPECT_LE(bytes, 4 * 1200u);  // a heading more each
    EXPECT_THAT(contents(folder + "/tracking.log"), StartsWith("# time"));
    EXPECT_THAT(contents(folder + "/tracking.log"), HasSubstr("T00:03:19.000Z"));
    EXPECT_TRUE(std::filesystem::exists(folder + "/tracking.log.1"));
}

TEST(Statistics, say_when_they_cannot_be_written) {
    EXPECT_FALSE(Statistics("/nonexistent").note(0s, master()));
}

}  // namespace statistics_test
}  // namespace conclave::timed
