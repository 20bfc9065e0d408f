#include "conclave/claims/tables.hpp"

#include <algorithm>
#include <map>

#include "conclave/claims/limits/breaches.hpp"
#include "conclave/claims/measuring.hpp"

namespace conclave::claims {

namespace {

using namespace std::chrono_literals;
using simulator::Engine;
using simulator::Initiators;
using simulator::Order;
using simulator::Outcome;
using simulator::Scenario;

constexpr std::uint64_t orders = 100;       // of eight processes
constexpr std::uint64_t breach_runs = 100;  // for each algorithm and breach

// The cost of one way of calling, over all orders.
struct Cost {
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
    Estimate messages, bits, time;
    bool good = true;
};

// An algorithm that never falls quiet is counted until everybody knows the leader.
Outcome elect_once(Scenario scenario) {
    Outcome outcome = run_named(scenario);
    if (outcome.quiet || !ends_well(outcome)) return outcome;
    scenario.until = outcome.turnaround;
    return run_named(scenario);
}

Cost measure_cost(const Engine& engine, Initiators::Who who) {
    Cost cost;
    const Time enough = patient_end(engine);
    for (std::uint64_t seed = 1; seed <= orders; ++seed) {
        Scenario scenario;
        scenario.algorithm = engine.card->name;
        scenario.nodes = 8;
        scenario.seed = seed;
        scenario.initiators.who = who;
        scenario.order.how = seed == 1   ? Order::How::ascending
                             : seed == 2 ? Order::How::descending
                                         : Order::How::random;
        scenario.until = enough;
        const Outcome outcome = elect_once(scenario);
        cost.good = cost.good && ends_well(outcome);
        cost.least = std::min(cost.least, outcome.copies);
        cost.most = std::max(cost.most, outcome.copies);
        cost.messages.add(static_cast<double>(outcome.copies));
        cost.bits.add(static_cast<double>(outcome.bits));
        cost.time.add(static_cast<double>(outcome.turnaround.count()) / 1e6);
    }
    return cost;
}

std::string cost_row(const Engine& engine) {
    using Who = Initiators::Who;
    const Cost first = measure_cost(engine, Who::first), best = measure_cost(engine, Who::best),
               last = measure_cost(engine, Who::last), all = measure_cost(engine, Who::all);
    const auto both = [](const Estimate& one, const Estimate& every) {
        return decimal(one.mean(), 0) + " / " + decimal(every.mean(), 0);
    };
    const bool good = first.good && best.good && last.good && all.good;
    return std::to_string(std::min({first.least, best.least, last.least, all.least})) + " | " +
           both(first.messages, all.messages) + " | " +
           std::to_string(std::max({first.most, best.most, last.most, all.most})) + " | " +
           both(first.bits, all.bits) + " | " + both(first.time, all.time) +
           (good ? "" : ", and sometimes nobody is elected");
}

using Broken = std::map<std::string_view, std::vector<std::string>>;  // algorithm: breach by breach

std::string tolerated(const std::vector<std::string>& broken) {
    std::string list;
    for (std::size_t i = 1; i < broken.size(); ++i)
        if (broken[i].empty()) list += (list.empty() ? "" : ", ") + std::string(breaches()[i].name);
    return list.empty() ? "nothing" : list;
}

std::string cost_table(const Broken& broken) {
    std::string table =
        "| | messages: least | mean | most | bits | time | as stated | assumes | tolerates |\n"
        "|---|---|---|---|---|---|---|---|---|\n";
    for (const Engine& engine : simulator::engines())
        table += "| `" + std::string(engine.card->name) + "` | " + cost_row(engine) + " | " +
                 std::string(engine.card->messages) + " | " + std::string(engine.card->assumes) +
                 " | " + tolerated(broken.at(engine.card->name)) + " |\n";
    return table;
}

std::string breach_table(const Broken& broken) {
    std::string head = "| | promised |", rule = "|---|---|", body;
    for (const Breach& breach : breaches()) {
        head += " " + std::string(breach.name) + " |";
        rule += "---|";
    }
    for (const Engine& engine : simulator::engines()) {
        const Promises& promises = engine.card->promises;
        body += "| `" + std::string(engine.card->name) + "` | " + (promises.one_leader ? "T" : "") +
                "S" + (promises.best ? "W" : "") + (promises.informed ? "N" : "") + " |";
        for (const std::string& letters : broken.at(engine.card->name))
            body += " " + (letters.empty() ? "·" : letters) + " |";
        body += "\n";
    }
    return head + "\n" + rule + "\n" + body;
}

std::string table_legend() {
    std::string list = "| breach | what happens |\n|---|---|\n";
    for (const Breach& breach : breaches())
        list += "| " + std::string(breach.name) + " | " + std::string(breach.what) + " |\n";
    return list;
}

}  // namespace

std::string algorithm_tables() {
    Broken broken;
    for (const Engine& engine : simulator::engines())
        for (const Breach& breach : breaches())
            broken[engine.card->name].push_back(broken_by(engine, breach, breach_runs));
    return "## What an election costs\n\n"
           "Eight processes, none failed, every delay T. Least and most over " +
           std::to_string(orders) +
           " orders of the processes, where\nthe first calls, the best, the one behind the best, "
           "or all. Means: one calls / all call. Every copy of a\nmessage counts, but the bits "
           "of a broadcast once. Time is in units of T.\n\n" +
           cost_table(broken) +
           "\n## Whose breach breaks what\n\nFive processes, delays of 0.1 to 0.5 ms, " +
           std::to_string(breach_runs) +
           " runs for each cell; the breach comes while the\nelection is under way. **T**: two "
           "lead at once; **S**: two are followed in the end; **W**: a worse one\nis elected; "
           "**N**: in the end somebody follows nobody, or the dead; **O**: something of its own, "
           "such\nas two decisions; ·: nothing broke. Only what is promised is asked for.\n\n" +
           breach_table(broken) + "\n" + table_legend();
}

}  // namespace conclave::claims
