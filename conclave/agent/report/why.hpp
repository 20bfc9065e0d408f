// Why the present leader leads, and who led before, in words.
#pragma once

#include <string>

#include "conclave/agent/report/node_status.hpp"

namespace conclave::agent {

struct Candidate {
    std::string name{}, standing{};  // "could stand", or why not
    bool fit = false, leads = false;
    std::uint32_t priority = 0, place = 0;  // in the list of members
};
// The same for programs.
struct Reasons {
    std::string group{}, leader{}, reason{};
    Token token{};
    std::vector<Candidate> candidates{};  // the best first
    std::vector<std::string> promises{};  // to this node, while it stands
    std::uint64_t promised_round = 0;     // by this node
    Duration promised_for_ns{};
    std::vector<TermStatus> terms{};  // the last ones, oldest first
};
Reasons reasons_of(const NodeStatus& status);

// Without the last line's end.
std::string to_reasons(const NodeStatus& status);

}  // namespace conclave::agent
