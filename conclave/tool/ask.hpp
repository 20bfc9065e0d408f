// The common part of verbs that talk to a running node of this machine.
#pragma once

#include <functional>
#include <string>

#include "conclave/cli/verb.hpp"

namespace conclave::cli {

// Thrown where a node runs, and does not answer. Most verbs let it pass as what it is.
struct Unanswered : Refusal {};

// The node that is asked, as conclave run was told. Empty: run's own default; an empty name is
// enough where one node of the group runs here.
struct Asked {
    std::string group{}, name{}, state{};
    bool json = false;

    // The whole answer. Throws a Refusal when no such node runs here, or it does not answer.
    std::string ask(const std::string& line) const;
    // Every line of it, until `hear` returns false.
    void listen(const std::string& line, const std::function<bool(const std::string&)>& hear) const;
};

template <class Settings>
inline constexpr options::Option<Settings> node_options[] = {
    options::once<&Settings::group, options::Text, Settings>(
        "group", "name of the group, as conclave run was given it", "$CONCLAVE_GROUP")
        .called("NAME"),
    options::once<&Settings::name, options::Text, Settings>(
        "name", "name of the node; needed where several nodes of the group run here")
        .called("NAME"),
    options::once<&Settings::state, options::Path, Settings>(
        "state", "state folder that conclave run was given")
        .called("DIR")
        .with(options::Hint::folder),
    options::flag<&Settings::json, Settings>("json", "print JSON, for programs"),
};

template <class Settings>
inline constexpr options::OptionGroup<Settings> only_node_options[] = {
    {"", node_options<Settings>}};

// A verb with these options and those of its own; variables of the environment count as for run.
template <class Settings>
Verb node_verb(Summary summary, const options::Table<Settings>& table,
               int (*run)(const Settings& settings)) {
    Verb verb = make_verb<Settings>(std::move(summary), table, run);
    verb.run = [read = verb.run](Givens given) {
        const options::Table<Settings> node(only_node_options<Settings>);
        for (options::Given& each : options::read_environment(node.rows()))
            given.push_back(std::move(each));
        return read(std::move(given));
    };
    return verb;
}

// Prints what an order came to, {"done":true,"text":"hands over"} or the text alone; the exit code.
int print_outcome(bool done, const std::string& text, bool json);

}  // namespace conclave::cli
