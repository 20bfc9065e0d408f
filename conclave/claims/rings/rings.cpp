// The rings of Lecture 9 and of the CS425 lecture (2023, Mittal).
#include <array>
#include <cmath>

#include "conclave/claims/rings/ring_runs.hpp"
#include "conclave/claims/rings/rings_cited.hpp"
#include "conclave/simulator/campaign/statistics.hpp"

namespace conclave::claims::rings {

using simulator::Sample;

namespace {

using namespace std::chrono_literals;

// ---------------------------------------------------------------- R1: the list goes round

Result collect_lists(const Effort& effort) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= effort.runs(1000); ++seed) {
        const auto nodes = static_cast<std::uint32_t>(2 + seed % 19);
        Scenario one = ring("ring-collect", nodes, Who::first, How::random, seed);
        Outcome outcome = run_named(one);
        tally.add(outcome.messages == std::uint64_t{2} * nodes && elected(outcome, Id{nodes}), one,
                  outcome);

        const std::uint64_t initiators = draw_initiators(one);
        outcome = run_named(one);
        tally.add(outcome.messages == 2 * initiators * nodes && elected(outcome, Id{nodes}), one,
                  outcome);

        Scenario some_dead = ring("ring-collect", nodes + 3, Who::listed, How::random, seed);
        some_dead.initiators.ids = {Id{1}};
        some_dead.crashes = {{Id{nodes + 3}, {}}, {Id{nodes + 2}, {}}, {Id{2}, {}}};
        outcome = run_named(some_dead);
        tally.add(outcome.messages == std::uint64_t{2} * nodes && elected(outcome, Id{nodes + 1}),
                  some_dead, outcome);
    }
    Scenario dead = ring("ring-collect", 5, Who::listed, How::ascending);
    dead.initiators.ids = {Id{2}};
    dead.crashes = {{Id{5}, {}}};
    Result result = verdict(tally, "2N messages; 2kN from k initiators; N the live nodes",
                            "with exactly so many messages and the highest live node elected",
                            "Rings of 2 to 23 nodes in random order: one initiator, several, and "
                            "one with three nodes dead.");
    result.exhibits = {show("The list skips the dead node 5", dead)};
    return result;
}

// ---------------------------------------------------------------- R2, R3: one initiator

// Every distance from the initiator to the winner, on rings of 1 to `most` nodes.
void try_distances(std::string_view algorithm, std::uint32_t most, Tally& tally) {
    for (std::uint32_t nodes = 1; nodes <= most; ++nodes)
        for (std::uint32_t hops = 0; hops < nodes; ++hops) {
            Scenario scenario = ring(algorithm, nodes, Who::listed, How::ascending);
            scenario.initiators.ids = {Id{nodes - hops}};
            const Outcome outcome = run_named(scenario);
            const std::uint32_t messages = 2 * nodes + hops;
            tally.add(outcome.messages == messages && outcome.turnaround == messages * 1ms &&
                          elected(outcome, Id{nodes}),
                      scenario, outcome);
        }
}

Result basic_distances(const Effort& effort) {
    Tally tally;
    try_distances("ring-basic", effort.quick ? 12 : 40, tally);
    return verdict(tally, "2N+d messages, turnaround as many delays: 2N to 3N-1",
                   "with exactly these",
                   "Every ring size and every distance d from the initiator to the winner.");
}

Result filtered_ring(const Effort& effort) {
    Tally tally;
    try_distances("chang-roberts", effort.quick ? 12 : 40, tally);
    for (std::uint64_t seed = 1; seed <= effort.runs(1000); ++seed) {
        const auto nodes = static_cast<std::uint32_t>(2 + seed % 19);
        Scenario scenario = ring("chang-roberts", nodes, Who::listed, How::random, seed);
        draw_initiators(scenario);
        trace::Trace trace;
        const Outcome outcome = run_named(scenario, &trace);
        const std::string best = "(" + std::to_string(nodes) + ")";
        tally.add(sent(trace, "Election" + best) == nodes &&
                      sent(trace, "Elected" + best) == nodes && sent(outcome, "Elected") == nodes,
                  scenario, outcome);
    }
    return verdict(tally, "2N+d for one initiator; the winner's messages go round once for several",
                   "with exactly these",
                   "Every distance as for the basic ring; then random rings with several "
                   "initiators, whose traces are counted.");
}

