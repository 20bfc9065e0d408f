// The stage of a run, on which either way of keeping time plays: the machines, the ways between
// them, the events to come, and the record of what happened.
#pragma once

#include "conclave/core/text.hpp"
#include "conclave/simulator/time/time_agenda.hpp"
#include "conclave/simulator/time/time_node.hpp"
#include "conclave/simulator/time/time_paths.hpp"
#include "conclave/simulator/time/time_run.hpp"

namespace conclave::simulator {

class TimeStage {
protected:
    using What = TimeEvent::What;

    explicit TimeStage(const TimeScenario& scenario)
        : scenario_(scenario), decisions_(scenario.world.seed), paths_(scenario_, decisions_) {}
    ~TimeStage() = default;

    void plan(Duration after, What what, Id node = nobody, Id other = nobody,
              std::uint32_t slot = 0) {
        agenda_.plan({now_ + after, what, node, other, slot});
    }
    TimeNode& at(Id id) { return nodes_[static_cast<std::uint32_t>(id) - 1]; }
    Time raw(TimeNode& node) { return node.oscillator.read(now_); }
    void tell(const std::string& line) {
        outcome_.story.push_back(format_duration(now_) + " " + line);
    }
    void note_step(const TimeNode& node, bool before, Duration by) {
        if (!before || by == Duration{0}) return;
        ++outcome_.steps;
        tell("node " + text(node.id) + " steps by " + format_duration(by));
    }
    // Of the two ways of a probe the one there.
    void launch(const TimePacket& packet) {
        ++outcome_.probes;
        post(packet, packet.master, packet.slave, What::arrive);
    }
    void post(const TimePacket& packet, Id from, Id to, What what) {
        ++outcome_.packets;
        const Time arrives = paths_.carry(from, to, now_);
        if (arrives != never) plan(arrives - now_, what, nobody, nobody, packets_.keep(packet));
    }

    const TimeScenario scenario_;
    Decisions decisions_;
    TimePaths paths_;
    Time now_{};
    std::vector<TimeNode> nodes_;
    TimeAgenda agenda_;
    TimePackets packets_;
    TimeOutcome outcome_;
};

}  // namespace conclave::simulator
