// A node's own time: servo, holdover, the fence.
#include "conclave/clock/keeper.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace conclave::clock {
namespace keeper_test {

using namespace std::chrono_literals;
using Verdict = Keeper::Verdict;

TEST(Holdover, averages_the_rate_and_forgets_slowly) {
    Holdover holdover;
    for (int i = 0; i <= 59; ++i) holdover.learn(i * 1s, ppm(i % 2 == 0 ? 9 : 11), 1us, ppb(10));
    EXPECT_FALSE(holdover.knows_rate());
    holdover.learn(60s, ppm(10), 1us, ppb(10));
    EXPECT_TRUE(holdover.knows_rate());
    EXPECT_LT(magnitude(holdover.rate() - ppm(10)), ppb(100));
    for (int i = 61; i <= 1000; ++i) holdover.learn(i * 1s, ppm(20), 1us, ppb(10));
    EXPECT_LT(magnitude(holdover.rate() - ppm(20)), ppb(10));
}

TEST(Holdover, its_bound_grows_while_nobody_corrects_it) {
    Holdover holdover;
    holdover.learn(0s, ppm(10), 1us, ppb(50));
    EXPECT_EQ(holdover.bound(0s), 3us);
    EXPECT_EQ(holdover.bound(100s), 13us);
}

TEST(Holdover, does_not_believe_the_rate_of_a_clock_that_was_just_met) {
    Holdover holdover;
    holdover.learn(0s, ppm(900), 50us, ppm(50));
    for (int i = 1; i <= 40; ++i) holdover.learn(i * 1s, ppm(10), 1us, ppb(10));
    EXPECT_EQ(holdover.rate(), ppm(10));
}

Correction correction(std::uint64_t term, Duration offset, std::uint32_t clocks = 3) {
    return {{term, Id{1}}, {0s, offset, {}}, 1us, ppb(10), clocks};
}

TEST(Keeper, a_newcomer_is_set_by_the_first_correction_and_not_slewed) {
    Keeper keeper;
    EXPECT_FALSE(keeper.is_set());
    EXPECT_EQ(keeper.hear(5s, correction(1, -3h)), Verdict::followed);
    EXPECT_TRUE(keeper.is_set());
    EXPECT_EQ(keeper.read(5s), 5s - 3h);
}

TEST(Keeper, a_correction_may_be_lost_doubled_or_late) {
    Keeper once, twice;
    once.hear(0s, correction(1, 5ms));
    twice.hear(0s, correction(1, 5ms));
    twice.hear(1s, correction(1, 5ms));
    twice.hear(3s, correction(1, 5ms));
    EXPECT_EQ(once.read(10s), twice.read(10s));
}

TEST(Keeper, refuses_a_jump_complains_and_gives_in_when_that_changes_nothing) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    for (int i = 1; i < 5; ++i) {
        EXPECT_EQ(keeper.hear(i * 1s, correction(1, 20ms)), Verdict::refused);
        EXPECT_TRUE(keeper.report(i * 1s).complains);
        EXPECT_EQ(keeper.read(i * 1s), i * 1s) << "it coasts";
    }
    EXPECT_EQ(keeper.hear(5s, correction(1, 20ms)), Verdict::followed);
    EXPECT_FALSE(keeper.report(5s).complains);
}

TEST(Keeper, one_refusal_or_two_may_be_chance_and_three_are_told_of) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 5ms));
    for (const bool told : {false, false, true}) {
        EXPECT_EQ(keeper.hear(1s, correction(1, 8ms)), Verdict::refused);
        EXPECT_EQ(keeper.keeps_refusing(), told);
    }
    keeper.hear(2s, correction(1, 5ms));
    EXPECT_FALSE(keeper.keeps_refusing());
}

TEST(Keeper, forgives_when_the_next_correction_makes_sense) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    EXPECT_EQ(keeper.hear(1s, correction(1, 20ms)), Verdict::refused);
    EXPECT_EQ(keeper.hear(2s, correction(1, 0ms)), Verdict::followed);
    EXPECT_FALSE(keeper.report(2s).complains);
}

