// conclave doctor: what is wrong with a node, its neighbours, its network and its machine.
#include <cstdio>
#include <memory>

#include "conclave/agent/config.hpp"
#include "conclave/agent/guard.hpp"
#include "conclave/agent/jitter.hpp"
#include "conclave/core/names.hpp"
#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

// What conclave run could do for whoever asks; a node of another user may be allowed more or less.
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

// The others have time to answer while this machine's punctuality is measured.
int run(const Asked& asked) {
    asked.ask("question");
    const Duration late = agent::measure_lateness(std::chrono::milliseconds(500));
    const std::string findings = asked.ask("doctor");
    if (findings.empty())
        std::puts("all is well");
    else
        std::puts(findings.c_str());
    std::printf("this machine wakes a process up to %s late: --detect %s or more can be kept\n",
                format_duration(agent::rounded(late)).c_str(),
                format_duration(agent::least_detect(late)).c_str());
    std::puts(tell_containment().c_str());
    return findings.empty() ? Exit::yes : Exit::no;
}

std::function<int()> prepare_doctor(Command& command) {
    const auto asked = std::make_shared<Asked>();
    asked->declare(command);
    return [asked] { return run(*asked); };
}

}  // namespace

Verb doctor_verb() {
    return {"doctor",
            "looks for what is wrong around a node; exit code 1: there is something",
            {"conclave doctor --group jobs"},
            &prepare_doctor};
}

}  // namespace conclave::cli