// ---------------------------------------------------------------- R4: all initiate

Result all_initiate(const Effort& effort) {
    Tally tally;
    const auto expect = [&](std::uint32_t nodes, How how, std::uint64_t messages) {
        const Scenario scenario = ring("chang-roberts", nodes, Who::all, how);
        const Outcome outcome = run_named(scenario);
        tally.add(outcome.messages == messages && outcome.turnaround == 2 * nodes * 1ms &&
                      elected(outcome, Id{nodes}),
                  scenario, outcome);
    };
    for (std::uint64_t nodes = 1; nodes <= (effort.quick ? 50u : 500u); nodes += 7) {
        expect(static_cast<std::uint32_t>(nodes), How::ascending, 3 * nodes - 1);
        expect(static_cast<std::uint32_t>(nodes), How::descending, nodes * (nodes + 1) / 2 + nodes);
    }
    std::string expected = "3N-1 and N(N+1)/2+N; means", measured;
    bool close = true;
    for (const std::uint32_t nodes : {10u, 100u, 1000u}) {
        Sample messages;
        for (std::uint64_t seed = 1; seed <= effort.runs(3000); ++seed) {
            const Scenario scenario = ring("chang-roberts", nodes, Who::all, How::random, seed);
            const Outcome outcome = run_named(scenario);
            tally.add(outcome.turnaround == 2 * nodes * 1ms, scenario, outcome);
            messages.add(static_cast<std::int64_t>(outcome.messages));
        }
        double harmonic = 0;
        for (std::uint32_t i = nodes; i != 0; --i) harmonic += 1.0 / i;
        const double mean = nodes * harmonic + nodes;
        close = close && std::abs(messages.mean() - mean) <= messages.margin();
        expected += " " + decimal(mean, 1);
        measured += (measured.empty() ? "" : ", ") + decimal(messages.mean(), 1) + " ± " +
                    decimal(messages.margin(), 1);
    }
    Result result = verdict(tally, expected, "messages, for N = 10, 100, 1000",
                            "Best and worst order exactly; the mean over random rings within its "
                            "99 % interval; turnaround always 2N delays.");
    result.measured = "exact in " + tally.text() + "; means " + measured;
    if (!close) result.status = Status::fail;
    return result;
}

// ---------------------------------------------------------------- R5: detectors

Scenario missed_failure() {
    Scenario scenario = ring("repaired-chang-roberts", 3, Who::listed, How::ascending);
    scenario.initiators.ids = {Id{1}};
    scenario.crashes = {{Id{3}, 1500us}};
    scenario.detector.on = true;
    scenario.detector.missed.of_2_32 = std::uint64_t{1} << 32;
    return scenario;
}

Scenario false_alarm() {
    Scenario scenario = ring("repaired-chang-roberts", 3, Who::listed, How::ascending);
    scenario.initiators.ids = {Id{1}};
    scenario.suspicions = {{Id{2}, Id{3}, {500us, never}}};
    return scenario;
}

Result imperfect_detectors(const Effort& effort) {
    Tally repaired, missed, wronged;
    for (std::uint64_t seed = 1; seed <= effort.runs(1000); ++seed) {
        Scenario scenario = dying_ring("repaired-chang-roberts", seed);
        Outcome outcome = run_named(scenario);
        repaired.add(outcome.end == Outcome::End::agreed && outcome.violations.empty(), scenario,
                     outcome);
        scenario = missed_failure();
        scenario.nodes = static_cast<std::uint32_t>(3 + seed % 20);
        scenario.seed = seed;
        outcome = run_named(scenario);
        missed.add(outcome.end == Outcome::End::leaderless && outcome.quiet, scenario, outcome);
        scenario = false_alarm();
        scenario.seed = seed;
        scenario.delay = {simulator::Delay::Shape::uniform, 1ms, 3ms};
        outcome = run_named(scenario);
        wronged.add(outcome.believed[Id{2}] == 2 && !outcome.violations.empty(), scenario, outcome);
    }
    const bool good = repaired.all() && missed.all() && wronged.all();
    return {
        .status = good ? Status::pass : Status::fail,
        .expected = "all; none ever elected; a worse one elected",
        .measured = repaired.text() + "; " + missed.text() + "; " + wronged.text(),
        .unit = "with an accurate, an incomplete and an inaccurate detector",
        .evidence =
            "Accurate: up to four deaths during the run, the best survivor leads. "
            "Incomplete: the message is lost with node 3 and nothing follows. "
            "Inaccurate: 2 takes 3 for dead and is elected, though 3 lives.",
        .exhibits = {show("A failure that the detector misses: nobody is ever elected",
                          missed_failure()),
                     show("A live process taken for dead: a worse one is elected", false_alarm())},
        .plots = {}};
}