TEST(Keeper, follows_another_time_only_in_a_new_term_with_as_many_clocks_behind_it) {
    Keeper keeper;
    keeper.hear(0s, correction(2, 0ms, 3));
    EXPECT_EQ(keeper.hear(1s, correction(1, 0ms, 9)), Verdict::stale);
    EXPECT_EQ(keeper.hear(2s, correction(3, 1ms, 2)), Verdict::refused);
    EXPECT_EQ(keeper.hear(3s, correction(3, 1ms, 3)), Verdict::followed);
    EXPECT_EQ(keeper.read(3s), 3s) << "without a step";
    EXPECT_EQ(keeper.read(10s), 10s + 1ms);
}

// What a keeper says 20 s after it has met a new master who thinks that it is 8 us later.
Duration moved_by(Duration error, Rate rate_error) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    for (int i = 1; i <= 20; ++i) {
        Correction fresh = correction(2, 8us);
        fresh.error = error;
        fresh.rate_error = rate_error;
        EXPECT_EQ(keeper.hear(i * 1s, fresh), Verdict::followed);
    }
    EXPECT_EQ(keeper.term().number, 2u);
    return keeper.line()(20s);
}

TEST(Keeper, a_new_master_moves_it_by_as_much_as_it_is_surer) {
    EXPECT_LT(moved_by(20us, ppm(1)), 100ns);
    EXPECT_GT(moved_by(20us, ppm(1)), 0ns);
    EXPECT_GT(moved_by(2us, ppm(1)), 500ns);
    EXPECT_GT(moved_by(100ns, ppb(10)), 7us);
}

TEST(Keeper, after_two_minutes_a_new_master_is_a_master) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms));
    Correction fresh = correction(2, 8us);
    fresh.error = 20us;
    keeper.hear(1s, fresh);
    keeper.hear(122s, fresh);
    EXPECT_EQ(keeper.line()(122s), 8us);
}

TEST(Keeper, another_time_is_not_weighed_with_the_old_one) {
    Keeper keeper;
    keeper.hear(0s, correction(2, 0ms, 3));
    keeper.hear(1s, correction(3, 1ms, 3));
    keeper.hear(2s, correction(3, 1ms, 3));
    EXPECT_EQ(keeper.line()(2s), 1ms);
}

TEST(Holdover, what_a_clock_may_have_gained_alone_grows_faster_and_faster_up_to_10_ppm) {
    EXPECT_LT(Holdover::growth(1s, ppb(10)), 200ns);
    EXPECT_GT(Holdover::growth(100s, {}), 100us) << "a swing of the temperature";
    const Duration later = Holdover::growth(2h, {}) - Holdover::growth(1h, {});
    EXPECT_EQ(later, over(ppm(10) + ppb(50), 1h));
}

TEST(Keeper, whose_clock_was_moved_waits_until_its_raw_clock_is_measured_again) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 5ms));
    keeper.moved(10s, 60s + 5ms);  // it slept for a minute, or somebody has set it
    EXPECT_EQ(keeper.trust(10s), Trust::unknown);
    EXPECT_EQ(keeper.servo().offset(10s), 60s + 5ms) << "it is left where it is";
    EXPECT_EQ(keeper.hear(11s, correction(1, 5ms)), Verdict::stale) << "measured before";
    Correction anew = correction(1, 60s + 5ms);
    anew.epoch = keeper.report(11s).epoch;
    EXPECT_EQ(keeper.hear(12s, anew), Verdict::followed) << "it did sleep";
    EXPECT_EQ(keeper.servo().offset(12s), 60s + 5ms);
    EXPECT_EQ(keeper.servo().steps(), 0u);
    EXPECT_EQ(keeper.trust(12s), Trust::synchronised);
}

