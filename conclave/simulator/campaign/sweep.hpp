// One scenario under many seeds, on all cores; what comes out does not depend on how many there
// are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conclave/simulator/campaign/statistics.hpp"
#include "conclave/simulator/outcome.hpp"
#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::simulator {

struct Seeds {
    std::uint64_t first = 1, last = 1;  // both included
    std::uint64_t count() const { return last - first + 1; }
};

// The summary of all runs.
struct Summary {
    std::string algorithm;
    std::uint32_t nodes = 0;
    Seeds seeds;
    std::uint64_t runs = 0;
    Sample messages, copies, bits, turnaround, ended;
    Sample idle;       // with a lease: as in Outcome
    Duration bound{};  // likewise
    std::map<Outcome::End, std::uint64_t> ends;
    std::map<std::string, std::uint64_t> violated;  // property: in how many runs
    std::uint64_t failures = 0;                     // runs with a violation or without one leader
    std::vector<std::uint64_t> failing;             // the first of their seeds
    std::uint64_t violations = 0;                   // runs with a violation
    std::vector<std::uint64_t> violating;           // the first of their seeds

    void add(const Outcome& outcome);
};

// Every violation counts, and so does having no leader or more than one; but where there is a lease
// somebody works, within the bound, whomever the others follow.
bool succeeded(const Outcome& outcome);

struct SweepPlan {
    Seeds seeds;
    unsigned threads = 1;
    std::function<bool(const Outcome&)> each = {};     // in the order of the seeds; false: stop
    std::function<void(std::uint64_t)> progress = {};  // so many are done
};

// The scenario must be valid.
Summary sweep(const Scenario& scenario, const SweepPlan& plan);

std::string to_json(const Summary& summary);
// A small table for a terminal.
std::string summarise(const Summary& summary);

}  // namespace conclave::simulator
