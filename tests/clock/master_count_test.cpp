// Which clocks a master counts, whom it gives way to, and when it does not trust itself.
#include <gtest/gtest.h>

#include "tests/clock/network.hpp"

namespace conclave::clock {
namespace master_count_test {

constexpr Id predecessor{9};

// What the predecessor told everybody: its line to clocks that are this far from the master's.
Correction told(Duration offset, std::uint32_t clocks = 5) {
    return {{4, predecessor}, {0s, -offset, {}}, 1us, ppb(10), clocks};
}
// A successor, with two slaves of its predecessor that follow the same time.
Network succeeded(std::uint32_t clocks) {
    Network network;
    network.keeper.hear(0s, told(0s, clocks));
    network.enthrone();
    for (std::uint32_t id = 2; id <= 3; ++id) {
        network.add(id, 1ms, {});
        network.slaves.back().keeper.hear(1ms, told(1ms, clocks));
    }
    return network;
}

TEST(MasterCount, begins_with_itself_whatever_its_predecessor_had) {
    Network network = succeeded(5);
    EXPECT_EQ(network.master->clocks(), 1u);
    network.run(3s);
    EXPECT_EQ(network.master->clocks(), 3u);
}

TEST(MasterCount, followers_of_the_predecessor_count_if_they_say_the_same_time) {
    Network network = succeeded(5);
    network.add(4, 0s, {});
    network.slaves.back().keeper.hear(0s, told(1s));
    for (const auto& slave : network.slaves) network.measure(slave, 12);
    EXPECT_EQ(network.master->clocks(), 3u);
}

TEST(MasterCount, a_clock_that_went_wrong_within_the_last_minute_backs_nobody) {
    Network network;
    network.add(2, 1ms, {});
    network.run(20s);
    const Time before = network.master->backed();
    EXPECT_GT(before, 15s);
    network.slaves[0].keeper.moved(network.now, 1ms);
    network.run(30s);
    EXPECT_EQ(network.master->backed(), never);
    network.run(60s);
    EXPECT_GT(network.master->backed(), before + 60s);
}

TEST(MasterCount, one_that_was_away_counts_again_when_a_member_follows_a_later_master) {
    Network network = succeeded(5);
    network.run(20s);
    ASSERT_EQ(network.master->clocks(), 3u);
    auto& gone = network.slaves[0];
    Correction later = told(1ms);
    later.term = {20, Id{2}};
    gone.keeper.hear(network.now + 1ms, later);
    network.measure(gone, 1);
    EXPECT_EQ(network.master->clocks(), 1u);
}

TEST(MasterCount, a_predecessor_that_still_counts_those_who_left_it_is_not_obeyed_for_7_s) {
    Network network = succeeded(5);
    network.run(3s);
    const Time raw = network.raw();
    EXPECT_FALSE(network.master->gives_way_to(predecessor, 5, raw));
    EXPECT_FALSE(network.master->quits_for(predecessor, 5, raw));
    EXPECT_FALSE(network.master->quits_for(predecessor, 4, raw)) << "two have left it";
    EXPECT_TRUE(network.master->gives_way_to(Id{8}, 5, raw));
    network.run(7s);
    EXPECT_TRUE(network.master->gives_way_to(predecessor, 5, network.raw()));
}

TEST(MasterCount, a_predecessor_with_as_many_clocks_as_can_be_left_is_obeyed_at_once) {
    Network network = succeeded(7);
    network.run(3s);
    EXPECT_TRUE(network.master->gives_way_to(predecessor, 4, network.raw()));
    EXPECT_FALSE(network.master->gives_way_to(predecessor, 3, network.raw()));
    EXPECT_FALSE(network.master->quits_for(predecessor, 3, network.raw()));
    EXPECT_TRUE(network.master->quits_for(Id{8}, 3, network.raw()));
}

TEST(MasterCount, one_without_slaves_gives_way_to_its_predecessor) {
    Network network;
    network.keeper.hear(0s, told(0s));
    network.enthrone();
    EXPECT_TRUE(network.master->gives_way_to(predecessor, 5, 1s));
}

TEST(MasterCount, nobody_moves_a_network_by_leaving_it) {
    Network network;
    network.add(2, 0s, {});
    network.run(5s);
    network.add(3, 1s, {});
    network.run(5s);
    network.add(4, 1s, {});
    network.run(5s);
    ASSERT_LT(magnitude(network.master->network().offset), 1ms) << "two against two";
    network.slaves.erase(network.slaves.begin());
    network.master->strike_off(Id{2});
    network.run(20s);
    EXPECT_LT(magnitude(network.master->network().offset), 1ms);
}

TEST(MasterCount, of_two_clocks_that_contradict_each_other_neither_is_trusted_for_a_minute) {
    Network network;
    network.add(2, 1ms, ppm(2));
    network.run(30s);
    ASSERT_EQ(network.keeper.trust(network.raw()), Trust::synchronised);
    network.jump = 20ms;
    network.run(10s);
    EXPECT_FALSE(network.master->must_resign());
    EXPECT_EQ(network.master->clocks(), 0u);
    EXPECT_EQ(network.keeper.trust(network.raw()), Trust::unknown);
    const auto& slave = network.slaves[0];
    EXPECT_EQ(slave.keeper.trust(network.now + slave.raw(network.now)), Trust::unknown);
    network.run(70s);
    EXPECT_EQ(network.master->clocks(), 2u);
    EXPECT_EQ(network.keeper.trust(network.raw()), Trust::synchronised);
}

TEST(MasterCount, a_third_clock_that_agrees_settles_who_was_wrong) {
    Network network;
    network.add(2, 1ms, ppm(2));
    network.run(30s);
    network.slaves[0].raw.offset += 20ms;
    network.run(5s);
    ASSERT_EQ(network.master->clocks(), 0u);
    network.add(3, 2ms, ppm(-3));
    network.run(5s);
    EXPECT_EQ(network.master->clocks(), 2u) << "the third and the master";
}

// It was away while the master's clock leapt, and follows an earlier term of the same master.
TEST(MasterCount, a_third_clock_that_returns_with_another_time_settles_nothing) {
    Network network;
    network.add(2, 1ms, ppm(2));
    network.add(3, 2ms, ppm(-3));
    network.run(30s);
    const Network::Slave away = network.slaves[1];
    network.slaves.pop_back();
    network.run(10s);
    network.master->strike_off(away.id);
    network.jump = 20ms;
    network.run(5s);
    ASSERT_EQ(network.master->clocks(), 0u);
    for (int samples = 1; samples <= 12; ++samples) {
        network.measure(away, 1);
        network.now += 125ms;
        EXPECT_EQ(network.master->clocks(), 0u) << samples;
    }
    network.master->decide(network.raw(), network.keeper);
    EXPECT_EQ(network.master->clocks(), 0u);
}

TEST(MasterCount, who_was_not_heard_for_long_is_not_corrected_by_what_was_measured_before) {
    Network network = succeeded(5);
    network.run(10s);
    const Time last = network.master->find(Id{2})->reported;
    EXPECT_NE(network.master->correction_for(Id{2}, last + 4900ms), std::nullopt);
    EXPECT_EQ(network.master->correction_for(Id{2}, last + 5s), std::nullopt);
}

TEST(MasterCount, one_that_was_never_told_the_time_goes_on_with_that_of_its_members) {
    Network network;
    network.add(2, 1ms, {});
    network.slaves.back().keeper.hear(1ms, told(100ms));
    network.add(3, 2ms, {});  // was never told either
    network.run(10s);
    EXPECT_LT(magnitude(network.master->network().offset + 99ms), 1ms);
    for (const auto& slave : network.slaves) EXPECT_LT(magnitude(network.apart(slave)), 5us);
}

}  // namespace master_count_test
}  // namespace conclave::clock
