// Every way of breaking a ring algorithm that the simulator knows is noticed.
#include "tests/mutation/mutants.hpp"

namespace conclave::mutation {
namespace rings_test {

using namespace std::chrono_literals;
using Who = simulator::Initiators::Who;
using How = simulator::Order::How;

// Ends soon after the unbroken algorithm would: a mutant may double its messages at every hop.
Scenario ring(std::uint32_t nodes, Who who, How how = How::ascending, Time until = 30ms) {
    Scenario scenario;
    scenario.nodes = nodes;
    scenario.initiators.who = who;
    scenario.order.how = how;
    scenario.until = until;
    return scenario;
}

bool agreed(const Outcome& outcome, Id leader) {
    return outcome.end == Outcome::End::agreed && outcome.leader == leader &&
           outcome.violations.empty();
}

// All follow the leader, after exactly so many messages.
Promise takes(std::uint64_t messages, Id leader, const Scenario& scenario) {
    return {std::to_string(messages) + " messages", [=](const Simulate& simulate) {
                const Outcome outcome = simulate(scenario);
                return agreed(outcome, leader) && outcome.messages == messages;
            }};
}

TEST(Mutants, of_ring_basic_are_killed) {
    expect_killed("ring-basic", {takes(14, Id{5}, ring(5, Who::last))});
}

TEST(Mutants, of_le_lann_are_killed) {
    expect_killed("le-lann", {takes(25, Id{5}, ring(5, Who::all))});
}

TEST(Mutants, of_ring_collect_are_killed) {
    expect_killed("ring-collect", {takes(10, Id{5}, ring(5, Who::first))});
}

TEST(Mutants, of_franklin_are_killed) {
    Scenario hard = ring(4, Who::all, How::listed);  // two rounds and the last
    hard.order.ids = {Id{1}, Id{3}, Id{2}, Id{4}};
    expect_killed("franklin", {takes(2 * 4 * 2 + 3 * 4, Id{4}, hard)});
}

TEST(Mutants, of_hirschberg_sinclair_are_killed) {
    // Alone awake at first, 4 explores 1, 2 and 4 hops far; the first reply of each is one of two.
    expect_killed("hirschberg-sinclair", {takes(24, Id{4}, ring(4, Who::best))});
}

TEST(Mutants, of_dolev_klawe_rodeh_are_killed) {
    expect_killed("dolev-klawe-rodeh", {takes(16, Id{4}, ring(4, Who::all, How::ascending, 12ms))});
}

TEST(Mutants, of_itai_rodeh_are_killed) {
    Scenario in_step = ring(4, Who::all);
    in_step.settings = {{"timing", "synchronous"}};
    const Promise phases_of_N{"in step: waking, phases with two runners, none and one, the news",
                              [=](const Simulate& simulate) {
                                  const Outcome outcome = simulate(in_step);
                                  return outcome.end == Outcome::End::agreed &&
                                         outcome.violations.empty() && outcome.messages == 20 &&
                                         outcome.ended == 20'500us;
                              }};
    Scenario called_once = ring(4, Who::listed, How::ascending, 10ms);
    called_once.initiators.ids = {Id{2}};
    expect_killed("itai-rodeh", {takes(8, Id{2}, called_once), phases_of_N},
                  {{"never stop Phase", "it never stops one: the last phase sets none"}});
}

TEST(Mutants, of_repaired_chang_roberts_are_killed) {
    Scenario scenario = ring(5, Who::first);
    scenario.crashes = {{Id{5}, 3500us}};
    scenario.detector = {.on = true, .lateness = {.low = 1ms}};
    const Promise survives{"the best survivor leads", [=](const Simulate& simulate) {
                               return agreed(simulate(scenario), Id{4});
                           }};
    expect_killed("repaired-chang-roberts", {survives, takes(10, Id{5}, ring(5, Who::best))});
}

TEST(Mutants, of_archimedean_are_killed) {
    expect_killed("archimedean", {takes(19, Id{1}, ring(5, Who::all))},
                  {{"never stop Unit", "it never stops one: it falls asleep when one has come"}});
}

}  // namespace rings_test
}  // namespace conclave::mutation
