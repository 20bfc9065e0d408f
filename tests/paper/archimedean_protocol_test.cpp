// Vitányi (1983), section 2: the Protocol, its correctness, and its bounds.
#include "conclave/claims/archimedean/archimedean_runs.hpp"
#include "conclave/simulator/simulation_hosting.hpp"
#include "tests/election/ring_runs.hpp"
#include "tests/paper/archimedean_literal.hpp"

namespace conclave {
namespace archimedean_protocol_test {

using namespace std::chrono_literals;
using claims::archimedes::in_step;
using claims::archimedes::out_of_step;
using claims::archimedes::passes_bound;
using claims::archimedes::settings_of;
using claims::archimedes::study;
using claims::archimedes::Traits;

// 840 is divisible by every slowdown up to 8, so that no clock rounds.
constexpr std::int64_t grain = 840, unit = 840'000;

struct Compared {
    Scenario scenario;
    std::vector<std::int64_t> unit_of;  // by id
};

Compared random_case(std::uint64_t seed) {
    const auto draw = [&](std::uint64_t what, std::uint64_t n) { return mix(mix(seed), what) % n; };
    Compared run{.scenario = ring_of(1 + static_cast<std::uint32_t>(draw(1, 9)), Who::none),
                 .unit_of = {}};
    Scenario& scenario = run.scenario;
    scenario.seed = seed;
    scenario.until = 1000s;
    scenario.settings = {{"unit", "840us"},
                         {"first", draw(2, 2) != 0 ? "one" : "f"},
                         {"f", draw(3, 3) == 0   ? "power"
                               : draw(3, 3) == 1 ? "root"
                                                 : "pair"},
                         {"wakeups", draw(8, 2) != 0 ? "free" : "read"},
                         {"lowest", std::to_string(1 + draw(4, 4))}};
    const std::int64_t delay =
        grain *
        static_cast<std::int64_t>(1 + (draw(5, 3) == 0 ? 1000 * draw(6, 4) : draw(6, 5000)));
    scenario.delay.low = Duration{delay};
    const auto span = static_cast<std::uint64_t>(scenario.nodes * delay / grain + 1);
    for (std::uint32_t id = 1; id <= scenario.nodes; ++id) {
        const std::uint64_t slow = draw(7, 2) == 0 ? 1 : 1 + draw(100 + id, 8);
        run.unit_of.push_back(unit * static_cast<std::int64_t>(slow));
        scenario.node_clocks.push_back({Id{id}, {}, 0, slow});
        if (draw(200 + id, 2) == 0 || id == scenario.nodes)
            scenario.calls.push_back(
                {Id{id}, Time{grain * static_cast<std::int64_t>(draw(300 + id, span))}});
    }
    return run;
}

// "REPEAT IN EACH (LOCAL) TIME UNIT": timers that are set come to the same as units that are
// counted.
TEST(Protocol, set_timers_do_what_counted_units_do) {
    for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto [scenario, unit_of] = random_case(seed);
        const auto settings = settings_of(scenario);
        simulator::Decisions decisions(seed);
        simulator::World<Archimedean> world(scenario, settings, decisions);
        std::vector<std::uint32_t> names;
        std::vector<std::int64_t> units;
        for (const Id id : world.group().ring) {
            names.push_back(static_cast<std::uint32_t>(id) + settings.lowest - 1);
            units.push_back(unit_of[static_cast<std::uint32_t>(id) - 1]);
        }
        LiteralRing literal(settings, scenario.delay.low.count(), names, units);
        for (const auto& call : scenario.calls)
            literal.wake_at(world.group().position(call.node), call.at.count());
        const Outcome outcome = world.run();
        literal.run(scenario.until->count());
        ASSERT_EQ(sent(outcome, "Wakeup"), literal.wakeups);
        ASSERT_EQ(sent(outcome, "Election"), literal.elections);
        ASSERT_EQ(sent(outcome, "Sleepwell"), literal.sleepwells);
        std::uint32_t longest = 0;
        for (std::size_t at = 0; at < names.size(); ++at) {
            const Id id = world.group().ring[at];
            ASSERT_EQ(world.leader_of(id), Id{literal.elected_by(at) - settings.lowest + 1});
            longest = std::max(longest, world.node(id).longest);
        }
        ASSERT_EQ(longest, literal.longest);
    }
}

// "In precisely N message passes of wakeup messages all processors in the ring are awake."
// "Subsequently, l sends a special sleepwell message around."
TEST(Protocol, takes_N_wakeups_and_N_sleepwells_and_elects_the_lowest_whatever_the_clocks) {
    for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto nodes = static_cast<std::uint32_t>(1 + seed % 25);
        const Scenario scenario = out_of_step(nodes, 1 + seed % 50, true, seed, {});
        const Outcome outcome = run("archimedean", scenario);
        expect_good(outcome);
        ASSERT_EQ(outcome.leader, Id{1});
        ASSERT_EQ(sent(outcome, "Wakeup"), nodes);
        ASSERT_EQ(sent(outcome, "Sleepwell"), nodes);
    }
}

