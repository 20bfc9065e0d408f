// Looks at the clocks of a run from outside: how far apart they are, and whether each node's error
// bound holds.
//
// True is the time of the master that reigns, of the one with the most clocks where there are two,
// as real time shows it. A node must have it between the ends of its interval while it trusts its
// clock, and the intervals of two nodes that follow one master must meet, whatever that says.
// Nobody is held to what nobody could know, but such looks are counted by their excuse, and so is
// how often, how long and how far the truth was outside of the bound all the same. Excused is who
// has not heard of the reigning master, or of its last move of the time, for less than ten seconds;
// who was cut off when the network's time was moved; who has no master whose time a sound clock is
// behind, where most of the others stand for the truth; and who had a fault that does not show
// inside a machine. A virtual machine that was paused, or a raw clock that leapt, is excused until
// its master has measured it three times and has been heard since, a master until its slaves have
// been heard ten times each. What may hide in the noise is excused for longer: a rate that changed
// at once for 30 seconds, a leap of less than a millisecond for ten. Slaves of a master to whom
// that happened must agree with each other after five.
#pragma once

#include <map>

#include "conclave/simulator/time/time_node.hpp"
#include "conclave/simulator/time/time_paths.hpp"
#include "conclave/simulator/time/time_run.hpp"

namespace conclave::simulator {

class TimeJudge {
public:
    TimeJudge(const TimeScenario& scenario, const TimePaths& paths)
        : scenario_(scenario), paths_(paths) {}

    void look(Time now, std::span<TimeNode> nodes, TimeOutcome& outcome);

private:
    struct Truth {
        Reigning whose{};
        std::uint32_t clocks = 0, date_changes = 0;
        Duration offset{};  // the network's time minus real time
    };
    struct Claim {
        TimeNode* node;
        std::uint64_t part;
        Duration offset;          // what people see minus real time ...
        clock::ErrorBound bound;  // ... give or take
        bool alone;               // in holdover: a larger side's time is true, wherever that is
    };
    struct Lapse {  // looks on end at a clock that is wrong and excused
        Time since{}, last = never;
    };

    bool is_good(const TimeNode& node, Time now) const;
    std::map<std::uint64_t, Truth> find_truths(Time now, std::span<TimeNode> nodes) const;
    std::vector<Claim> gather(Time now, const Moment& moment, std::span<TimeNode> nodes,
                              BoundsOutcome& bounds) const;
    bool held_to(const Claim& claim, std::uint64_t part, const Truth& truth, Time now);
    void judge(Time now, const std::vector<Claim>& claims,
               const std::map<std::uint64_t, Truth>& truths, TimeOutcome& outcome);
    void compare(Time now, std::span<const TimeNode> nodes, const std::vector<Claim>& claims,
                 TimeOutcome& outcome);
    static Duration beside_the_others(const Claim& claim, const std::vector<Claim>& claims);
    void count(Time now, const Claim& claim, BoundsOutcome& bounds) const;
    void excuse(Time now, const Claim& claim, Excuse why, Duration beyond, TimeOutcome& outcome);
    void note(Time now, const Claim& claim, Duration beyond, const std::string& what,
              TimeOutcome& outcome);

    const TimeScenario& scenario_;
    const TimePaths& paths_;
    // Since when a node follows another master than reigns, or another time of it.
    std::map<Id, std::pair<Reigning, Time>> strangers_;
    std::map<Id, Time> cut_off_;  // since when a node is, from the largest part
    Duration seen_{};             // that part's time minus real time, at the last look
    Time moved_{};                // when that last changed at once
    std::map<Id, Lapse> lapses_;
    std::map<Id, Time> last_noted_;  // an excursion of this node
};

}  // namespace conclave::simulator
