// What all verbs share that ask a running node something.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "conclave/cli/command.hpp"

namespace conclave::cli {

// Thrown where a node runs, and does not answer. Most verbs let it pass as what it is.
struct Unanswered : Refusal {};

// Which node is asked: --group, --name and --state, as they were given to run.
struct Asked {
    std::optional<std::string> group, name, state;

    void declare(Command& command);
    // The whole answer. Throws a Refusal when no such node runs here, or it does not answer.
    std::string ask(const std::string& line) const;
    // Every line of it, until `hear` returns false.
    void listen(const std::string& line, const std::function<bool(const std::string&)>& hear) const;
};

// For a verb that prints what the node answers to `line`, or with --json to `json_line`.
std::function<int()> print_answer(Command& command, const char* line, const char* json_line);

}  // namespace conclave::cli
