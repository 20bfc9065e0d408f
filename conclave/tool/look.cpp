// conclave status, members, why, bound: what a node of this machine answers about itself and its
// group.
#include <poll.h>

#include <cstdio>

#include "conclave/agent/report/bound.hpp"
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/core/text.hpp"
#include "conclave/tool/ask.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

// Prints the answer to `line`, or with --json to `json_line`.
template <const char* line, const char* json_line>
int print_answer(const Asked& asked) {
    std::puts(asked.ask(asked.json ? json_line : line).c_str());
    return Exit::yes;
}

constexpr char members_text[] = "members text", members_json[] = "members";
constexpr char why_text[] = "why", why_json[] = "why json";
constexpr char bound_text[] = "bound", bound_json[] = "bound json";

struct StatusAsked : Asked {
    bool all = false;
};
constexpr options::Option<StatusAsked> all_option[] = {
    options::flag<&StatusAsked::all>("all", "ask every member of the group, over the network")};
constexpr options::OptionGroup<StatusAsked> status_groups[] = {
    {"", all_option}, {"the node", node_options<StatusAsked>}};

int print_status(const StatusAsked& asked) {
    if (asked.all) {
        constexpr int patience_ms = 500;  // of the others' answers
        asked.ask("question");
        poll(nullptr, 0, patience_ms);
    }
    const std::string line = asked.all ? "group" : "status";
    std::puts(asked.ask(asked.json ? line : line + " text").c_str());
    return Exit::yes;
}

// Of a node that runs, or of settings that somebody thinks about.
struct BoundAsked : Asked {
    Duration detect{}, heartbeat{};
    std::uint32_t expect = 0;
};
constexpr options::Option<BoundAsked> bound_options[] = {
    options::once<&BoundAsked::detect, options::Span<1>>(
        "detect", "ask no node: compute it for this detection time"),
    options::once<&BoundAsked::heartbeat, options::Span<1>>(
        "heartbeat", "with --detect: time between two renewals", "a quarter of --detect"),
    options::once<&BoundAsked::expect, options::Count<1, 64>>(
        "expect", "with --detect: number of members", "3")};
constexpr options::OptionGroup<BoundAsked> bound_groups[] = {
    {"", bound_options}, {"the node", node_options<BoundAsked>}};

agent::Bound imagined_bound(const BoundAsked& asked) {
    const std::uint32_t members = asked.expect == 0 ? 3 : asked.expect;
    std::vector<options::Given> given{{"group", "any", "--group"},
                                      {"expect", std::to_string(members), "--expect"},
                                      {"detect", format_duration(asked.detect), "--detect"}};
    if (asked.heartbeat != Duration{0})
        given.push_back({"heartbeat", format_duration(asked.heartbeat), "--heartbeat"});
    try {
        return agent::compute_bound(agent::make_config(given, {}), members, "undecided");
    } catch (const agent::ConfigRefusal& refusal) {
        throw Refusal{refusal.sentence};
    }
}

int print_bound(const BoundAsked& asked) {
    if (asked.detect == Duration{0}) {
        if (asked.expect != 0 || asked.heartbeat != Duration{0})
            throw Refusal{"--expect and --heartbeat belong to --detect: give it as well"};
        return print_answer<bound_text, bound_json>(asked);
    }
    const agent::Bound bound = imagined_bound(asked);
    std::puts((asked.json ? json(bound) : to_text(bound)).c_str());
    return Exit::yes;
}

}  // namespace

Verb status_verb() {
    return node_verb<StatusAsked>(
        {"status",
         "prints the state of a node of this machine",
         {"conclave status --group jobs", "conclave status --group jobs --all",
          "conclave status --group jobs --json"}},
        status_groups, print_status);
}

Verb members_verb() {
    return node_verb<Asked>({"members",
                             "lists the members of a group as a node of this machine sees them",
                             {"conclave members --group jobs"}},
                            only_node_options<Asked>, print_answer<members_text, members_json>);
}

Verb why_verb() {
    return node_verb<Asked>(
        {"why",
         "explains the present leader: eligible members, promises, earlier terms",
         {"conclave why --group jobs", "conclave why --group jobs --json"}},
        only_node_options<Asked>, print_answer<why_text, why_json>);
}

Verb bound_verb() {
    return node_verb<BoundAsked>(
        {"bound",
         "computes how long the group may be without a leader, and what that assumes",
         {"conclave bound --group jobs", "conclave bound --detect 2s --expect 5"}},
        bound_groups, print_bound);
}

}  // namespace conclave::cli