TEST(Keeper, whose_clock_was_moved_follows_nobody_and_has_no_opinion_of_its_own) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 5ms));
    EXPECT_EQ(keeper.report(1s).opinion, -5ms);
    keeper.moved(10s, 60s + 5ms);
    EXPECT_FALSE(keeper.report(11s).set) << "the line that it followed is void";
    Correction anew = correction(2, 60s + 5ms);
    anew.epoch = keeper.epoch();
    keeper.hear(12s, anew);
    EXPECT_TRUE(keeper.report(12s).set);
    EXPECT_EQ(keeper.report(12s).opinion, 0s) << "not that it is a minute earlier";
}

TEST(Keeper, a_clock_that_went_wrong_does_not_lead_unless_no_master_is_heard_for_30_s) {
    Keeper keeper;
    EXPECT_TRUE(keeper.may_lead(0s)) << "a newcomer";
    keeper.hear(100s, correction(1, 5ms));
    keeper.distrust();
    EXPECT_FALSE(keeper.may_lead(129s));
    EXPECT_TRUE(keeper.may_lead(130s));
    keeper.hear(131s, correction(1, 5ms));
    EXPECT_FALSE(keeper.may_lead(132s)) << "it is again";
}

TEST(Keeper, a_master_whose_clock_went_wrong_counts_again_after_a_minute_of_being_backed) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 5ms));
    keeper.moved(10s, 5ms);
    const Correction own = correction(2, 5ms);
    keeper.lead(50s, own, 50s);
    keeper.lead(109s, own, 109s);
    EXPECT_FALSE(keeper.standing().sound());
    keeper.lead(111s, own, 109s);
    EXPECT_FALSE(keeper.standing().sound()) << "nothing new was heard";
    keeper.lead(112s, own, 112s);
    EXPECT_TRUE(keeper.standing().sound());
}

TEST(Keeper, a_clock_that_was_set_by_somebody_is_brought_back) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 5ms));
    keeper.moved(10s, 1s + 5ms);
    Correction anew = correction(1, 5ms);
    anew.epoch = keeper.report(11s).epoch;
    keeper.hear(11s, anew);
    EXPECT_EQ(keeper.servo().steps(), 0u) << "a second is slewed";
    EXPECT_EQ(keeper.servo().offset(31s), 5ms);
}

// In another term, as a master announces it.
Correction dated(std::uint64_t term, Duration offset, std::uint32_t date_changes) {
    return {{term, Id{1}}, {0s, offset, ppm(20)}, 100ns, ppb(10), 3, {}, 0, date_changes};
}

TEST(Keeper, a_date_change_is_stepped_both_ways_and_rates_go_on) {
    Keeper keeper;
    keeper.hear(0s, dated(1, 50ms, 0));
    for (int i = 1; i < 70; ++i) keeper.hear(i * 1s, dated(1, 50ms, 0));
    ASSERT_TRUE(keeper.holdover().knows_rate());
    EXPECT_EQ(keeper.hear(70s, dated(2, 1h, 1)), Verdict::followed);
    EXPECT_EQ(keeper.servo().offset(70s), 1h + over(ppm(20), 70s));
    EXPECT_EQ(keeper.hear(71s, dated(3, -14 * 24h * 365, 2)), Verdict::followed);
    EXPECT_EQ(keeper.servo().offset(71s), -14 * 24h * 365 + over(ppm(20), 71s));
    EXPECT_EQ(keeper.servo().steps(), 2u);
    EXPECT_TRUE(keeper.holdover().knows_rate());
    EXPECT_EQ(keeper.hear(72s, dated(2, 1h, 1)), Verdict::stale);
}

TEST(Keeper, of_a_date_change_that_it_knows_it_takes_no_second_step) {
    Keeper keeper({.step = *parse_step_policy("first")});
    keeper.hear(0s, dated(1, 0s, 7));
    keeper.hear(1s, dated(2, 3s, 8));
    keeper.hear(2s, dated(2, 3s, 8));
    keeper.hear(3s, dated(3, 0s, 7));  // an older count: the other side of a healed network
    EXPECT_EQ(keeper.servo().steps(), 1u);
    EXPECT_GT(keeper.servo().offset(3s), 2s);
}

