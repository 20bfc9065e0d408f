#include "conclave/agent/report/bound.hpp"

#include <algorithm>

#include "conclave/agent/settings/node_config.hpp"

namespace conclave::agent {

namespace {

constexpr const char* machine_remark =
    "a virtual machine that is paused or restored from a snapshot is covered by the token only: "
    "let whatever the command writes to refuse a lesser one";

constexpr const char* memory_remark =
    "all members were up together once, when the group was new, and whoever has lost its disk has "
    "met all others since";

// Up to a whole millisecond: people read these.
Duration ms_up(Duration span) { return std::chrono::ceil<std::chrono::milliseconds>(span); }
std::string in_ms(Duration span) { return std::to_string(span / std::chrono::milliseconds(1)); }

std::string covers_what(const std::string& containment) {
    if (containment == "pid")
        return "every process of the command, whatever it does, also when agent and guardian are "
               "killed together";
    if (containment == "user")
        return "every process of the command, also when agent and guardian are killed together; "
               "programs that change their user do not work in it";
    if (containment == "group")
        return "every process of the command, unless agent, guardian and the command's first "
               "process are all killed before it has ended, or it runs a program as another user "
               "whom the agent may not kill; after a freeze from outside (docker pause, systemctl "
               "freeze) it may run for a moment; only the token covers these";
    if (containment == "undecided")
        return "what --contain allows, which is found out when it starts";
    return "nothing: there is no command";
}

std::string line(const std::string& what, Duration most, const std::string& remark) {
    std::string number = in_ms(most);
    number.insert(0, number.size() < 7 ? 7 - number.size() : 0, ' ');
    return "\n  " + number + " ms  " + what + (remark.empty() ? "" : " (" + remark + ")");
}

// Until somebody calls an election: as many as may fail, the leader apart, are better than all
// others and do not call. They need not be waited for any longer than until they are suspected.
// With three members there is none such, but the better one may notice a little later than the
// other.
Duration longest_queue(const Config& config, std::uint32_t members) {
    if (members <= 2) return {};
    const std::uint32_t failing = (members - 1) / 2 - 1;
    return std::min(config.queue_time(std::max(failing, 1u)), config.patience());
}

}  // namespace

// A silent leader: its last renewal bound the others for --detect on the slowest clock. They miss
// it after three quarters of that, and elect meanwhile. Should the first ask come a moment before
// the last promise ends, the next follows within a heartbeat.
Bound compute_bound(const Config& config, std::uint32_t members, const std::string& containment) {
    Bound bound{.members = members, .needed = config.no_quorum ? 1 : members / 2 + 1};
    const Duration answer = config.answer();
    const Duration queue = longest_queue(config, members);
    const Duration election = 6 * answer;  // bully's or TEMPO's timers, see election/deployed/
    const Duration promise = config.detect + config.detect * Config::clock_error_ppm / 1'000'000;
    const Duration noticed = config.patience() + queue + election;
    bound.silent_ns = ms_up(std::max(promise, noticed) + config.heartbeat + answer);
    bound.died_ns = ms_up(queue + election + config.heartbeat + 2 * answer);
    bound.handover_ns = ms_up(queue + election + config.heartbeat + 2 * answer);
    bound.restart_ns = ms_up(2 * promise + 3 * config.heartbeat + queue + election);
    bound.stop_ns = ms_up(config.stop_timeout);
    bound.killed_ns = ms_up(config.margin());
    bound.no_quorum = config.no_quorum;
    // Whoever has the lesser token hears the other's next renewal, and stops.
    if (config.no_quorum) bound.overlap_ns = ms_up(config.heartbeat + 2 * answer);
    bound.containment = containment;
    bound.covers = covers_what(containment);
    bound.assumed = {
        std::to_string(bound.needed) + " of " + std::to_string(members) +
            " members are up and connected, one of them healthy and no witness",
        memory_remark,
        "each answers within " + format_duration(answer) + ", and no datagram is lost meanwhile",
        "clocks count on while a machine sleeps, and their rates are within " +
            std::to_string(Config::clock_error_ppm) + " ppm of true",
        "the kernel ends a process that it sends SIGKILL within " +
            format_duration(config.margin()),
        machine_remark};
    return bound;
}

std::string to_text(const Bound& bound) {
    std::string text = "without a leader at most";
    text += line("its leader is cut off or paused, its machine dies, or agent and guardian both do",
                 bound.silent_ns, {});
    text += line("its leader's agent dies, and its guardian lives", bound.died_ns, {});
    text += line("its leader hands over", bound.handover_ns,
                 "and up to " + in_ms(bound.stop_ns) + " ms that the command may take");
    text += line("all nodes start at once", bound.restart_ns, {});
    text += "\ntwo leaders at most";
    text +=
        bound.no_quorum
            ? "\n  as long as members are cut off from each other, for --no-quorum is given, and" +
                  line(
                      "after that", bound.overlap_ns,
                      "and up to " + in_ms(bound.stop_ns) + " ms that the command may take to stop")
            : line("whatever happens, as far as is assumed below", {}, {});
    text += "\ncontainment " + (bound.containment.empty() ? "none" : bound.containment) +
            " ends\n  " + bound.covers;
    text += "\nassumed";
    for (const std::string& each : bound.assumed) text += "\n  " + each;
    return text;
}

}  // namespace conclave::agent
