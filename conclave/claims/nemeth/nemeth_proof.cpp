// N11: the step of Németh's printed proof that does not follow.
#include <map>

#include "conclave/claims/measuring.hpp"
#include "conclave/claims/nemeth/nemeth_failures.hpp"
#include "conclave/claims/nemeth/nemeth_runs.hpp"

namespace conclave::claims::exchange {

namespace {

using trace::Kind;
using trace::Record;
using trace::Trace;

// Winners of one run, and those among them that heard a candidate message between I(x,0) and
// I(x,0) + T. None of these was event 2, for else x would not have won.
struct Winners {
    std::uint64_t all = 0, addressed = 0;
};

Winners winners_of(const Trace& trace) {
    Winners winners;
    std::map<Id, std::uint64_t> heard;  // candidate messages since it stood
    const auto is_candidate = [](const Record& record) {
        return record.text.starts_with("Candidate(");
    };
    for (const Record& record : trace.records) {
        if (record.kind == Kind::send && record.other == everyone && is_candidate(record))
            heard[record.node] = 0;
        if (record.kind == Kind::arrive && is_candidate(record)) ++heard[record.node];
        if (record.kind != Kind::follow || record.other != record.node) continue;
        ++winners.all;
        winners.addressed += heard[record.node] != 0;
    }
    return winners;
}

}  // namespace

Result read_proof(const Effort& effort) {
    const std::uint64_t runs = effort.runs(2000);
    Winners sum;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Trace trace;
        simulator::Scenario scenario = failing(seed);
        scenario.settings = effort.reading;
        run_named(scenario, &trace);
        const Winners winners = winners_of(trace);
        sum.all += winners.all;
        sum.addressed += winners.addressed;
    }
    simulator::Scenario shown = steady(2);
    shown.until = std::chrono::milliseconds(8);
    shown.settings = effort.reading;
    return {.status = sum.all >= runs && sum.addressed > 0 ? Status::finding : Status::fail,
            .expected =
                "\"event 2 does not occur between time instants I(x,0) and I(x,0) + T ... "
                "Thus I(y,x) > I(x,0) + T (1)\"",
            .measured = std::to_string(sum.addressed) + " of " + std::to_string(sum.all) +
                        " winners had heard a rival within T",
            .unit = "elections",
            .evidence =
                "A rival's message that arrives with a greater timestamp is event 3, on which x "
                "stays a candidate. So of (1) and (2) only the one for the lesser timestamp "
                "follows, and there is no contradiction. The constraint holds all the same: the "
                "proof needs 9.2 and t > T + R (docs/findings/nemeth.md).",
            .exhibits = {show("An ordinary start: 2 is heard by 1 within T, as event 3", shown)},
            .plots = {}};
}

}  // namespace conclave::claims::exchange
