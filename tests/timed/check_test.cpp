#include "conclave/timed/report/clock_check.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace conclave::timed {
namespace check_test {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

DaemonStatus good() {
    DaemonStatus status{.name = "a", .master = "b", .has_time = true};
    status.trust = clock::Trust::synchronised;
    status.clocks = 3;
    status.clock.bound = clock::ErrorBound{.estimate = 10us, .path = 200us, .growth = 1us};
    return status;
}

TEST(Check, praises_a_clock_that_is_as_good_as_wanted) {
    const Checked checked = check(good(), {211us, 3});
    EXPECT_TRUE(checked.good());
    EXPECT_EQ(to_text(checked), "synchronised with 3 clocks, off by at most 211 us");
}

TEST(Check, names_the_largest_part_of_a_bound_that_is_too_large) {
    EXPECT_THAT(check(good(), {210us, 3}).reasons,
                ElementsAre("the clock may be off by 211 us, more than 210us, mostly because of "
                            "half the round trip to the master"));
    DaemonStatus status = good();
    status.clock.bound->slew = 1s;
    EXPECT_THAT(to_text(check(status, {1ms})), HasSubstr("still being slewed away"));
    status.clock.bound->visible = 2s;
    EXPECT_THAT(to_text(check(status, {1ms})), HasSubstr("the clock that people see"));
    status.clock.bound->growth = 3s;
    EXPECT_THAT(to_text(check(status, {1ms})), HasSubstr("growth since other clocks"));
    status.clock.bound->estimate = 4s;
    EXPECT_THAT(to_text(check(status, {1ms})), HasSubstr("master's measurements"));
}

TEST(Check, counts_the_clocks) {
    EXPECT_THAT(check(good(), {1ms, 4}).reasons,
                ElementsAre("only 3 of 4 clocks are behind the time"));
}

TEST(Check, a_time_that_one_clock_alone_is_behind_is_good_only_for_who_says_so) {
    DaemonStatus status = good();
    status.clocks = 1;
    EXPECT_THAT(check(status).reasons, ElementsAre("only 1 of 2 clocks is behind the time"));
    EXPECT_EQ(to_text(check(status, {1ms, 1})), "synchronised with 1 clock, off by at most 211 us");
}

TEST(Check, knows_the_standard_of_its_daemon) {
    DaemonStatus status = good();
    EXPECT_TRUE(is_good(status));
    status.wanted.within = 210us;
    EXPECT_FALSE(is_good(status));
    EXPECT_EQ(check(status).reasons, check(status, {210us, 2}).reasons);
}

TEST(Check, fails_in_holdover_however_small_the_bound_is) {
    DaemonStatus status = good();
    status.trust = clock::Trust::holdover;
    status.trusted_for = 34s;
    EXPECT_THAT(check(status, {1s}).reasons,
                ElementsAre("the clock has been in holdover for 34 s: no other clock confirms its "
                            "time"));
}

TEST(Check, says_why_the_time_is_unknown) {
    DaemonStatus status = good();
    status.trust = clock::Trust::unknown;
    EXPECT_THAT(to_text(check(status, {1s})), HasSubstr("was set, or the machine slept"));
    status.clocks = 1;
    EXPECT_THAT(to_text(check(status, {1s})), HasSubstr("this daemon is alone"));
    status.has_time = false;
    status.clock.bound.reset();
    EXPECT_EQ(to_text(check(status, {1s})),
              "the time is unknown: its master b has not told it yet");
    status.master.clear();
    EXPECT_EQ(to_text(check(status, {1s})),
              "the time is unknown: no master has been found that could tell it");
}

TEST(Check, says_what_the_daemon_says_of_itself_when_the_time_is_unknown) {
    const DaemonStatus status{.master = "b", .remark = "refuses the time of b"};
    EXPECT_EQ(to_text(check(status, {1s})),
              "the time is unknown: the daemon says: refuses the time of b");
}

TEST(Check, says_that_a_name_is_taken_when_the_time_is_unknown) {
    const DaemonStatus status{.warnings = {"two machines have the name b"}};
    EXPECT_EQ(to_text(check(status, {1s})), "the time is unknown: two machines have the name b");
}

TEST(Check, gives_every_reason_and_the_parts_of_the_bound_to_programs) {
    const auto json = nlohmann::json::parse(to_json(check(good(), {1us, 9})));
    EXPECT_EQ(json["good"], false);
    EXPECT_EQ(json["reasons"].size(), 2u);
    EXPECT_EQ(json["trust"], "synchronised");
    EXPECT_EQ(json["clocks"], 3);
    EXPECT_EQ(json["bound"]["total_ns"], 211'000);
    EXPECT_EQ(json["bound"]["path_ns"], 200'000);
    DaemonStatus status;
    EXPECT_TRUE(nlohmann::json::parse(to_json(check(status, {1s})))["bound"].is_null());
}

}  // namespace check_test
}  // namespace conclave::timed
