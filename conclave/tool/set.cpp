// conclave set detect, set heartbeat: other times while the group runs.
#include "conclave/agent/group/wish_words.hpp"
#include "conclave/tool/change.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

using DetectSpan = options::Span<member::detect_least.count(), member::detect_most.count()>;
using HeartbeatSpan = options::Span<member::heartbeat_least.count(), member::detect_most.count()>;

constexpr options::Option<Change> detect_options[] = {
    options::argument<&Change::detect, DetectSpan>(
        "DURATION", "time after which every member replaces a silent leader"),
    options::once<&Change::heartbeat, HeartbeatSpan>("heartbeat",
                                                     "time between two renewals of the lease",
                                                     "in proportion to --detect, as it was"),
    wait_option<Change>};
constexpr options::Option<Change> heartbeat_options[] = {
    options::argument<&Change::heartbeat, HeartbeatSpan>(
        "DURATION", "time between two renewals of the lease, at most half of --detect"),
    wait_option<Change>};
constexpr options::OptionGroup<Change> detect_groups[] = {{"", detect_options},
                                                          {"the node", node_options<Change>}};
constexpr options::OptionGroup<Change> heartbeat_groups[] = {{"", heartbeat_options},
                                                             {"the node", node_options<Change>}};

int set_times(const Change& change) {
    std::string what = "set";
    if (change.detect != Duration{0}) what += " detect " + format_duration(change.detect);
    if (change.heartbeat != Duration{0}) what += " heartbeat " + format_duration(change.heartbeat);
    return pursue(change, what);
}

}  // namespace

Verb set_detect_verb() {
    return node_verb<Change>({"set detect",
                              "gives a running group another --detect, on every member at once",
                              {"conclave set detect 2s --group jobs"}},
                             detect_groups, [](const Change& change) {
                                 if (change.detect == Duration{0})
                                     throw Refusal{
                                         "DURATION is missing: say it, as in conclave set detect "
                                         "2s"};
                                 return set_times(change);
                             });
}

Verb set_heartbeat_verb() {
    return node_verb<Change>({"set heartbeat",
                              "gives a running group another --heartbeat, on every member at once",
                              {"conclave set heartbeat 250ms --group jobs"}},
                             heartbeat_groups, [](const Change& change) {
                                 if (change.heartbeat == Duration{0})
                                     throw Refusal{
                                         "DURATION is missing: say it, as in conclave set "
                                         "heartbeat 250ms"};
                                 return set_times(change);
                             });
}

}  // namespace conclave::cli
