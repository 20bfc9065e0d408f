// M1, M2: the multicast-based election, side by side with bully.
#include <algorithm>

#include "conclave/claims/bully_rows.hpp"
#include "conclave/claims/watching.hpp"

namespace conclave::claims {

namespace {

using namespace std::chrono_literals;
using simulator::Initiators;
using simulator::Outcome;
using simulator::Scenario;

Outcome run_variant(Scenario scenario, const char* variant) {
    if (std::string_view(variant) == "bully") {
        scenario.algorithm = "bully";
    } else {
        scenario.algorithm = "multicast";
        scenario.settings = {{"variant", variant}};
    }
    return run_named(scenario);
}

Scenario waiting_for_the_dead() {
    Scenario scenario;
    scenario.algorithm = "multicast";
    scenario.nodes = 3;
    scenario.order.how = simulator::Order::How::ascending;
    scenario.initiators = {Initiators::Who::listed, {Id{3}}};
    scenario.crashes = {{Id{1}, Time{0}}};
    scenario.settings = {{"variant", "all"}};
    return scenario;
}

}  // namespace

Result compare_multicast(const Effort&) {
    bool holds = true;
    std::string table;
    for (const std::uint32_t n : {3u, 5u, 8u, 20u}) {
        Scenario scenario;
        scenario.nodes = n;
        scenario.initiators.who = Initiators::Who::all;
        const std::uint64_t pairs = n * (n - 1);
        const std::uint64_t first = run_variant(scenario, "all").copies;
        const std::uint64_t second = run_variant(scenario, "timeout").copies;
        const std::uint64_t third = run_variant(scenario, "disagree").copies;
        const std::uint64_t bully = run_variant(scenario, "bully").copies;
        holds = holds && first == 2 * pairs + n - 1 && second == first &&
                third == pairs + pairs / 2 + n - 1 && bully == pairs + n - 1;
        table += (table.empty() ? "" : "; ") + ("N=" + std::to_string(n)) + ": " +
                 std::to_string(first) + ", " + std::to_string(second) + ", " +
                 std::to_string(third) + ", bully " + std::to_string(bully);
        for (std::uint32_t caller = 1; caller <= n; ++caller)
            for (const char* variant : {"all", "timeout", "disagree", "bully"}) {
                scenario.initiators = {Initiators::Who::listed, {Id{caller}}};
                const Outcome outcome = run_variant(scenario, variant);
                holds = holds && ends_well(outcome) && outcome.leader == Id{n};
            }
    }
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "all initiate: 2N(N-1)+N-1, the same, 3N(N-1)/2+N-1; bully N(N-1)+N-1",
            .measured = table,
            .unit = "messages, every copy counted",
            .evidence =
                "Nobody is dead, all N call at once; variants: all agree, or time is up, "
                "only disagreement. With every single caller, too, all variants elect N."};
}

Result wait_for_the_dead(const Effort&) {
    std::uint64_t stuck = 0, ended = 0;
    for (std::uint32_t dead = 1; dead <= 6; ++dead) {
        Scenario scenario;
        scenario.nodes = 6;
        scenario.initiators = {Initiators::Who::listed, {Id{dead == 1 ? 2u : 1u}}};
        scenario.crashes = {{Id{dead}, Time{0}}};
        const Outcome all = run_variant(scenario, "all");
        stuck += all.quiet && all.end == Outcome::End::leaderless;
        for (const char* variant : {"timeout", "disagree"})
            ended += ends_well(run_variant(scenario, variant));
    }
    return {.status = stuck == 6 && ended == 12 ? Status::pass : Status::fail,
            .expected = "no leader, ever, whoever of six is dead; with a timeout always one",
            .measured = "no leader in " + out_of(stuck, 6) + "; with a timeout, a leader in " +
                        out_of(ended, 12),
            .unit = "runs",
            .evidence =
                "The runs of the first variant fall silent: no message is under way and no "
                "timer is set, so nothing can happen any more.",
            .exhibits = {
                show("P3 waits for the agreement of P1, which is dead", waiting_for_the_dead())}};
}

}  // namespace conclave::claims
