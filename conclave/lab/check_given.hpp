// The command line of conclave check as it was given, and the question that it asks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conclave/checker/query.hpp"

namespace conclave::cli {

struct CheckGiven {
    std::string algorithm;
    std::optional<std::string> nodes, initiators, order, timing, delay_min, delay_max, rate_max,
        tick, ticks, properties;
    std::optional<std::string> crashes, recoveries, blanks, losses, duplicates, mistakes, calls,
        process_faults, late, late_from, late_until, faults_from, faults_until;
    std::optional<std::string> states_max, time_max, threads, salt, record, graph;
    std::vector<std::string> settings, attributes, traces, broken, fault_kinds, links;
    bool late_all = false, detector = false, start_steps = false, no_reduce = false,
         no_rotate = false, exact = false, json = false;
};

// Throws a Refusal where an option makes no sense, or would make no difference.
checker::Query read_question(const CheckGiven& given);

}  // namespace conclave::cli
