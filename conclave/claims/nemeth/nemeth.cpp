// Németh (1987), "An election algorithm for a multiprocessor controlled digital exchange".
#include <array>
#include <bit>

#include "conclave/claims/claim.hpp"
#include "conclave/claims/nemeth/nemeth_cases.hpp"
#include "conclave/claims/nemeth/nemeth_failures.hpp"
#include "conclave/claims/nemeth/nemeth_runs.hpp"
#include "conclave/claims/nemeth/nemeth_searches.hpp"
#include "conclave/core/check.hpp"
#include "conclave/election/nemeth.hpp"

namespace conclave::claims::exchange {

namespace {

// ---------------------------------------------------------------- N1: the table

struct FirstChoice final : Chance {
    std::uint64_t choose(std::uint64_t) override { return 0; }
};

// Lets event 1 .. 7 happen to node 1 of two in state `in`: the state then, or "!" if it reported.
char cell_of(Nemeth::State in, int event) {
    const std::array ring{Id{1}, Id{2}};
    const std::array<std::uint32_t, 2> place{0, 1};
    const Group group{ring, place, {}};
    FirstChoice chance;
    Rows rows;
    Nemeth::Turn::Effects effects;
    Nemeth node;
    node.state = in;
    node.clock = 5;
    node.candidacy = 3;
    const Nemeth::Settings standard{};
    Nemeth::Turn turn{effects, standard, group, chance, rows, Id{1}, Id{2}, Id{2}, Time{}};
    switch (event) {
        case 1: node.on(Nemeth::LifeTimer{}, turn); break;
        case 2: node.on(Nemeth::Candidate{2}, turn); break;
        case 3: node.on(Nemeth::Candidate{9}, turn); break;
        case 4: node.on(Nemeth::CandidateTimer{}, turn); break;
        case 5: node.on(Nemeth::ElectionTimer{}, turn); break;
        case 6: node.on(Nemeth::Reorganize{7, 1, 0, {}}, turn); break;
        case 7: node.on(Nemeth::ReorganizingTimer{}, turn); break;
        default: check(false, "the events are numbered 1 to 7");
    }
    if (!effects.reports.empty()) return '!';
    return rows.fired == 0 ? '-' : "abcde"[static_cast<std::size_t>(node.state)];
}

Result show_table(const Effort& effort) {
    int equal = 0;
    std::string differ;
    for (std::size_t state = 0; state < 5; ++state)
        for (int event = 1; event <= 7; ++event) {
            const char printed = nemeth::printed[state][static_cast<std::size_t>(2 * event - 2)];
            const char done = cell_of(Nemeth::State(state), event);
            equal += done == printed;
            if (done != printed)
                differ += std::string(" (") + "abcde"[state] + "," + std::to_string(event) + ")";
        }
    const int silent = std::popcount(rows_never_fired(effort));
    return {
        .status = equal == 35 && silent == 0 ? Status::pass : Status::fail,
        .expected = "35 cells as printed, all rows of the table fire",
        .measured = std::to_string(silent) + " of the rows never fire" +
                    (differ.empty() ? "" : "; not as printed:" + differ) + "; as printed are " +
                    std::to_string(equal) + " of 35",
        .unit = "cells",
        .evidence =
            "Each event happened to a node in each state; every run of three nodes of which one "
            "fails and returns was searched for rows that never fire. The two cells marked ! are "
            "ignored and reported; the exhibits reach them with timers or clocks that "
            "break the paper's conditions.",
        .exhibits = {exhibit_of(find_case("candidate-timer-below-k")),
                     exhibit_of(find_case("election-timer-below-T+k"))},
        .plots = {}};
}

constexpr std::array rows{
    Claim{"N1",
          "The state-transition table: states a to e, events 1 to 7; two cells may not occur.",
          "Every event happens to a node in every state. What the node does is compared with the "
          "printed cell, and every row must fire in some run.",
          "conclave sim nemeth --nodes 2 --set candidate-timer=900us --until 8ms", &show_table},
    Claim{"N2", "Constraint A: two nodes are never coordinators at once.",
          "Every run of two to four nodes that start, fail and return is searched, as far as there "
          "are not too many. The shortest runs with two coordinators are shown, with the repair "
          "that prevents each.",
          "conclave check nemeth --timing bounded --ticks 40 --crashes 2 --property one-leader",
          &settle_constraint_a, "nemeth", "clocks life"},
    Claim{"N3", "T > 2k is necessary.",
          "Every run of three nodes is searched with T = k, 2k and 3k. The runs shown reach the "
          "impossible cells and two coordinators.",
          "conclave check nemeth --timing bounded --ticks 30 --set candidate-timer=2ms "
          "--property one-leader",
          &settle_candidate_timer, "nemeth", "clocks"},
    Claim{
        "N4", "t > T + R is necessary; the lower bound of t is 3k.",
        "Every run of three nodes is searched with t = T + k and one tick more; for two nodes the "
        "exact threshold is found, T + k less the least delay. R does not matter.",
        "conclave check nemeth --timing bounded --ticks 30 --set election-timer=4ms "
        "--property one-leader",
        &settle_election_timer, "nemeth", "clocks"},
    Claim{"N5", "Clock 0 on recovery keeps the impossible cells unreachable.",
          "Every run in which nodes fail, or one returns with clock 0 or with the clock it had, is "
          "searched for both cells.",
          "conclave check nemeth --nodes 2 --timing bounded --ticks 30 --crashes 1 --recoveries 1 "
          "--property rows",
          &settle_clocks, "nemeth", "clocks"},
    Claim{"N6", "Constraint B': a coordinator is elected in finite time after the last failure.",
          "Nodes fail for good at random. The longest time from the last failure to the election, "
          "and from there to the last applied configuration, is compared with the bounds.",
          "conclave sim nemeth --nodes 5 --delay 0ms..1ms --crash 1@15ms --crash 3@20ms "
          "--until 60ms --seeds 1..1000",
          &bound_elections, "nemeth", "clocks"},
    Claim{"N7", "The clocks satisfy 9.1 and 9.2.",
          "Nodes fail and return at random. Every timestamp in the trace is compared with those "
          "that its sender had sent and received before.",
          "conclave sim nemeth --nodes 4 --crash 1@20ms --recover 1@40ms --until 60ms "
          "--trace run.txt",
          &order_events, "nemeth", "clocks"},
    Claim{"N8",
          "The coordinator knows all working nodes, and all of them perform its actions or "
          "none does.",
          "One node fails at every moment of a run, also in the midst of sending. Nodes that stay "
          "up must have applied the same configurations.",
          "conclave sim nemeth --nodes 3 --crash 1@5.5ms --until 30ms --trace run.txt",
          &commit_everywhere},
    Claim{"N9", "A silent coordinator and a silent node are both noticed and lead to re-election.",
          "The coordinator or another node fails at random. The time until somebody stands is "
          "compared with the life timer and the life interval.",
          "conclave sim nemeth --nodes 4 --crash 3@20ms --until 60ms", &notice_silence},
    Claim{"N10", "The communication subsystem does not fail (assumption 3).",
          "One candidate message is lost, or the network falls apart for a while. Both leave two "
          "coordinators.",
          "conclave sim nemeth --nodes 4 --partition 1,2/3,4@20ms..40ms --until 80ms",
          &lose_messages},
    Claim{"N11",
          "The proof of constraint A: no event 2 at x between I(x,0) and I(x,0)+T gives "
          "I(y,x) > I(x,0)+T.",
          "Elections among three to six nodes. For every winner x, the candidate messages that "
          "reached it within T of its own are counted: event 2 did not occur, and yet the "
          "inequality is false.",
          "conclave sim nemeth --nodes 2 --until 8ms", &read_proof, "nemeth", "clocks"},
};

}  // namespace

}  // namespace conclave::claims::exchange

namespace conclave::claims {
std::span<const Claim> nemeth_claims() { return exchange::rows; }
}  // namespace conclave::claims