TEST(Keeper, makes_up_for_seconds_ten_times_as_fast_as_for_less) {
    Keeper keeper;
    keeper.make_up(0s, 0s, 5ms);
    keeper.make_up(0s, 900ms, 5ms);
    EXPECT_EQ(keeper.servo().offset(100s), 50ms);
    keeper.make_up(100s, 3s, 5ms);
    EXPECT_EQ(keeper.servo().offset(200s), 550ms);
    keeper.make_up(200s, 2400ms, 5ms);  // the master does not slew: so much is lacking
    EXPECT_EQ(keeper.servo().offset(1h), 2950ms);
}

TEST(Keeper, goes_on_slewing_with_a_master_that_slews_likewise) {
    Keeper keeper;
    keeper.make_up(0s, 0s, 5ms);
    keeper.make_up(0s, -3s, 5ms);
    keeper.make_up(240s, 0s, 5ms);
    EXPECT_EQ(keeper.servo().offset(480s), -2400ms);
    keeper.make_up(480s, 10ms, 5ms);
    EXPECT_EQ(keeper.servo().offset(1h), -2990ms);
}

TEST(Keeper, makes_up_for_a_date_change_at_once) {
    Keeper keeper;
    keeper.make_up(0s, 0s, 5ms);
    keeper.make_up_at_once(10s, -1h, 5ms);
    EXPECT_EQ(keeper.servo().offset(10s), -1h);
    EXPECT_EQ(keeper.servo().steps(), 1u);
}

TEST(Keeper, a_clock_that_went_wrong_counts_again_after_a_minute_in_its_place) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms, 5));
    keeper.distrust();
    EXPECT_FALSE(keeper.report(0s).sound);
    EXPECT_EQ(keeper.report(0s).clocks, 0u);
    keeper.hear(1s, correction(2, 1ms, 4));
    for (int i = 2; i <= 61; ++i) {
        keeper.hear(i * 1s, correction(2, 1ms, 4));
        EXPECT_FALSE(keeper.report(i * 1s).sound) << i;
    }
    keeper.hear(62s, correction(2, 1ms, 4));
    EXPECT_TRUE(keeper.report(62s).sound);
    EXPECT_EQ(keeper.report(62s).clocks, 4u);
}

TEST(Keeper, a_clock_that_goes_wrong_again_begins_its_minute_again) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 0ms, 5));
    keeper.distrust();
    for (int i = 1; i <= 50; ++i) keeper.hear(i * 1s, correction(2, 1ms, 4));
    keeper.hear(51s, correction(2, 9ms, 4));
    for (int i = 52; i <= 110; ++i) keeper.hear(i * 1s, correction(2, 1ms, 4));
    EXPECT_FALSE(keeper.report(110s).sound);
}

TEST(Keeper, what_is_established_gives_way_only_to_what_is) {
    Keeper keeper;
    Correction established = correction(2, 0ms, 3);
    established.established = true;
    keeper.hear(0s, established);
    EXPECT_EQ(keeper.hear(1s, correction(3, 1h, 9)), Verdict::refused);
    established = correction(4, 1h, 3);
    established.established = true;
    EXPECT_EQ(keeper.hear(2s, established), Verdict::followed);
}

TEST(Keeper, its_opinion_is_the_clock_that_it_came_with_until_the_time_is_established) {
    Keeper keeper;
    keeper.hear(0s, correction(1, 1h));
    EXPECT_EQ(keeper.report(1s).opinion, -1h);
    keeper.hear(2s, correction(2, 3h));
    EXPECT_EQ(keeper.report(2s).opinion, -3h) << "the network moved";
    Correction established = correction(2, 3h);
    established.established = true;
    keeper.hear(3s, established);
    EXPECT_EQ(keeper.report(3s).opinion, 0s);
}

}  // namespace keeper_test
}  // namespace conclave::clock
