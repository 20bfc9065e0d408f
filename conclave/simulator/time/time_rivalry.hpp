// The behaviour of masters that meet in a run: each asks its clock::Master, as the daemon does.
#pragma once

#include "conclave/simulator/time/time_election.hpp"
#include "conclave/simulator/time/time_node.hpp"

namespace conclave::simulator {

// One that was elected a moment ago is no clock::Master yet, and gives way.
class TimeRivalry final : public TimeElection::Rivalry {
public:
    TimeRivalry(std::vector<TimeNode>& nodes, const Time& now) : nodes_(nodes), now_(now) {}

    bool gives_way(Id me, Id rival, std::uint32_t clocks) override {
        TimeNode& node = at(me);
        return !node.master || node.master->gives_way_to(rival, clocks, node.oscillator.read(now_));
    }
    bool quits(Id me, Id rival, std::uint32_t clocks) override {
        TimeNode& node = at(me);
        return !node.master || node.master->quits_for(rival, clocks, node.oscillator.read(now_));
    }

private:
    TimeNode& at(Id id) { return nodes_[static_cast<std::uint32_t>(id) - 1]; }

    std::vector<TimeNode>& nodes_;
    const Time& now_;
};

}  // namespace conclave::simulator
