// The events to come in a run of time daemons, in the order of time.
#pragma once

#include <optional>
#include <queue>

#include "conclave/simulator/time/time_scenario.hpp"

namespace conclave::simulator {

struct TimeEvent {
    enum class What : std::uint8_t {
        watch,
        look,
        probe,
        arrive,
        answer,
        come_back,
        decide,
        adjust,
        obey,
        wake,
        jump,
        date,
        resume,
        breaks
    };
    Time at;
    What what;
    Id node, other;
    std::uint32_t slot;  // of a packet or fault; of a break: seconds for which it may not show
};

// Events planned for the same time happen in the order in which it was planned.
class TimeAgenda {
public:
    void plan(const TimeEvent& event) { entries_.push({event, planned_++}); }
    // Nothing: all that is left comes later than that.
    std::optional<TimeEvent> next(Time until) {
        if (entries_.empty() || entries_.top().event.at > until) return std::nullopt;
        const TimeEvent event = entries_.top().event;
        entries_.pop();
        return event;
    }

private:
    struct Entry {
        TimeEvent event;
        std::uint64_t order;
        bool operator<(const Entry& other) const {
            return event.at != other.event.at ? event.at > other.event.at : order > other.order;
        }
    };

    std::priority_queue<Entry> entries_;
    std::uint64_t planned_ = 0;
};

// For how many seconds a clock that broke may hide in the noise: one that leaps far does not.
inline std::uint32_t hidden_for(const Breakdown& breakdown) {
    if (breakdown.rate.ppt != 0) return 30;
    return clock::magnitude(breakdown.step) < std::chrono::milliseconds(1) ? 10 : 0;
}

// The moments at which clocks break, are set, or go on after their machine stood still.
inline void plan_faults(TimeAgenda& agenda, const TimeScenario& scenario, Time until) {
    using What = TimeEvent::What;
    std::uint32_t slot = 0;
    for (const Jump& jump : scenario.jumps)
        agenda.plan({jump.at, What::jump, jump.node, nobody, slot++});
    slot = 0;
    for (const Jump& date : scenario.dates)
        agenda.plan({date.at, What::date, date.node, nobody, slot++});
    slot = 0;
    for (const Stop& stop : scenario.stops)
        agenda.plan({stop.when.until, What::resume, stop.node, nobody, slot++});
    for (const Breakdown& breakdown : scenario.breakdowns)
        for (Time at = breakdown.at; at <= until; at += breakdown.every) {
            agenda.plan({at, What::breaks, breakdown.node, nobody, hidden_for(breakdown)});
            if (breakdown.every == Duration{0}) break;
        }
}

}  // namespace conclave::simulator
