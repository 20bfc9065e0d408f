#include "conclave/clock/master.hpp"

#include <gtest/gtest.h>

#include "tests/clock/network.hpp"

namespace conclave::clock {
namespace master_test {

using namespace std::chrono_literals;

TEST(Master, without_a_past_takes_the_mean_of_the_clocks_that_agree) {
    Network network;
    network.add(2, 30ms, ppm(10));
    network.add(3, 60ms, ppm(-20));
    network.add(4, 2h, ppm(5));
    network.run(10s);
    ASSERT_TRUE(network.master->founded());
    EXPECT_LT(magnitude(network.keeper.servo().offset(10s) - 30ms), 1ms);
    for (const auto& slave : network.slaves) EXPECT_LT(magnitude(network.apart(slave)), 5us);
}

TEST(Master, with_a_past_goes_on_with_the_line_that_it_followed) {
    Network network;
    network.keeper.hear(0s, {{4, Id{9}}, {0s, 7ms, ppm(12)}, 1us, ppb(10), 5});
    network.enthrone();
    EXPECT_TRUE(network.master->founded());
    EXPECT_EQ(network.master->term(), (Term{5, Id{1}}));
    EXPECT_EQ(network.master->network(), (Line{0s, 7ms, ppm(12)}));
}

TEST(Master, joining_and_leaving_move_neither_phase_nor_rate) {
    Network network;
    network.add(2, 1ms, ppm(10));
    network.add(3, 2ms, ppm(-20));
    network.run(120s);
    const Line before = network.master->network();
    network.add(4, 3ms, ppm(400));
    network.run(120s);
    network.slaves.erase(network.slaves.begin());
    network.master->strike_off(Id{2});
    network.run(60s);
    const Line after = network.master->network();
    EXPECT_LT(magnitude(after.rate - before.rate), ppb(2));
    EXPECT_LT(magnitude(before(after.at) - after.offset), 1us);
}

TEST(Master, a_slave_that_breaks_is_not_heard_and_itself_corrected) {
    Network network;
    for (std::uint32_t id = 2; id <= 5; ++id) network.add(id, 1ms, ppm(id));
    network.run(100s);
    const Line before = network.master->network();
    Line& broken = network.slaves[0].raw;
    broken = {network.now, broken(network.now), broken.rate + ppm(500)};
    network.run(3s);
    EXPECT_EQ(network.master->find(Id{2})->fault, Fault::moved);
    EXPECT_FALSE(network.master->must_resign());
    network.run(60s);
    const Line after = network.master->network();
    EXPECT_LT(magnitude(before(after.at) - after.offset), 1us);
    EXPECT_LT(magnitude(network.apart(network.slaves[0])), 10us);
}

TEST(Master, resigns_when_most_slaves_seem_to_have_moved_at_once) {
    Network network;
    for (std::uint32_t id = 2; id <= 5; ++id) network.add(id, 1ms, ppm(id));
    network.run(60s);
    network.jump = 20ms;
    network.run(2s);
    EXPECT_TRUE(network.master->must_resign());
    EXPECT_EQ(network.master->correction_for(Id{2}, network.raw()), std::nullopt);
}

// Or its slaves would be refused and its own clock trusted until the second is over.
TEST(Master, does_not_wait_for_its_next_decision_to_resign) {
    Network network;
    for (std::uint32_t id = 2; id <= 5; ++id) network.add(id, 1ms, ppm(id));
    network.run(60s);
    network.jump = 20ms;
    for (std::size_t i = 0; i < 2; ++i) network.measure(network.slaves[i], 1);
    EXPECT_FALSE(network.master->must_resign()) << "two of four";
    network.measure(network.slaves[2], 1);
    EXPECT_TRUE(network.master->must_resign());
}

TEST(Master, is_surprised_by_an_answer_of_a_clock_that_leapt_before_it_learns_from_it) {
    Network network;
    network.add(2, 1ms, ppm(2));
    network.run(60s);
    const auto answer = [&](Duration leapt) {
        const Duration offset = network.slaves[0].raw(network.now) + leapt;
        return exchange_at(network.now, offset, 50us, 50us);
    };
    EXPECT_FALSE(network.master->is_surprised_by(Id{2}, answer(0s)));
    EXPECT_TRUE(network.master->is_surprised_by(Id{2}, answer(1ms)));
    EXPECT_FALSE(network.master->doubts(Id{2})) << "it has not learned from it";
    EXPECT_FALSE(network.master->is_surprised_by(Id{9}, answer(1ms))) << "nobody it knows";
}

// A machine that was paused until its master had given it up would trust its clock for a second
// more; a successor's followers say the same time, and are not doubted.
TEST(Master, doubts_who_follows_another_time_from_the_first_answer_on) {
    Network network;
    network.add(2, 1ms, ppm(2));
    network.add(3, 2ms, ppm(3));
    network.run(60s);
    network.enthrone();
    for (const auto& slave : network.slaves) network.measure(slave, 1);
    EXPECT_FALSE(network.master->doubts(Id{2}));
    network.master->strike_off(Id{2});
    network.slaves[0].raw.offset -= 3s;
    for (const auto& slave : network.slaves) network.measure(slave, 1);
    EXPECT_TRUE(network.master->doubts(Id{2}));
    EXPECT_FALSE(network.master->doubts(Id{3}));
}

TEST(Master, resigns_when_most_slaves_complain) {
    Network network;
    for (std::uint32_t id = 2; id <= 4; ++id) network.add(id, 1ms, ppm(id));
    network.run(20s);
    Report complaint = network.slaves[0].keeper.report(network.now);
    complaint.complains = true;
    complaint.about = network.master->term();
    const auto complain = [&](std::size_t i) {
        const Exchange exchange =
            exchange_at(network.raw(), network.slaves[i].raw(network.now), 50us, 50us);
        network.master->learn(network.slaves[i].id, exchange, complaint);
        network.master->decide(network.raw(), network.keeper);
    };
    complain(0);
    EXPECT_FALSE(network.master->must_resign());
    complain(1);
    EXPECT_TRUE(network.master->must_resign());
}

// So many members come who follow another time, 300 us later, and claim to be nine.
Duration moved_by_others(std::uint32_t count, bool sound) {
    Network network;
    for (std::uint32_t id = 2; id <= 4; ++id) network.add(id, 1ms, ppm(id));
    network.run(60s);
    const Line before = network.master->network();
    for (std::uint32_t id = 10; id < 10 + count; ++id) {
        network.add(id, 0ms, ppm(7));
        Keeper& keeper = network.slaves.back().keeper;
        keeper.hear(network.now,
                    {{8, Id{9}}, {network.now, before(network.now) + 300us, {}}, 1us, {}, 9});
        if (!sound) keeper.distrust();
    }
    network.run(30s);
    EXPECT_GT(network.master->term().number, 8u);
    for (const auto& slave : network.slaves) EXPECT_LT(magnitude(network.apart(slave)), 10us);
    const Line after = network.master->network();
    return after.offset - before(after.at);
}

TEST(Master, takes_over_the_time_that_more_members_follow_whatever_they_claim) {
    EXPECT_NEAR(static_cast<double>(moved_by_others(5, true).count()), 300'000, 8'000);
    EXPECT_LT(magnitude(moved_by_others(1, true)), 8us);
}

TEST(Master, does_not_listen_to_clocks_that_went_wrong) {
    EXPECT_LT(magnitude(moved_by_others(5, false)), 8us);
}

TEST(Master, a_lone_founder_is_outvoted_by_two_who_agree_and_not_by_one) {
    Network network;
    network.run(20s);
    network.add(2, 1h, ppm(3));
    network.run(20s);
    EXPECT_LT(magnitude(network.master->network().offset), 1s) << "a tie";
    network.add(3, 1h + 20ms, ppm(-4));
    network.run(10s);
    EXPECT_LT(magnitude(network.master->network().offset - 1h), 100ms);
}

TEST(Master, a_newcomer_that_would_be_moved_far_waits_for_others_of_its_opinion) {
    Network network;
    network.run(20s);
    network.add(2, 1h, ppm(3));
    network.add(3, 10ms, ppm(3));
    for (const Network::Slave& slave : network.slaves) network.measure(slave, 10);
    const Time then = network.raw();
    EXPECT_FALSE(network.master->correction_for(Id{2}, then + 1s));
    EXPECT_TRUE(network.master->correction_for(Id{2}, then + 1600ms));
    EXPECT_TRUE(network.master->correction_for(Id{3}, then + 1s)) << "it is hardly moved";
}

TEST(Master, clocks_that_were_set_by_hand_agree_to_the_minute) {
    Network network;
    network.add(2, 1h, ppm(3));
    network.add(3, 1h + 9s, ppm(3));
    network.run(10s);
    EXPECT_LT(magnitude(network.master->network().offset - 1h - 4500ms), 100ms);
}

TEST(Master, what_was_brought_is_remembered_by_who_brought_it) {
    Network network;
    network.run(20s);
    network.add(2, 1h, ppm(3));
    network.run(20s);
    const Keeper& second = network.slaves[0].keeper;
    EXPECT_LT(magnitude(second.standing().opinion() - 1h), 100ms);
    Master successor(Id{2}, 0s, second);
    EXPECT_TRUE(successor.founded());
}

TEST(Master, machines_that_were_wiped_do_not_outvote_an_established_network) {
    Network network;
    network.settings.conviction = 20s;
    network.enthrone();
    network.add(2, 20ms, ppm(3));
    network.run(40s);
    EXPECT_TRUE(network.master->established());
    for (std::uint32_t id = 3; id <= 6; ++id) network.add(id, -5h, ppm(id));
    network.run(20s);
    EXPECT_LT(magnitude(network.master->network().offset), 1s);
    EXPECT_LT(magnitude(network.apart(network.slaves.back())), 10us);
}

TEST(Master, a_date_change_takes_everybody_along_at_once) {
    Network network;
    network.add(2, 30ms, ppm(10));
    network.add(3, -20ms, ppm(-20));
    network.run(20s);
    const Time before = network.keeper.read(network.raw());
    network.master->change_date(network.raw(), -1h);
    network.run(2s);
    EXPECT_LT(magnitude(network.keeper.read(network.raw()) - before + 1h - 2s), 1ms);
    for (const auto& slave : network.slaves) EXPECT_LT(magnitude(network.apart(slave)), 10us);
    EXPECT_FALSE(network.master->must_resign());
    network.enthrone();  // the next master counts on
    EXPECT_EQ(network.master->date_changes(), 1u);
}

TEST(Master, members_that_have_not_heard_of_a_date_change_do_not_take_it_back) {
    Network network;
    network.add(2, 30ms, ppm(10));
    network.add(3, -20ms, ppm(-20));
    network.run(20s);
    const Time before = network.keeper.read(network.raw());
    for (const Duration by : {-1h, +2h}) {  // after the first the time is established everywhere
        network.master->change_date(network.raw(), by);
        network.master->decide(network.raw(), network.keeper);
        for (auto& slave : network.slaves) network.probe(slave);
        EXPECT_EQ(network.master->clocks(), 3u) << "as soon as they have heard";
        network.run(2s);
    }
    EXPECT_LT(magnitude(network.keeper.read(network.raw()) - before - 1h - 4s), 1ms);
    for (const auto& slave : network.slaves) EXPECT_LT(magnitude(network.apart(slave)), 10us);
}

}  // namespace master_test
}  // namespace conclave::clock
