// M1, M2: the multicast-based election, side by side with bully.
#include <array>

#include "conclave/claims/bully/bully_rows.hpp"
#include "conclave/claims/measuring.hpp"

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

// ---------------------------------------------------------------- M1

namespace {

constexpr std::array variants{"all", "timeout", "disagree", "bully"};

Scenario all_call(std::uint32_t nodes) {
    Scenario scenario;
    scenario.nodes = nodes;
    scenario.initiators.who = Initiators::Who::all;
    return scenario;
}

// In ascending order the best speaks last, so that nobody's question comes behind its news.
bool costs_as_stated(std::uint32_t n, std::string& table) {
    Scenario scenario = all_call(n);
    scenario.order.how = simulator::Order::How::ascending;
    const std::uint64_t pairs = std::uint64_t{n} * (n - 1);
    const std::array expected{2 * pairs + n - 1, 2 * pairs + n - 1, pairs + pairs / 2 + n - 1,
                              pairs + n - 1};
    bool holds = true;
    table += (table.empty() ? "N=" : "; N=") + std::to_string(n) + ":";
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const Outcome outcome = run_variant(scenario, variants[i]);
        holds = holds && ends_well(outcome) && outcome.copies == expected[i];
        table += " " + std::to_string(outcome.copies);
        for (std::uint32_t caller = 1; caller <= n; ++caller) {
            Scenario one = scenario;
            one.initiators = {Initiators::Who::listed, {Id{caller}}};
            const Outcome called = run_variant(one, variants[i]);
            holds = holds && ends_well(called) && called.leader == Id{n};
        }
    }
    return holds;
}

struct Orders {
    std::uint64_t runs = 0, more = 0;      // where bully takes more than the first variant
    std::array<Estimate, 4> copies, late;  // at equal delays; at delays that differ
    bool good = true;
};

void try_orders(std::uint64_t seed, Orders& orders) {
    Scenario equal = all_call(8), unequal = all_call(8);
    equal.seed = unequal.seed = seed;
    unequal.delay = {simulator::Delay::Shape::uniform, 0ms, 1ms};
    std::uint64_t first = 0;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const Outcome in_step = run_variant(equal, variants[i]),
                      at_random = run_variant(unequal, variants[i]);
        orders.good = orders.good && ends_well(in_step) && ends_well(at_random);
        orders.copies[i].add(static_cast<double>(in_step.copies));
        orders.late[i].add(static_cast<double>(at_random.copies));
        if (i == 0) first = in_step.copies;
        if (i == 3) orders.more += in_step.copies > first;
    }
    ++orders.runs;
}

}  // namespace

Result compare_multicast(const Effort& effort) {
    bool holds = true;
    std::string table;
    for (const std::uint32_t n : {3u, 5u, 8u, 20u}) holds = costs_as_stated(n, table) && holds;
    Orders orders;
    for (std::uint64_t seed = 1; seed <= effort.runs(2'000); ++seed) try_orders(seed, orders);
    const auto& late = orders.late;
    holds = holds && orders.good && orders.more > 0 && orders.more < orders.runs &&
            late[0].mean() > late[2].mean() && late[2].mean() > late[3].mean();
    Scenario shown = all_call(3);
    shown.algorithm = "bully";
    shown.order = {simulator::Order::How::listed, {Id{2}, Id{3}, Id{1}}};
    return {.status = holds ? Status::pass : Status::fail,
            .expected =
                "\"Can we improve on this?\"; ours: 2N(N-1)+N-1, the same, "
                "3N(N-1)/2+N-1, bully N(N-1)+N-1 where all call and the highest calls last",
            .measured = table +
                        "; but in random order bully takes more than the first variant in " +
                        out_of(orders.more, orders.runs) + " runs (N=8, mean " +
                        orders.copies[3].text() + " for " + orders.copies[0].text() +
                        "); with delays up to T the means are " + late[0].text(0) + ", " +
                        late[1].text(0) + ", " + late[2].text(0) + ", bully " + late[3].text(0),
            .unit = "messages, every copy counted",
            .evidence =
                "Nobody is dead, all N call at once; variants: all agree, or time is up, only "
                "disagreement. With every single caller, too, all elect N. The formulas need that "
                "no question comes behind the best one's news: in bully it announces itself at "
                "once, and who is asked after it has heard that calls again. Seeds 1 to " +
                std::to_string(orders.runs) + ".",
            .exhibits = {show("P1's question reaches P2 just behind the news of P3", shown)}};
}

// ---------------------------------------------------------------- M2

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
            .exhibits = {show_smallest("The caller waits for the agreement of one that is dead",
                                       waiting_for_the_dead())}};
}

}  // namespace conclave::claims
