// Who is right: intersections, the paper's mean, the ensemble.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "conclave/clock/ensemble.hpp"
#include "conclave/clock/line.hpp"
#include "conclave/clock/network_mean.hpp"
#include "conclave/clock/tempo_round.hpp"

namespace conclave::clock {
namespace agreement_test {

using namespace std::chrono_literals;

std::vector<Interval> some_intervals() {
    std::vector<Interval> intervals;
    for (int n = *rc::gen::inRange(1, 12); n > 0; --n) {
        const auto low = *rc::gen::inRange<std::int64_t>(-50, 50);
        intervals.push_back({low, low + *rc::gen::inRange<std::int64_t>(0, 40)});
    }
    return intervals;
}

RC_GTEST_PROP(Marzullo, no_point_lies_in_more_intervals, ()) {
    const std::vector<Interval> intervals = some_intervals();
    const Agreement best = most_agreed(intervals);
    for (std::int64_t x = -60; x <= 100; ++x) {
        std::size_t covering = 0;
        for (const Interval& interval : intervals) covering += interval.meets({x, x}) ? 1 : 0;
        RC_ASSERT(covering <= best.count);
        if (best.place.meets({x, x})) RC_ASSERT(covering == best.count);
    }
}

TEST(Marzullo, the_classical_example) {
    const std::vector<Interval> intervals{{8, 12}, {11, 13}, {14, 15}};
    EXPECT_EQ(most_agreed(intervals).place, (Interval{11, 12}));
    EXPECT_EQ(most_agreed(intervals).count, 2u);
    EXPECT_EQ(majority_place(std::vector<Interval>{{0, 1}, {5, 6}}), std::nullopt);
}

TEST(NetworkMean, is_the_mean_of_those_who_agree) {
    const std::vector<Duration> offsets{0ms, 4ms, -1ms, 3h, -20min};
    const NetworkMean network = network_mean(offsets, 20ms);
    EXPECT_EQ(network.mean, 1ms);
    EXPECT_EQ(network.count, 3u);
    EXPECT_TRUE(network.majority);
    EXPECT_FALSE(network.includes(3h));
}

TEST(NetworkMean, of_two_clocks_far_apart_is_the_master_s) {
    const NetworkMean network = network_mean(std::vector<Duration>{0ms, -1h}, 20ms);
    EXPECT_EQ(network.mean, 0ms);
    EXPECT_FALSE(network.majority);
}

// However wrong the others are, the mean lies among a majority that agrees.
RC_GTEST_PROP(NetworkMean, a_minority_does_not_move_it_out_of_the_majority, ()) {
    std::vector<Duration> offsets{Duration{0}};
    const int good = *rc::gen::inRange(2, 8);
    for (int i = 1; i < good; ++i)
        offsets.emplace_back(*rc::gen::inRange<std::int64_t>(-10'000'000, 10'000'000));
    for (int i = 0; i < good - 1; ++i)
        offsets.emplace_back(*rc::gen::inRange<std::int64_t>(-10'000'000'000, 10'000'000'000));
    const NetworkMean network = network_mean(offsets, 20ms);
    RC_ASSERT(network.majority);
    RC_ASSERT(magnitude(network.mean) <= 30ms);
    RC_ASSERT(network.high - network.low <= 20ms);
}

RC_GTEST_PROP(NetworkMean, does_not_depend_on_the_order_of_the_clocks, ()) {
    std::vector<Duration> offsets{Duration{0}};
    for (int n = *rc::gen::inRange(0, 9); n > 0; --n)
        offsets.emplace_back(*rc::gen::inRange<std::int64_t>(-60, 60));
    const NetworkMean before = network_mean(offsets, Duration{40});
    std::reverse(offsets.begin(), offsets.end());
    const NetworkMean after = network_mean(offsets, Duration{40});
    RC_ASSERT(before.mean == after.mean && before.count == after.count);
}

TEST(TempoRound, tells_everybody_the_difference_to_the_mean) {
    TempoRound round;
    const auto sample = [](Duration offset, Duration delay) {
        return Sample{Time{0}, offset + delay, delay - offset};
    };
    round.learn(Id{2}, sample(9ms, 4ms));
    round.learn(Id{2}, sample(6ms, 1ms));  // quicker, so believed
    round.learn(Id{2}, sample(2ms, 2ms));
    round.learn(Id{3}, sample(2h, 1ms));
    std::vector<TempoRound::Difference> slaves;
    EXPECT_EQ(round.decide(20ms, slaves), 3ms);
    ASSERT_EQ(slaves.size(), 2u);
    EXPECT_EQ(slaves[0].by, -3ms);
    EXPECT_EQ(slaves[1].by, 3ms - 2h) << "a faulty clock is itself corrected";
}

TEST(Ensemble, members_with_their_usual_rates_agree_on_one_rate_whoever_takes_part) {
    // The network runs 5 ppm fast against the master; each member's usual rate is its own.
    std::vector<Vote> votes;
    const Line network{Time{0}, {}, ppm(5)};
    for (const std::int64_t measured : {-40, 0, 17, 90, 1000}) {
        const Line member{Time{0}, {}, ppm(measured)};
        const Rate usual = -between(member, network, 0s).rate;
        votes.push_back(vote_of(member.rate, usual, ppb(1)));
    }
    for (std::size_t leave = 0; leave < votes.size(); ++leave) {
        std::vector<Vote> present = votes;
        present.erase(present.begin() + static_cast<std::ptrdiff_t>(leave));
        const Consent consent = weigh_votes(present);
        EXPECT_EQ(consent.count, present.size());
        EXPECT_LE(magnitude(consent.rate - ppm(5)), ppb(1));
    }
}

TEST(Ensemble, who_deviates_from_the_majority_is_not_heard) {
    const std::vector<Vote> votes{
        {ppb(3), ppb(50)}, {ppb(-2), ppb(50)}, {ppm(500), ppb(50)}, {ppb(5), ppb(50)}};
    const Consent consent = weigh_votes(votes);
    EXPECT_EQ(consent.rate, ppb(2));
    EXPECT_EQ(consent.heard, (std::vector<bool>{true, true, false, true}));
}

TEST(Ensemble, without_a_majority_nothing_is_decided) {
    EXPECT_EQ(weigh_votes(std::vector<Vote>{{ppm(1), {}}, {ppm(2), {}}}).count, 0u);
    EXPECT_EQ(weigh_votes({}).count, 0u);
}

TEST(Ensemble, of_four_and_more_the_extremes_are_dropped) {
    const std::vector<Vote> votes{
        {ppb(0), ppm(1)}, {ppb(10), ppm(1)}, {ppb(20), ppm(1)}, {ppb(900), ppm(1)}};
    EXPECT_EQ(weigh_votes(votes).rate, ppb(15));
}

}  // namespace agreement_test
}  // namespace conclave::clock
