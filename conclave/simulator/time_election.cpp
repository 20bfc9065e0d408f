#include "conclave/simulator/time_election.hpp"

#include "conclave/election/tempo.hpp"
#include "conclave/simulator/simulate.hpp"

namespace conclave::simulator {

namespace {

// Two masters may meet, and resolve it: that is no violation here.
Scenario election_of(const TimeScenario& scenario) {
    Scenario world = scenario.world;
    world.delay = {Delay::Shape::constant, scenario.path, {}};
    world.checks = {false, false, false, false, false};
    return world;
}

}  // namespace

TimeElection::TimeElection(const TimeScenario& scenario, Decisions& decisions)
    : world_(open_world<Tempo>(election_of(scenario), decisions)) {}

void TimeElection::run_until(Time time) { world_->run_until(time); }
void TimeElection::crash(Id id) { world_->act_now({{}, Cue::What::crash, id}); }
void TimeElection::recover(Id id) { world_->act_now({{}, Cue::What::recover, id}); }
bool TimeElection::is_up(Id id) const { return world_->is_up(id); }
Id TimeElection::leader_of(Id id) const { return world_->leader_of(id); }
const IdSet& TimeElection::slaves_of(Id master) const {
    return world_->node<Tempo>(master).algorithm.list;
}
std::uint64_t TimeElection::messages() const { return world_->finish().copies; }

}  // namespace conclave::simulator
