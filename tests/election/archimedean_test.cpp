#include "conclave/election/archimedean.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace archimedean_test {

using Wakeup = Archimedean::Wakeup;
using Election = Archimedean::Election;
using Sleepwell = Archimedean::Sleepwell;
using Unit = Archimedean::Unit;
using State = Archimedean::State;
using namespace std::chrono_literals;

struct Third : Actor<Archimedean> {  // processor 3 of 9
    Third() : Actor<Archimedean>(3, 9) {}
    Lines at(Duration time, const auto& event) {
        now = time;
        return after(event, 2);
    }
};

TEST(Archimedean, wakes_its_neighbour_and_sends_its_name_a_unit_later) {
    Third three;
    EXPECT_EQ(three.at(5ms, Call{}), (Lines{"Set(Unit, 1ms)", "Send(4, Wakeup)"}));
    EXPECT_EQ(three.at(6ms, Unit{}), Lines{"Send(4, Election(3))"});
    EXPECT_EQ(three.at(7ms, Call{}), Lines{});
}

TEST(Archimedean, is_woken_by_a_wakeup_once) {
    Third three;
    EXPECT_EQ(three.at(5ms, Wakeup{}), (Lines{"Set(Unit, 1ms)", "Send(4, Wakeup)"}));
    EXPECT_EQ(three.at(5500us, Wakeup{}), Lines{}) << "and it costs no unit";
    EXPECT_EQ(three.at(6ms, Unit{}), Lines{"Send(4, Election(3))"});
}

TEST(Archimedean, waits_f_before_its_own_message_when_it_is_told_to) {
    Third three;
    three.settings.first = Archimedean::First::f;
    EXPECT_EQ(three.at(0ms, Call{}).front(), "Set(Unit, 8ms)");
}

TEST(Archimedean, keeps_a_lower_message_for_f_units_from_the_end_of_the_unit) {
    Third three;
    three.at(0ms, Call{});
    three.at(1ms, Unit{});
    EXPECT_EQ(three.at(2300us, Election{2}), Lines{"Set(Unit, 700us)"});
    EXPECT_EQ(three.at(3ms, Unit{}), Lines{"Set(Unit, 4ms)"});
    EXPECT_EQ(three.at(7ms, Unit{}), Lines{"Send(4, Election(2))"});
}

TEST(Archimedean, reads_a_message_that_comes_at_the_end_of_a_unit_in_that_unit) {
    Third three;
    three.at(0ms, Call{});
    three.at(1ms, Unit{});
    EXPECT_EQ(three.at(2ms, Election{2}), Lines{"Set(Unit, 0s)"});
    EXPECT_EQ(three.at(2ms, Unit{}), Lines{"Set(Unit, 4ms)"});
}

TEST(Archimedean, destroys_a_higher_message_and_lets_the_timer_run_on) {
    Third three;
    three.at(0ms, Call{});
    three.at(1ms, Election{2});
    three.at(1ms, Unit{});  // 2 leaves at 5
    EXPECT_EQ(three.at(1500us, Election{7}), Lines{"Set(Unit, 500us)"});
    EXPECT_EQ(three.at(2ms, Unit{}), Lines{"Set(Unit, 3ms)"});
    EXPECT_EQ(three.at(5ms, Unit{}), Lines{"Send(4, Election(2))"});
}

TEST(Archimedean, destroys_the_message_it_keeps_when_a_lower_one_overtakes_it) {
    Third three;
    three.at(0ms, Call{});
    three.at(1ms, Election{2});
    three.at(1ms, Unit{});
    three.at(4500us, Election{1});
    EXPECT_EQ(three.at(5ms, Unit{}), Lines{"Set(Unit, 2ms)"}) << "2 would have left now";
    EXPECT_EQ(three.at(7ms, Unit{}), Lines{"Send(4, Election(1))"});
}

TEST(Archimedean, does_not_send_its_own_name_when_a_lower_one_is_there_first) {
    Third three;
    three.at(0ms, Call{});
    three.at(500us, Election{1});
    EXPECT_EQ(three.at(1ms, Unit{}), Lines{"Set(Unit, 2ms)"});
}

