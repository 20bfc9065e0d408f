#include "conclave/simulator/world/network.hpp"

#include <gtest/gtest.h>

namespace conclave::simulator {
namespace network_test {

using namespace std::chrono_literals;

constexpr Card ring_card{"ring", "", conclave::Network::ring, Links::fifo, "", ""};
constexpr Card loose_card{"loose", "", conclave::Network::full, Links::any, "", ""};
constexpr Card full_card{"full", "", conclave::Network::full, Links::fifo, "", ""};
constexpr Odds one_in_four{std::uint64_t{1} << 30};

struct Wires {
    Scenario scenario;
    Decisions decisions;
    Network network;

    explicit Wires(const Scenario& asked, const Card& card = ring_card)
        : scenario(asked), decisions(1), network(scenario, card, decisions) {}

    Passage carry(std::uint32_t count, Time now = 0ms, Id from = Id{1}, Id to = Id{2}) {
        return network.carry(static_cast<std::uint32_t>(from) - 1, from, to, count, false, now);
    }
    int lost(std::uint32_t messages) {
        int lost = 0;
        for (std::uint32_t i = 1; i <= messages; ++i) lost += carry(i).arrives == never;
        return lost;
    }
    int doubled(std::uint32_t messages) {
        int doubled = 0;
        for (std::uint32_t i = 1; i <= messages; ++i) doubled += carry(i).again != never;
        return doubled;
    }
};

Scenario with_delay(Delay delay) {
    Scenario scenario;
    scenario.delay = delay;
    return scenario;
}
Scenario jittery() { return with_delay({Delay::Shape::uniform, 0ms, 1ms}); }

bool in_order(const Scenario& scenario, const Card& card) {
    Wires wires(scenario, card);
    Time before{};
    for (std::uint32_t i = 1; i <= 1000; ++i) {
        const Time arrives = wires.carry(i, Time{i}).arrives;
        if (arrives < before) return false;
        before = arrives;
    }
    return true;
}

TEST(Network, of_one_delay_is_steady) {
    Wires wires{Scenario{}};
    EXPECT_TRUE(wires.network.steady());
    EXPECT_EQ(wires.carry(1, 5ms).arrives, 6ms);
    EXPECT_EQ(wires.carry(1, 5ms).again, never);
}

TEST(Network, is_not_steady_where_anything_can_happen) {
    Scenario lossy, doubling, split, severed, reordering;
    lossy.loss = doubling.duplication = reordering.reordering.odds = one_in_four;
    split.partitions.push_back({{{Id{1}}, {Id{2}}}, {}});
    severed.cuts.push_back({Id{1}, Id{2}, {}});
    for (const Scenario& scenario : {lossy, doubling, split, severed, reordering, jittery()})
        EXPECT_FALSE(Wires(scenario).network.steady());
    for (const Scenario& scenario : {lossy, doubling, split, severed})
        EXPECT_TRUE(Wires(scenario).network.in_order());
}

TEST(Network, keeps_each_link_in_order_where_the_card_says_so) {
    EXPECT_TRUE(in_order(jittery(), ring_card));
    EXPECT_TRUE(in_order(jittery(), full_card));
    EXPECT_FALSE(in_order(jittery(), loose_card));
}

TEST(Network, keeps_order_as_the_scenario_says_whatever_the_card) {
    Scenario scenario = jittery();
    scenario.fifo = true;
    EXPECT_TRUE(in_order(scenario, loose_card));
    scenario.fifo = false;
    EXPECT_FALSE(in_order(scenario, ring_card));
}

TEST(Network, lets_other_links_pass) {
    Wires wires(jittery(), full_card);
    bool overtaken = false;
    for (std::uint32_t i = 1; i <= 100; ++i)
        overtaken = overtaken || wires.carry(i, 0ms, Id{1}, Id{2}).arrives >
                                     wires.carry(i, 0ms, Id{1}, Id{3}).arrives;
    EXPECT_TRUE(overtaken);
}

TEST(Network, loses_as_many_as_the_odds_say) {
    Scenario scenario;
    scenario.loss = one_in_four;
    EXPECT_NEAR(Wires(scenario).lost(100'000), 25'000, 500);
}

TEST(Network, doubles_as_many_as_the_odds_say) {
    Scenario scenario;
    scenario.duplication = one_in_four;
    EXPECT_NEAR(Wires(scenario).doubled(100'000), 25'000, 500);
}

TEST(Network, loses_and_doubles_independently) {
    Scenario scenario;
    scenario.duplication = one_in_four;
    Wires doubling(scenario);
    scenario.loss = one_in_four;
    Wires both(scenario);
    int arrived = 0, doubled = 0;
    for (std::uint32_t i = 1; i <= 100'000; ++i) {
        const Passage passage = both.carry(i);
        if (passage.arrives == never) continue;
        ++arrived;
        doubled += passage.again != never;
        ASSERT_EQ(passage.again, doubling.carry(i).again) << "loss shifts who is doubled";
    }
    EXPECT_NEAR(doubled, arrived / 4, 400);
}

TEST(Network, brings_a_second_copy_at_once_or_a_delay_later) {
    Scenario scenario;
    scenario.duplication = {std::uint64_t{1} << 32};
    EXPECT_EQ(Wires(scenario).carry(1).again, 1ms);
    scenario.delay = {Delay::Shape::exponential, 1ms, {}};
    Wires wires(scenario);
    bool later = false;
    for (std::uint32_t i = 1; i <= 100; ++i) {
        const Passage passage = wires.carry(i);
        ASSERT_GE(passage.again, passage.arrives);
        ASSERT_LE(passage.again, passage.arrives + 1ms);
        later = later || passage.again > passage.arrives;
    }
    EXPECT_TRUE(later);
}

TEST(Network, reorders_by_no_more_than_it_may) {
    Scenario scenario;
    scenario.reordering = {one_in_four, 2ms};
    Wires wires(scenario);
    int behind = 0;
    for (std::uint32_t i = 1; i <= 10'000; ++i) {
        const Time arrives = wires.carry(i).arrives;
        ASSERT_GE(arrives, 1ms);
        ASSERT_LE(arrives, 3ms);
        behind += arrives > 1ms;
    }
    EXPECT_NEAR(behind, 2'500, 200);
}

TEST(Network, gives_a_link_its_own_delay) {
    Scenario scenario;
    scenario.links.push_back({Id{1}, Id{2}, {Delay::Shape::constant, 9ms, {}}});
    Wires wires(scenario, full_card);
    EXPECT_EQ(wires.carry(1).arrives, 9ms);
    EXPECT_EQ(wires.carry(1, 0ms, Id{2}, Id{1}).arrives, 1ms);
}

TEST(Network, reaches_all_after_the_same_delay_where_asked) {
    Scenario scenario = jittery();
    const auto spread = [&] {
        Wires wires(scenario, loose_card);
        const Time first = wires.network.carry(0, Id{1}, Id{2}, 1, true, 0ms).arrives;
        return wires.network.carry(0, Id{1}, Id{3}, 1, true, 0ms).arrives - first;
    };
    EXPECT_NE(spread(), 0ms);
    scenario.same_for_all = true;
    EXPECT_EQ(spread(), 0ms);
}

TEST(Network, lets_nothing_pass_between_parts_until_they_are_healed) {
    const Partition partition{{{Id{1}}, {Id{2}, Id{3}}}, {}};
    Wires wires(Scenario{}, full_card);
    wires.network.split(partition);
    EXPECT_EQ(wires.carry(1).arrives, never);
    EXPECT_EQ(wires.carry(1, 0ms, Id{2}, Id{3}).arrives, 1ms);
    EXPECT_EQ(wires.carry(1, 0ms, Id{4}, Id{5}).arrives, 1ms);  // not named: one more part
    EXPECT_EQ(wires.carry(1, 0ms, Id{4}, Id{1}).arrives, never);
    wires.network.heal(partition);
    EXPECT_EQ(wires.carry(1).arrives, 1ms);
}

TEST(Network, needs_both_to_be_together_in_all_partitions) {
    const Partition one{{{Id{1}, Id{2}}, {Id{3}}}, {}}, two{{{Id{1}}, {Id{2}, Id{3}}}, {}};
    Wires wires(Scenario{}, full_card);
    wires.network.split(one);
    wires.network.split(two);
    EXPECT_FALSE(wires.network.same_part(Id{1}, Id{2}));
    EXPECT_FALSE(wires.network.same_part(Id{2}, Id{3}));
    wires.network.heal(one);
    EXPECT_TRUE(wires.network.same_part(Id{2}, Id{3}));
    EXPECT_FALSE(wires.network.same_part(Id{1}, Id{2}));
}

TEST(Network, cuts_one_way_only) {
    Wires wires(Scenario{}, full_card);
    wires.network.cut(Id{1}, Id{2});
    EXPECT_EQ(wires.carry(1).arrives, never);
    EXPECT_EQ(wires.carry(1, 0ms, Id{2}, Id{1}).arrives, 1ms);
    EXPECT_TRUE(wires.network.same_part(Id{1}, Id{2}));
    wires.network.mend(Id{1}, Id{2});
    EXPECT_EQ(wires.carry(1).arrives, 1ms);
}

TEST(Network, follows_a_log_whatever_the_odds) {
    const Scenario scenario;
    const DecisionLog log{{{Purpose::lose, Id{1}, Id{2}, 1}, 1},
                          {{Purpose::delay, Id{1}, Id{2}, 2}, 4'000'000},
                          {{Purpose::duplicate, Id{1}, Id{2}, 3}, 501}};
    Decisions decisions = Decisions::replay(log);
    Network network(scenario, loose_card, decisions);
    const auto carry = [&](std::uint32_t n) {
        return network.carry(0, Id{1}, Id{2}, n, false, 0ms);
    };
    EXPECT_EQ(carry(1).arrives, never);
    EXPECT_EQ(carry(2).arrives, 4ms);
    EXPECT_EQ(carry(3).again, 1ms + 500ns);
    EXPECT_EQ(carry(4).arrives, 1ms);
}

TEST(Network, records_what_is_not_usual) {
    Scenario scenario = jittery();
    scenario.loss = one_in_four;
    DecisionLog log;
    Wires wires(scenario, loose_card);
    wires.decisions.record_into(log);
    std::vector<Passage> passages;
    for (std::uint32_t i = 1; i <= 100; ++i) passages.push_back(wires.carry(i));
    Decisions decisions = Decisions::replay(log);
    Network again(scenario, loose_card, decisions);
    for (std::uint32_t i = 1; i <= 100; ++i)
        EXPECT_EQ(again.carry(0, Id{1}, Id{2}, i, false, 0ms).arrives, passages[i - 1].arrives);
}

}  // namespace network_test
}  // namespace conclave::simulator
