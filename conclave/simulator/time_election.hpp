// The election among time daemons, as those see it: who leads, who follows whom, who is up.
// Tempo in a World, unchanged.
#pragma once

#include <memory>

#include "conclave/simulator/any_world.hpp"
#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/time_scenario.hpp"

namespace conclave::simulator {

class TimeElection {
public:
    TimeElection(const TimeScenario& scenario, Decisions& decisions);

    void run_until(Time time);
    // At once, whatever the scenario says.
    void crash(Id id);
    void recover(Id id);

    bool is_up(Id id) const;
    Id leader_of(Id id) const;
    const IdSet& slaves_of(Id master) const;  // whom it has on its list
    std::uint64_t messages() const;           // sent so far

private:
    std::unique_ptr<AnyWorld> world_;
};

}  // namespace conclave::simulator
