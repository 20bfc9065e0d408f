#include "conclave/simulator/time_election.hpp"

#include "conclave/core/check.hpp"
#include "conclave/core/settings.hpp"
#include "conclave/election/tempo.hpp"
#include "conclave/simulator/world.hpp"

namespace conclave::simulator {

namespace {

TempoSettings settings_of(const Scenario& scenario) {
    TempoSettings settings;
    for (const auto& [key, value] : scenario.settings)
        check(apply_setting(settings, key, value).empty(), "a setting of tempo");
    return settings;
}

// Two masters may meet, and resolve it: that is no violation here.
Scenario election_of(const TimeScenario& scenario) {
    Scenario world = scenario.world;
    world.delay = {Delay::Shape::constant, scenario.path, {}};
    world.checks = {false, false, false, false, false};
    return world;
}

}  // namespace

struct TimeElection::Inside {
    World<Tempo> world;
    Inside(const TimeScenario& scenario, Decisions& decisions)
        : world(election_of(scenario), settings_of(scenario.world), decisions) {}
};

TimeElection::TimeElection(const TimeScenario& scenario, Decisions& decisions)
    : inside_(std::make_unique<Inside>(scenario, decisions)) {}
TimeElection::~TimeElection() = default;

void TimeElection::run_until(Time time) { inside_->world.run_until(time); }
void TimeElection::crash(Id id) { inside_->world.act_now({{}, Cue::What::crash, id}); }
void TimeElection::recover(Id id) { inside_->world.act_now({{}, Cue::What::recover, id}); }
bool TimeElection::is_up(Id id) const { return inside_->world.is_up(id); }
Id TimeElection::leader_of(Id id) const { return inside_->world.leader_of(id); }
const IdSet& TimeElection::slaves_of(Id master) const {
    return inside_->world.node(master).algorithm.list;
}
std::uint64_t TimeElection::messages() const { return inside_->world.finish().copies; }

}  // namespace conclave::simulator
