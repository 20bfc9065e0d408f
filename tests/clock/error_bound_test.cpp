// How wrong a node says that its clock may be, and whether it trusts it.
#include "conclave/clock/error_bound.hpp"

#include <gtest/gtest.h>

#include "conclave/clock/keeper.hpp"

namespace conclave::clock {
namespace error_bound_test {

using namespace std::chrono_literals;
using Verdict = Keeper::Verdict;

Correction correction(std::uint64_t term, Duration offset, std::uint32_t clocks = 3) {
    return {{term, Id{1}}, {0s, offset, {}}, 1us, ppb(10), clocks};
}

TEST(ErrorBound, has_a_part_for_each_way_of_being_wrong) {
    Keeper keeper;
    Correction told = correction(1, 0ms);
    told.path = 50us;
    keeper.hear(0s, told);
    EXPECT_EQ(keeper.error_bound(0s), (ErrorBound{.estimate = 3us, .path = 50us}));
    EXPECT_EQ(keeper.error_bound(0s, -1s).visible, 1s);
    EXPECT_GT(keeper.error_bound(100s).growth, 100us);
}

TEST(ErrorBound, what_is_still_to_be_slewed_is_an_error) {
    Keeper keeper({.limit = ppm(500)});
    keeper.hear(0s, correction(1, 0ms));
    keeper.hear(1s, correction(2, 1s, 9));
    EXPECT_EQ(keeper.error_bound(1s).slew, 1s);
    EXPECT_EQ(keeper.error_bound(1001s).slew, 500ms);
}

TEST(ErrorBound, what_a_master_said_is_near_the_truth_though_it_be_refused) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    ASSERT_EQ(keeper.hear(1s, correction(1, 60s)), Verdict::refused);
    EXPECT_GE(keeper.error_bound(1s).estimate, 60s);
}

TEST(ErrorBound, a_new_master_is_right_before_it_is_wholly_believed) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    Correction fresh = correction(2, 8us);
    fresh.error = 20us;
    ASSERT_EQ(keeper.hear(1s, fresh), Verdict::followed);
    EXPECT_LT(keeper.line()(1s), 1us);
    EXPECT_GT(keeper.error_bound(1s).estimate, 3 * 20us + 7us);
}

TEST(ErrorBound, grows_at_least_by_what_the_rate_can_be_wrong) {
    Keeper keeper;
    Correction told = correction(1, 0ms);
    told.rate_bound = ppm(300);
    keeper.hear(0s, told);
    EXPECT_GE(keeper.error_bound(1s).growth, 300us);
}

TEST(ErrorBound, who_refused_what_it_was_told_and_is_alone_then_may_have_been_wrong) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    ASSERT_EQ(keeper.hear(1s, correction(1, 60s)), Verdict::refused);
    keeper.lead(3s, correction(2, 0ms, 1));
    EXPECT_GE(keeper.error_bound(6s).total(), 60s);
}

TEST(ErrorBound, one_pause_does_not_make_silence_usual) {
    Keeper keeper;
    Correction told = correction(1, 0ms);
    told.path = 1ms;
    for (const Time at : {0s, 1s, 2s, 20s}) keeper.hear(at, told);
    EXPECT_GE(keeper.error_bound(23s).growth, 1ms);
}

TEST(Trust, is_lost_when_the_master_doubts_its_measurements) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    keeper.doubt();
    EXPECT_EQ(keeper.trust(0s), Trust::unknown);
    keeper.hear(1s, correction(1, 0ms));
    EXPECT_EQ(keeper.trust(1s), Trust::synchronised);
}

TEST(Trust, ends_when_nobody_is_heard_and_is_not_given_to_a_lone_founder) {
    Keeper slave;
    EXPECT_EQ(slave.trust(0s), Trust::unknown);
    slave.hear(0s, correction(1, 0ms));
    EXPECT_EQ(slave.trust(10s), Trust::synchronised);
    EXPECT_EQ(slave.trust(11s), Trust::holdover);

    Keeper founder;
    founder.lead(0s, correction(1, 0ms));
    EXPECT_EQ(founder.trust(0s), Trust::unknown);
    founder.lead(20s, correction(1, 0ms), 19s);
    EXPECT_EQ(founder.trust(20s), Trust::synchronised);
    founder.lead(40s, correction(1, 0ms));
    EXPECT_EQ(founder.trust(40s), Trust::holdover);
    EXPECT_EQ(founder.error_bound(40s).growth, Holdover::growth(21s, ppb(10)));
}

TEST(Trust, one_whose_clock_was_doubted_does_not_trust_it_because_it_is_alone) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    keeper.doubt();
    keeper.lead(3s, correction(2, 0ms, 1));
    EXPECT_EQ(keeper.trust(3s), Trust::unknown);
    keeper.lead(5s, correction(2, 0ms, 2), 4s);
    EXPECT_EQ(keeper.trust(5s), Trust::synchronised);
}

TEST(Trust, nobody_has_it_while_no_sound_clock_is_behind_the_time) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    keeper.hear(1s, correction(1, 0ms, 0));
    EXPECT_EQ(keeper.trust(1s), Trust::unknown);
    keeper.hear(2s, correction(1, 0ms, 1));
    EXPECT_EQ(keeper.trust(2s), Trust::synchronised);
}

TEST(Trust, who_distrusts_its_clock_has_none_until_it_is_corrected) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    keeper.distrust();
    EXPECT_EQ(keeper.trust(0s), Trust::unknown);
    keeper.hear(1s, correction(1, 7s));
    EXPECT_EQ(keeper.trust(1s), Trust::synchronised);
}

}  // namespace error_bound_test
}  // namespace conclave::clock
