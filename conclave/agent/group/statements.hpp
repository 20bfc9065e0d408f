// What each member says of itself and its leader when it is asked: conclave status --all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conclave/agent/node_view.hpp"

namespace conclave::agent {

struct Statement {
    std::string name{};
    bool answered = false;  // since everybody was asked; else the rest is empty
    std::string leader{};   // empty: it knows of none
    std::string version{};  // of its program
    std::vector<std::string> hears{};
    std::vector<std::string> members{};  // of the group, as it knows them; empty: not yet
    bool witness = false, healthy = true, paused = false;
    Duration uptime_ns{};
};

// One for each member of the roster, this node's own included. `asked`: when everybody was asked.
std::vector<Statement> statements_of(const NodeView& node, Time asked);

// Where the statements contradict each other, a sentence each: about the leader, about the members,
// about who is up. `detect`: the group's detection time.
std::vector<std::string> disagreements_of(const std::vector<Statement>& statements,
                                          Duration detect);

// A line each, without the last line's end; then their disagreements.
std::string to_text(const std::vector<Statement>& statements, Duration detect);

}  // namespace conclave::agent