// ---------------------------------------------------------------- R8

Result basic_initiators(const Effort& effort) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= effort.runs(1000); ++seed) {
        const auto nodes = static_cast<std::uint32_t>(1 + seed % 20);
        Scenario scenario = ring("ring-basic", nodes, Who::all, How::ascending, seed);
        const std::uint64_t initiators = draw_initiators(scenario);
        std::uint64_t messages = 0;
        for (const Id id : scenario.initiators.ids) messages += 2 * nodes + (nodes - number(id));
        trace::Trace trace;
        const Outcome outcome = run_named(scenario, &trace);
        const std::string best = "Election(" + std::to_string(nodes) + ")";
        tally.add(outcome.messages == messages && sent(trace, best) == initiators * nodes &&
                      sent(outcome, "Elected") == initiators * nodes,
                  scenario, outcome);
    }
    return verdict(tally, "sum of 2N+d; the winner's messages go round k times",
                   "with exactly so many messages",
                   "Rings of 1 to 20 nodes with k initiators at distances d from the winner.");
}

constexpr std::array rows{
    Claim{"R1",
          "A list goes round and the highest on it is elected: 2N messages, 2kN from k concurrent "
          "initiators, who elect the same; failed nodes are skipped.",
          "One initiator, several, and one with dead nodes, on random rings. Messages are counted "
          "and compared exactly.",
          "conclave sim ring-collect --nodes 6 --crash 6@0s --initiators 2", &collect_lists},
    Claim{"R2",
          "Basic ring: one initiator takes 2N+d messages and as long, 2N at best, 3N-1 at worst.",
          "Every distance d from initiator to winner on every ring size.",
          "conclave sim ring-basic --nodes 8 --initiators last", &basic_distances},
    Claim{
        "R3",
        "Chang-Roberts: the same for one initiator; with several, the winner's Election and "
        "Elected go round once only.",
        "Every distance; then several initiators, and the winner's messages counted in the trace.",
        "conclave sim chang-roberts --nodes 8 --initiators 2,5,7", &filtered_ring},
    Claim{"R4",
          "All initiate: 3N-1 messages at best, N(N+1)/2 + N at worst, N*H_N + N on average; "
          "turnaround 2N.",
          "Ascending and descending rings exactly, random rings on average.",
          "conclave sim chang-roberts --nodes 100 --initiators all --seeds 1..1000", &all_initiate},
    Claim{"R5",
          "A failure that the detector misses costs liveness, a false alarm safety; with an "
          "accurate detector the ring is repaired and the run restarts.",
          "The same algorithm with an incomplete, an inaccurate and an accurate detector.",
          "conclave sim repaired-chang-roberts --nodes 3 --order ascending --suspect "
          "2:3@500us..1min --until 50ms",
          &imperfect_detectors},
    Claim{"R6",
          "Franklin takes at most 2N floor(log N) + 3N messages, Hirschberg-Sinclair and "
          "Dolev-Klawe-Rodeh O(N log N); Itai-Rodeh elects without names, in linear time on "
          "average where the ring is synchronous.",
          "Random rings against the bounds; means for the anonymous ring.",
          "conclave sim franklin --nodes 64 --initiators all --seeds 1..100", &compare_cited},
    Claim{"R7",
          "Le Lann unfiltered: kN passes for k initiators, N*N if all start; with the filter it is "
          "Chang-Roberts.",
          "Counted on random rings, with the filter beside Chang-Roberts.",
          "conclave sim le-lann --nodes 10 --initiators all", &pass_all},
    Claim{"R8",
          "Basic ring, k initiators: the sum of 2N+d messages; the winner's Election and Elected "
          "go round k times.",
          "Random initiators; totals and the winner's messages are counted.",
          "conclave sim ring-basic --nodes 8 --initiators 2,5,7", &basic_initiators}};

}  // namespace

}  // namespace conclave::claims::rings

namespace conclave::claims {
std::span<const Claim> ring_claims() { return rings::rows; }
}  // namespace conclave::claims
