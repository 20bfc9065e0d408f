// The election among time daemons, as those see it: who leads, who follows whom, who is up.
//
// Tempo in a World, unchanged; behind a wall, so that what keeps time compiles without it.
#pragma once

#include <memory>

#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/time_scenario.hpp"

namespace conclave::simulator {

class TimeElection {
public:
    TimeElection(const TimeScenario& scenario, Decisions& decisions);
    ~TimeElection();

    void run_until(Time time);
    // At once, whatever the scenario says.
    void crash(Id id);
    void recover(Id id);

    bool is_up(Id id) const;
    Id leader_of(Id id) const;
    const IdSet& slaves_of(Id master) const;  // whom it has on its list
    std::uint64_t messages() const;           // sent so far

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace conclave::simulator
