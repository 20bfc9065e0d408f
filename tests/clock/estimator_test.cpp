#include "conclave/clock/estimator.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/clock/noise.hpp"

namespace conclave::clock {
namespace estimator_test {

using namespace std::chrono_literals;

constexpr auto queue = [](Noise& n, bool) { return 10 * n.exponential(); };
constexpr auto gauss = [](Noise& n, bool) { return std::max(10 * n.normal(), -49.0); };
constexpr auto one_way = [](Noise& n, bool there) { return (there ? 10 : 1) * n.exponential(); };
constexpr auto one_way_gauss = [](Noise& n, bool there) {
    return std::max((there ? 10 : 1) * n.normal(), -49.0);
};

TEST(OffsetEnvelope, finds_the_line_through_the_fastest_packets_exactly) {
    // Every fourth packet meets no queue, in either direction in turn.
    std::vector<Point> points;
    for (std::int64_t i = -63; i <= 0; ++i) {
        const std::int64_t time = i * 1'000'000, line = 7 * i + 300;  // 7 ns a second, 300 now
        points.push_back({time, 50'000 + line + (i % 4 == 0 ? 0 : 9000 + 13 * (i & 7)),
                          50'000 - line + (i % 4 == -2 ? 0 : 8000 + 11 * (i & 7))});
    }
    const Fit fit = OffsetEnvelope{}.fit(points);
    EXPECT_EQ(fit.offset, 300ns);
    EXPECT_NEAR(static_cast<double>(fit.rate.ppt), 7000, 20);
}

// The lines that were found touch the clouds, and no other slope lifts them further.
RC_GTEST_PROP(OffsetEnvelope, no_other_slope_lifts_the_lines_further,
              (std::vector<std::uint16_t> there)) {
    RC_PRE(there.size() >= 8);
    std::vector<Point> points;
    for (std::size_t i = 0; i < there.size(); ++i) {
        const auto back = static_cast<std::int64_t>(mix(there[i] + i) % 60'000);
        points.push_back({static_cast<std::int64_t>(i) * 1'000'000 -
                              static_cast<std::int64_t>(there.size()) * 1'000'000,
                          there[i], back});
    }
    const auto lift = [&](std::int64_t ppt) {
        Wide low = Wide{1} << 100, lower = low;
        for (const Point& p : points) {
            low = std::min(low, Wide{p.there} * 1'000'000'000 - Wide{ppt} * p.time);
            lower = std::min(lower, Wide{p.back} * 1'000'000'000 + Wide{ppt} * p.time);
        }
        return low + lower;
    };
    const Wide best = lift(OffsetEnvelope{}.fit(points).rate.ppt);
    const Wide rounding = Wide{32} * points.size() * 1'000'000;
    for (const std::int64_t by : {1'000, 100'000, 10'000'000, 1'000'000'000})
        for (const std::int64_t side : {-1, 1})
            RC_ASSERT(lift(OffsetEnvelope{}.fit(points).rate.ppt + side * by) <= best + rounding);
}

TEST(LeastSquares, finds_a_line_without_noise_exactly) {
    std::vector<Point> points;
    for (std::int64_t i = -31; i <= 0; ++i)
        points.push_back({i * 1'000'000, 50'000 + 40 * i - 500, 50'000 - 40 * i + 500});
    const Fit fit = fit_least_squares(points, Scatter{});
    EXPECT_NEAR(static_cast<double>(fit.offset.count()), -500, 2);
    EXPECT_NEAR(static_cast<double>(fit.rate.ppt), 40'000, 100);
}

TEST(Estimator, the_envelope_wins_where_packets_queue_and_least_squares_where_stamps_scatter) {
    const auto error = [](Method method, const auto& draw) {
        Estimator estimator({method, 128});
        return rms_error(estimator, 3, 1000, draw);
    };
    EXPECT_LT(2 * error(Method::envelope, queue), error(Method::least_squares, queue));
    EXPECT_LT(2 * error(Method::envelope, one_way), error(Method::least_squares, one_way));
    EXPECT_LT(1.5 * error(Method::least_squares, gauss), error(Method::envelope, gauss));
    EXPECT_LT(5 * error(Method::least_squares, one_way_gauss),
              error(Method::envelope, one_way_gauss));
}

TEST(Estimator, learns_which_of_the_two_to_use) {
    const auto one_sided = [](const auto& draw) {
        Estimator estimator;
        rms_error(estimator, 5, 600, draw);
        return estimator.one_sided();
    };
    EXPECT_TRUE(one_sided(queue));
    EXPECT_TRUE(one_sided(one_way));
    EXPECT_TRUE(one_sided([](Noise& n, bool) { return 20 * n.uniform(); }));
    EXPECT_FALSE(one_sided(gauss));
    EXPECT_FALSE(one_sided(one_way_gauss));
}

TEST(Estimator, claims_an_error_of_the_size_that_it_has) {
    Estimator estimator({Method::learned, 64});
    const double actual = rms_error(estimator, 7, 1000, queue);
    const double claimed = static_cast<double>(estimator.estimate().error.count()) / 1000;
    EXPECT_LT(actual, 3 * claimed);
    EXPECT_LT(claimed, 5 * actual);
}

// The fastest of sixteen may lie on a line that is microseconds off, and look exact.
TEST(Estimator, a_few_samples_that_look_sure_do_not_outweigh_many) {
    constexpr Line truth{Time{0}, 20ms, ppm(43)};
    Estimator estimator;
    Noise noise(8);
    Duration worst{};
    for (int i = 0; i < 2000; ++i) {
        const Time at = i * 1s;
        const auto delay = [&] { return 50us + Duration{std::llround(1000 * queue(noise, true))}; };
        const Duration there = delay(), back = delay();
        estimator.add(sample_of(exchange_at(at, truth(at), there, back)));
        if (i >= 300) worst = std::max(worst, magnitude(estimator.estimate().line(at) - truth(at)));
    }
    EXPECT_LT(worst, 2500ns);
}

TEST(Estimator, shortens_its_window_when_the_rate_swings) {
    const auto window_of = [](Rate swing) {
        Estimator estimator;
        Noise noise(11);
        Duration offset{};
        for (int i = 0; i < 1150; ++i) {
            offset += over({(i / 100 % 2 != 0 ? 1 : -1) * swing.ppt}, 1s);
            const auto delay = [&] {
                return 50us + Duration{static_cast<std::int64_t>(10'000 * noise.exponential())};
            };
            const Duration there = delay(), back = delay();
            estimator.add(sample_of(exchange_at(i * 1s, offset, there, back)));
        }
        return estimator.estimate().samples;
    };
    EXPECT_GE(window_of(ppb(1)), 100u);
    EXPECT_LE(window_of(ppb(500)), 64u);
}

TEST(Estimator, doubts_a_clock_that_was_set_and_starts_afresh_after_three_samples) {
    using Verdict = Estimator::Verdict;
    Estimator estimator;
    const auto add = [&](int i, Duration offset) {
        return estimator.add(sample_of(exchange_at(i * 1s, offset, 50us, 50us)));
    };
    for (int i = 0; i < 30; ++i) EXPECT_EQ(add(i, 5ms), Verdict::fits);
    EXPECT_EQ(add(30, 25ms), Verdict::doubtful);
    EXPECT_TRUE(estimator.in_doubt());
    EXPECT_EQ(add(31, 5ms), Verdict::fits) << "a single one may be an accident";
    EXPECT_FALSE(estimator.in_doubt());
    EXPECT_EQ(add(32, 25ms), Verdict::doubtful);
    EXPECT_EQ(add(33, 25ms), Verdict::doubtful);
    EXPECT_EQ(estimator.estimate().line(33s), 5ms);
    EXPECT_EQ(add(34, 25ms), Verdict::moved);
    EXPECT_EQ(estimator.estimate().line(34s), 25ms);
}

TEST(Estimator, does_not_doubt_a_late_packet) {
    Estimator estimator;
    for (int i = 0; i < 30; ++i) estimator.add(sample_of(exchange_at(i * 1s, 5ms, 50us, 50us)));
    for (int i = 30; i < 40; ++i)
        EXPECT_EQ(estimator.add(sample_of(exchange_at(i * 1s, 5ms, 8ms, 50us))),
                  Estimator::Verdict::fits);
    EXPECT_LT(magnitude(estimator.estimate().line(40s) - 5ms), 2us);
}

TEST(Estimator, works_with_clocks_hours_apart_and_a_thousand_ppm) {
    Estimator estimator;
    const Line truth{Time{0}, -5h, ppm(1000)};
    for (int i = 0; i < 100; ++i)
        estimator.add(sample_of(exchange_at(i * 1s, truth(i * 1s), 50us, 50us)));
    EXPECT_NEAR(static_cast<double>(estimator.estimate().line.rate.ppt), 1e9, 1e5);
    EXPECT_LT(magnitude(estimator.estimate().line(99s) - truth(99s)), 200ns);
}

// A clock that is 20 ms ahead and true, over delays of 50 us with 10 us of jitter each way; what
// happens to it or to its path after 200 samples.
struct Change {
    Duration set{}, there{}, back{};
    Duration path = 50us;
};
struct After {
    Duration worst{};  // error of the estimate
    bool moved = false;
};
After follow_change(const Change& change, std::uint64_t seed) {
    Noise noise(seed);
    Estimator estimator;
    After after;
    for (int i = 0; i < 400; ++i) {
        const bool changed = i >= 200;
        const auto late = [&] {
            return change.path + Duration{static_cast<std::int64_t>(1e4 * noise.exponential())};
        };
        const Duration there = late() + (changed ? change.there : 0us);
        const Duration back = late() + (changed ? change.back : 0us);
        const Duration offset = 20ms + (changed ? change.set : 0us);
        const Time at = i * 1s;
        const auto verdict = estimator.add(sample_of(exchange_at(at, offset, there, back)));
        after.moved = after.moved || verdict == Estimator::Verdict::moved;
        if (i > 100)
            after.worst = std::max(after.worst, magnitude(estimator.estimate().line(at) - offset));
    }
    return after;
}

TEST(Estimator, a_path_that_grows_in_one_direction_is_no_clock_that_was_set) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        for (const Change& change : {Change{.there = 100us}, Change{.back = 200us},
                                     Change{.there = 100us, .back = 100us}, Change{.there = 5ms}}) {
            const After after = follow_change(change, seed);
            EXPECT_FALSE(after.moved) << seed;
            EXPECT_LE(after.worst, 8us) << seed;
        }
}

TEST(Estimator, a_path_that_becomes_shorter_is_none_either) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const After after = follow_change({.there = -200us, .path = 300us}, seed);
        EXPECT_FALSE(after.moved) << seed;
        EXPECT_LE(after.worst, 8us) << seed;
    }
}

TEST(Estimator, a_clock_that_was_set_is_noticed_beside_any_path) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        EXPECT_TRUE(follow_change({.set = 100us}, seed).moved) << seed;
        EXPECT_TRUE(follow_change({.set = 500us, .there = 100us}, seed).moved) << seed;
    }
}

TEST(Estimator, a_clock_that_was_set_just_when_its_path_became_shorter_is_noticed) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        for (const Duration set : {-2500us, 400us, 2500us})
            EXPECT_TRUE(follow_change({.set = set, .there = -320us, .path = 640us}, seed).moved)
                << seed;
}

TEST(Detour, leaves_half_the_round_trip_in_doubt_and_half_of_what_its_ways_differ) {
    EXPECT_EQ((Detour{100us, 100us}.doubt()), 100us);
    EXPECT_EQ((Detour{100us, 0us}.doubt()), 100us);
    EXPECT_EQ((Detour{-100us, -100us}.doubt()), -100us);
    EXPECT_EQ((Detour{30us, -30us}.doubt()), 30us) << "the round trip is the same, the line is not";
}

TEST(Floor, tells_queues_from_noise_and_does_not_change_its_mind) {
    const auto share = [](auto draw) {
        Noise noise(5);
        Floor floor;
        std::vector<Point> points;
        int crowded = 0;
        for (int i = 0; i < 9000; ++i) {
            points.push_back({i, static_cast<std::int64_t>(10'000 * draw(noise)), 0});
            if (points.size() > 64) points.erase(points.begin());
            floor.learn(points);
            crowded += i >= 1000 && floor.crowded() ? 1 : 0;
        }
        return crowded / 8000.0;
    };
    EXPECT_EQ(share([](Noise& n) { return n.exponential(); }), 1.0);
    EXPECT_EQ(share([](Noise& n) { return n.uniform(); }), 1.0);
    EXPECT_EQ(share([](Noise& n) { return n.normal(); }), 0.0);
}

// A second later, too, when a correction that was made of it is still in force: queues of 640 us
// leave a fresh line wrong by hundreds of ppm, which its own scatter does not show.
TEST(Estimator, a_fresh_line_is_never_further_off_than_its_path_and_rate_allow) {
    const Line truth{Time{0}, 20ms, ppm(43)};
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Estimator estimator;
        Noise noise(seed);
        const auto delay = [&] {
            return 40us + Duration{static_cast<std::int64_t>(640'000 * noise.exponential())};
        };
        for (Time at = 0s; at < 5s; at += 125ms) {
            const Duration there = delay(), back = delay();
            estimator.add(sample_of(exchange_at(at, truth(at), there, back)));
            if (!estimator.knows_rate()) continue;
            const Estimate& estimate = estimator.estimate();
            const Time since = estimate.line.at;
            const auto error = [&](Time then) {
                return magnitude(estimate.line(then) - truth(then));
            };
            EXPECT_LE(error(since), estimate.path) << seed;
            EXPECT_LE(error(since + 1s), estimate.path + over(estimate.rate_bound, 1s)) << seed;
        }
    }
}

}  // namespace estimator_test
}  // namespace conclave::clock