TEST(Archimedean, reads_one_message_in_each_unit) {
    Third three;
    three.at(0ms, Call{});
    three.at(1ms, Unit{});
    three.at(1100us, Election{9});
    three.at(1200us, Election{8});
    EXPECT_EQ(three.at(1300us, Election{1}), Lines{});
    EXPECT_EQ(three.node.longest, 3u);
    EXPECT_EQ(three.at(2ms, Unit{}), Lines{"Set(Unit, 1ms)"});
    EXPECT_EQ(three.at(3ms, Unit{}), Lines{"Set(Unit, 1ms)"});
    EXPECT_EQ(three.at(3ms, Election{7}), Lines{}) << "this unit has had its message";
    EXPECT_EQ(three.at(4ms, Unit{}), Lines{"Set(Unit, 1ms)"});
    EXPECT_EQ(three.node.k, 1u);
}

TEST(Archimedean, leads_when_its_own_name_comes_home_and_falls_asleep) {
    Third three;
    three.at(0ms, Call{});
    three.at(1ms, Unit{});
    three.at(9500us, Election{3});
    EXPECT_EQ(three.at(10ms, Unit{}), (Lines{"Follow(3)", "Send(4, Sleepwell)"}));
    EXPECT_EQ(three.at(11ms, Sleepwell{}), Lines{}) << "the election is finished";
}

TEST(Archimedean, follows_the_lowest_name_it_saw_when_sleepwell_comes) {
    Third three;
    three.at(0ms, Call{});
    three.at(1ms, Election{2});
    three.at(1ms, Unit{});
    three.at(2ms, Sleepwell{});
    EXPECT_EQ(three.at(2ms, Unit{}), (Lines{"Follow(2)", "Send(4, Sleepwell)"}));
    EXPECT_EQ(three.node.state, State::asleep);
}

TEST(Archimedean, ignores_names_while_it_sleeps) {
    Third three;
    EXPECT_EQ(three.at(0ms, Election{2}), Lines{});
    EXPECT_TRUE(three.node.queue.empty());
}

TEST(Archimedean, may_be_told_that_reading_a_wakeup_takes_a_unit_in_which_the_timer_stands) {
    Third three;
    three.settings.wakeups = Archimedean::Wakeups::read;
    three.at(0ms, Call{});
    EXPECT_EQ(three.at(500us, Wakeup{}), Lines{});
    EXPECT_EQ(three.at(1ms, Unit{}), Lines{"Set(Unit, 1ms)"});
    EXPECT_EQ(three.at(2ms, Unit{}), Lines{"Send(4, Election(3))"});
}

TEST(Archimedean, that_wakes_late_from_a_pause_counts_from_then) {
    Third three;
    three.at(0ms, Call{});
    three.at(1ms, Unit{});
    three.at(1500us, Election{2});
    EXPECT_EQ(three.at(10200us, Unit{}), Lines{"Set(Unit, 3.8ms)"}) << "unit 10, and 4 more";
}

TEST(Archimedean, makes_up_for_what_it_missed_in_a_pause) {
    Third three;
    three.at(0ms, Call{});
    three.at(1ms, Election{2});
    three.at(1ms, Unit{});  // 2 leaves at 5
    three.at(1500us, Election{9});
    EXPECT_EQ(three.at(10500us, Election{8}), Lines{"Set(Unit, 0s)"}) << "not a time that is over";
    EXPECT_EQ(three.at(10500us, Unit{}), (Lines{"Set(Unit, 500us)", "Send(4, Election(2))"}));
}

TEST(Archimedean, names_may_begin_elsewhere_than_at_1) {
    Third three;
    three.settings.lowest = 100;
    three.at(0ms, Call{});
    EXPECT_EQ(three.at(1ms, Unit{}), Lines{"Send(4, Election(102))"});
    three.at(2ms, Election{102});
    EXPECT_EQ(three.at(2ms, Unit{}).front(), "Follow(3)");
}

