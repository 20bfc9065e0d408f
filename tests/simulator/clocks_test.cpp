#include "conclave/simulator/world/clocks.hpp"

#include <gtest/gtest.h>

#include <set>

#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {
namespace clocks_test {

using namespace std::chrono_literals;

struct Shop {
    Scenario scenario;
    Decisions decisions;
    Clocks clocks;

    explicit Shop(const Scenario& asked, std::uint64_t seed = 1)
        : scenario(asked), decisions(seed), clocks(scenario, decisions) {}
};

Scenario with_clock(NodeClock clock) {
    Scenario scenario;
    scenario.node_clocks.push_back(clock);
    return scenario;
}

TEST(Clocks, are_perfect_unless_asked_otherwise) {
    EXPECT_TRUE(Shop(Scenario{}).clocks.perfect());
    EXPECT_FALSE(Shop(with_clock({Id{1}, 5ms})).clocks.perfect());
}

TEST(Clocks, show_their_offset) {
    Shop shop(with_clock({Id{1}, 5ms}));
    EXPECT_EQ(shop.clocks.local(1, 10ms), 15ms);
    EXPECT_EQ(shop.clocks.local(2, 10ms), 10ms);
}

TEST(Clocks, gain_and_lose_what_their_drift_says) {
    Shop fast(with_clock({Id{1}, 0ms, 100'000}));  // a hundred parts in a million
    EXPECT_EQ(fast.clocks.local(1, 1000s), 1000s + 100ms);
    Shop slow(with_clock({Id{1}, 0ms, -100'000}));
    EXPECT_EQ(slow.clocks.local(1, 1000s), 1000s - 100ms);
}

TEST(Clocks, count_longer_units_when_slowed_down) {
    Shop shop(with_clock({Id{1}, 0ms, 0, 3}));
    EXPECT_EQ(shop.clocks.local(1, 30ms), 10ms);
    EXPECT_EQ(shop.clocks.due(1, 30ms, 10ms), 60ms);
}

TEST(Clocks, draw_offset_and_drift_for_every_node_within_the_limits) {
    Scenario scenario;
    scenario.nodes = 50;
    scenario.clocks = {.offset = 1ms, .drift_ppb = 1'000'000, .wander_ppb = 0};
    Shop shop(scenario);
    std::set<Time> shown;
    for (std::uint32_t id = 1; id <= 50; ++id) {
        const Time start = shop.clocks.local(id, 0s);
        EXPECT_LE(std::chrono::abs(start), 1ms);
        EXPECT_LE(std::chrono::abs(shop.clocks.local(id, 10s) - start - 10s), 10ms);
        shown.insert(start);
    }
    EXPECT_GT(shown.size(), 45u);
}

TEST(Clocks, are_the_same_for_the_same_seed_only) {
    Scenario scenario;
    scenario.clocks = {.offset = 1ms, .drift_ppb = 1000, .wander_ppb = 1000};
    const auto read = [&](std::uint64_t seed) { return Shop(scenario, seed).clocks.local(1, 9s); };
    EXPECT_EQ(read(7), read(7));
    EXPECT_NE(read(7), read(8));
}

TEST(Clocks, never_run_backwards_while_they_wander) {
    Scenario scenario;
    scenario.nodes = 1;
    scenario.clocks = {.offset = 0ms, .drift_ppb = 400'000'000, .wander_ppb = 400'000'000};
    Shop shop(scenario);
    Time before{-1};
    bool wandered = false;
    Duration last_step{};
    for (Time real{0}; real < 60s; real += 10ms) {
        const Time shown = shop.clocks.local(1, real);
        ASSERT_GT(shown, before) << real.count();
        wandered = wandered || (last_step != 0ns && shown - before != last_step);
        last_step = shown - before;
        before = shown;
    }
    EXPECT_TRUE(wandered);
}

// A timer that is set on a node's clock, at one time after the other.
void expect_timers_on_time(const Scenario& scenario, std::uint64_t seed) {
    Shop shop(scenario, seed);
    Time real{};
    for (std::uint64_t i = 0; i < 300; ++i) {
        real += Duration{static_cast<std::int64_t>(below(1'999'999'999, mix(seed + i)))};
        const Duration after{static_cast<std::int64_t>(below(3'999'999'999, mix(seed ^ ~i)))};
        const Time set = shop.clocks.local(1, real);
        const Time due = shop.clocks.due(1, real, after);
        if (due - 3ns > real) {
            ASSERT_LT(shop.clocks.local(1, due - 3ns) - set, after) << i << " late";
        }
        ASSERT_GE(shop.clocks.local(1, due) - set, after) << i << " early";
        real = due;
    }
}

TEST(Clocks, let_no_timer_fire_early_or_late) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Scenario scenario;
        scenario.nodes = 1;
        scenario.clocks = {.offset = 1s, .drift_ppb = 300'000'000, .wander_ppb = 0};
        expect_timers_on_time(scenario, seed);
        scenario.clocks.wander_ppb = 50'000'000;
        expect_timers_on_time(scenario, seed);
    }
}

}  // namespace clocks_test
}  // namespace conclave::simulator
