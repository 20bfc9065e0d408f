// conclave doctor: what is wrong with a node, its neighbours, its network and its machine.
#include <cstdio>

#include "conclave/agent/pace/jitter.hpp"
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/agent/work/guardian_link.hpp"
#include "conclave/core/names.hpp"
#include "conclave/core/text.hpp"
#include "conclave/tool/ask.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

// Containment for the caller's commands; a node of another user may be allowed more or less.
std::string tell_containment() {
    using agent::Contain;
    std::string possible, refused;
    for (const Contain each : {Contain::pid, Contain::user}) {
        const auto refusal = agent::probe_containment(agent::find_guardian(), each);
        if (refusal)
            refused += "; " + *refusal;
        else
            possible += (possible.empty() ? "" : ", ") + std::string(name_of(each));
    }
    if (possible.empty())
        return "conclave run of this user refuses a command without --contain group, which is "
               "weaker: run it as root or allow user namespaces" +
               refused;
    return "commands of this user can be contained by " + possible + refused;
}

// {"well":false,"findings":["..."],"lateness_ns":1,"least_detect_ns":1,"containment":"..."}
void print_json(const std::string& findings, Duration late) {
    std::string list;
    if (!findings.empty())
        for (const std::string_view finding : options::split_text(findings, '\n'))
            list += (list.empty() ? "" : ",") + quote(finding);
    std::printf(
        "{\"well\":%s,\"findings\":[%s],\"lateness_ns\":%s,\"least_detect_ns\":%s,"
        "\"containment\":%s}\n",
        findings.empty() ? "true" : "false", list.c_str(), json(late).c_str(),
        json(agent::least_detect(late)).c_str(), quote(tell_containment()).c_str());
}

// The others have time to answer while this machine's punctuality is measured.
int run(const Asked& asked) {
    asked.ask("question");
    const Duration late = agent::measure_lateness(std::chrono::milliseconds(500));
    const std::string findings = asked.ask("doctor");
    if (asked.json) {
        print_json(findings, late);
    } else {
        std::puts(findings.empty() ? "all is well" : findings.c_str());
        std::printf("this machine wakes a process up to %s late: --detect %s or more can be kept\n",
                    format_duration(agent::rounded(late)).c_str(),
                    format_duration(agent::least_detect(late)).c_str());
        std::puts(tell_containment().c_str());
    }
    return findings.empty() ? Exit::yes : Exit::no;
}

}  // namespace

Verb doctor_verb() {
    return node_verb<Asked>({"doctor",
                             "looks for what is wrong with a node, its peers and its machine; exit "
                             "code 1: something is",
                             {"conclave doctor --group jobs"}},
                            only_node_options<Asked>, run);
}

}  // namespace conclave::cli