TEST(Archimedean, knows_the_functions_of_the_paper) {
    const auto wait = [](std::uint32_t i, std::uint32_t j, const Archimedean::Settings& with) {
        return Archimedean::wait_of(i, j, with);
    };
    Archimedean::Settings with;
    EXPECT_EQ(wait(5, 3, with), 8u);
    with.scale = 10;
    EXPECT_EQ(wait(5, 3, with), 80u);
    with = {.base = 20};
    EXPECT_EQ(wait(5, 2, with), 400u);
    with = {.f = Archimedean::Growth::root};
    EXPECT_EQ(wait(5, 4, with), 8u);
    with = {.f = Archimedean::Growth::pair};
    EXPECT_EQ(wait(5, 5, with), 1u);
    EXPECT_EQ(wait(5, 4, with), 0u);
    EXPECT_EQ(wait(5, 8, with), 8u);
    with = {.digits = true};
    EXPECT_EQ(wait(5, 3, with), 16u);
}

TEST(Archimedean, a_wait_of_nothing_sends_at_once_or_as_printed_never) {
    for (const auto zero : {Archimedean::Zero::at_once, Archimedean::Zero::printed}) {
        Third three;
        three.settings.f = Archimedean::Growth::pair;
        three.settings.zero = zero;
        three.at(0ms, Call{});
        three.at(1ms, Unit{});
        three.at(2ms, Election{1});
        EXPECT_EQ(three.at(2ms, Unit{}),
                  zero == Archimedean::Zero::at_once ? Lines{"Send(4, Election(1))"} : Lines{});
    }
}

TEST(Archimedean, counts_a_digit_as_a_bit) {
    EXPECT_EQ(Wakeup{}.bits(), 1u);
    EXPECT_EQ(Sleepwell{}.bits(), 1u);
    EXPECT_EQ(Election{6}.bits(), 2u);
    EXPECT_EQ(Election{7}.bits(), 3u);
}

TEST(Archimedean, never_sets_a_timer_beyond_the_ceiling) {
    Actor<Archimedean> last(99, 99);
    last.settings.first = Archimedean::First::f;
    EXPECT_EQ(last.after(Call{}), Lines{"Send(1, Wakeup)"});
}

// ---------------------------------------------------------------- whole rings

// Waking later than this could come after falling asleep: see the paper test.
Scenario archimedean_ring(std::uint64_t seed) {
    Scenario scenario = random_ring(seed);
    for (auto& call : scenario.calls) call.at = Time{call.at.count() % 1'000'000};
    for (std::uint32_t id = 1; id <= scenario.nodes; ++id)
        scenario.node_clocks.push_back({Id{id}, {}, 0, 1 + mix(seed, id) % 10});
    return scenario;
}

TEST(Archimedean, elects_the_lowest_in_a_thousand_random_rings) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Scenario scenario = archimedean_ring(seed);
        if (seed % 2 == 0) scenario.settings.push_back({"first", "f"});
        if (seed % 3 == 0) scenario.settings.push_back({"f", seed % 9 == 0 ? "pair" : "root"});
        if (seed % 5 == 0) scenario.settings.push_back({"lowest", "4"});
        const Outcome outcome = run("archimedean", scenario);
        expect_good(outcome);
        EXPECT_EQ(outcome.leader, Id{1});
        EXPECT_EQ(sent(outcome, "Wakeup"), scenario.nodes);
        EXPECT_EQ(sent(outcome, "Sleepwell"), scenario.nodes);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Archimedean, drifting_clocks_change_nothing_in_who_wins) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Scenario scenario = archimedean_ring(seed);
        scenario.node_clocks.clear();
        scenario.clocks = {.offset = 1s, .drift_ppb = 200'000'000, .wander_ppb = 1'000'000};
        expect_good(run("archimedean", scenario));
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Archimedean, a_hundred_thousand_processors_are_no_trouble) {
    const Outcome outcome = run("archimedean", ring_of(100'000, Who::all));
    expect_good(outcome);
    EXPECT_LE(outcome.messages, 500'000u);
    EXPECT_LE(outcome.events, 2'000'000u) << "timers are set, not ticked";
}

TEST(Archimedean, the_judge_accepts_no_other_than_the_lowest) {
    Scenario scenario = ring_of(3, Who::all, How::ascending);
    scenario.settings = {{"zero", "printed"}, {"f", "pair"}};
    EXPECT_EQ(run("archimedean", scenario).end, Outcome::End::leaderless);
}

}  // namespace archimedean_test
}  // namespace conclave