// "Hence, the total number of message passes in the system is not greater than (2)."
TEST(Protocol, keeps_to_equation_2_when_the_first_wait_is_f) {
    for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
        const Scenario scenario =
            out_of_step(2 + seed % 30, seed % 3 == 0 ? 9 : 1, seed % 3 != 1, seed,
                        {{"first", "f"},
                         {"f", seed % 2 == 0 ? "power" : "root"},
                         {"lowest", std::to_string(1 + seed % 5)}});
        const Outcome outcome = run("archimedean", scenario);
        EXPECT_LE(static_cast<double>(outcome.messages), passes_bound(scenario)) << seed;
    }
}

TEST(Protocol, breaks_equation_2_with_the_printed_first_wait_but_not_by_more_than_N) {
    Scenario scenario = in_step(4, Who::all, How::listed, 1, {{"lowest", "4"}});
    scenario.order.ids = {Id{3}, Id{1}, Id{4}, Id{2}};
    const auto messages = static_cast<double>(run("archimedean", scenario).messages);
    EXPECT_GT(messages, passes_bound(scenario));
    EXPECT_LE(messages, passes_bound(scenario) + 4);
}

// "Synchronous case ... we can determine the ring size N by the extreme processor l."
TEST(Protocol, the_winner_on_a_synchronous_ring_learns_N) {
    for (std::uint32_t nodes = 1; nodes <= 60; ++nodes) {
        Scenario scenario = in_step(nodes, Who::first, How::random, nodes, {});
        scenario.delay.low = 1ms;
        EXPECT_EQ(study(scenario).learned, nodes);
        scenario.settings = {{"first", "f"}, {"lowest", "5"}, {"hop", "3"}};
        scenario.delay.low = 3ms;
        EXPECT_EQ(study(scenario).learned, nodes);
    }
}

TEST(Protocol, the_winner_does_not_claim_to_know_N_when_time_does_not_tell) {
    Scenario scenario = in_step(7, Who::first, How::random, 1, {});
    scenario.delay.low = 1500us;
    EXPECT_EQ(study(scenario).learned, 0u);
}

// "The method does not need unbounded message queues."
TEST(Protocol, no_message_waits_behind_another_on_a_synchronous_ring) {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        Scenario scenario = in_step(1 + seed % 50, Who::all, How::random, seed, {});
        scenario.delay.low = (seed % 3) * 1ms;
        EXPECT_LE(study(scenario).longest_queue, 1u) << seed;
    }
}

// "It may need message queues."
TEST(Protocol, messages_wait_behind_each_other_where_a_fast_clock_stands_before_a_slow_one) {
    Scenario scenario = in_step(6, Who::all, How::ascending, 1, {});
    EXPECT_EQ(study(scenario).longest_queue, 1u);
    scenario.node_clocks = {{Id{1}, {}, 0, 100}};  // M_6 and M_2 come before its first unit ends
    EXPECT_EQ(study(scenario).longest_queue, 2u);
}

// The one assumption about waking that the correctness needs.
TEST(Protocol, waking_before_sleepwell_is_back_makes_a_loser_consider_itself_elected) {
    Scenario scenario = in_step(2, Who::listed, How::ascending, 1, {});
    scenario.initiators.ids = {Id{1}};
    scenario.delay.low = 500us;
    scenario.calls = {{Id{1}, 4500us}};
    scenario.until = 40ms;
    const Outcome outcome = run("archimedean", scenario);
    ASSERT_FALSE(outcome.violations.empty());
    EXPECT_EQ(outcome.violations.front().property, "one leader");
}

}  // namespace archimedean_protocol_test
}  // namespace conclave
