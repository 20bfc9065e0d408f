// How a daemon stands, as people, programs and Prometheus read it.
#include "conclave/timed/report/time_status.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace conclave::timed {
namespace status_test {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

DaemonStatus known() {
    DaemonStatus status{.name = "a", .state = "slave", .master = "b", .has_time = true};
    status.trust = clock::Trust::synchronised;
    status.clocks = 3;
    status.clock.kind = "virtual";
    status.clock.bound = clock::ErrorBound{.path = 999us};
    return status;
}

TEST(DaemonStatus, a_span_has_three_digits_and_a_unit_that_fits) {
    EXPECT_EQ(span(0ns), "0 ns");
    EXPECT_EQ(span(999ns), "999 ns");
    EXPECT_EQ(span(1000ns), "1 us");
    EXPECT_EQ(span(211us), "211 us");
    EXPECT_EQ(span(-20ms), "-20 ms");
    EXPECT_EQ(span(1500ms), "1.5 s");
    EXPECT_EQ(span(34s), "34 s");
    EXPECT_EQ(span(1h), "3600 s");
    EXPECT_EQ(span(24h * 365 * 20), "630720000 s");
}

TEST(DaemonStatus, a_span_is_never_rounded_towards_nothing) {
    EXPECT_EQ(span(1001ns), "1.01 us");
    EXPECT_EQ(span(12'340'001ns), "12.4 ms");
    EXPECT_EQ(span(-1001ns), "-1.01 us");
    EXPECT_EQ(span(999'001ns), "1 ms");
    EXPECT_EQ(span(3600s + 1ns), "3601 s");
}

TEST(DaemonStatus, is_synchronised_only_if_the_clock_is_as_good_as_wanted) {
    DaemonStatus status = known();
    const auto told = [&] {
        return std::pair(
            bool(nlohmann::json::parse(to_json(status))["synchronised"]),
            to_metrics(status).find("\nconclave_timed_synchronised 1\n") != std::string::npos);
    };
    EXPECT_EQ(told(), std::pair(true, true));
    status.clock.bound->slew = 2us;
    EXPECT_EQ(told(), std::pair(false, false)) << "1001 us";
    status.wanted.within = 2ms;
    EXPECT_EQ(told(), std::pair(true, true));
    status.wanted.members = 4;
    EXPECT_EQ(told(), std::pair(false, false)) << "three clocks";
    status.wanted.members = 3;
    status.trust = clock::Trust::holdover;
    EXPECT_EQ(told(), std::pair(false, false)) << "holdover";
}

TEST(DaemonStatus, nobody_is_told_a_bound_while_there_is_none) {
    DaemonStatus status = known();
    EXPECT_THAT(to_metrics(status), HasSubstr("clock_maximum_error_seconds 0.000999000\n"));
    status.trust = clock::Trust::unknown;
    status.clock.bound.reset();
    EXPECT_TRUE(nlohmann::json::parse(to_json(status))["clock"]["bound"].is_null());
    EXPECT_THAT(to_metrics(status), Not(HasSubstr("error_seconds 0")));
    EXPECT_THAT(to_text(status), HasSubstr("clock virtual: unknown, 3 clocks"));
    EXPECT_THAT(to_text(status), Not(HasSubstr("off by")));
}

TEST(DaemonStatus, warnings_are_told_to_people_and_programs) {
    DaemonStatus status = known();
    status.warnings = {"two machines have the name \"x\""};
    EXPECT_EQ(nlohmann::json::parse(to_json(status))["warnings"][0], status.warnings[0]);
    EXPECT_THAT(to_text(status), HasSubstr("\n" + status.warnings[0]));
}

}  // namespace status_test
}  // namespace conclave::timed
