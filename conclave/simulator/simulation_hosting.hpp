// The bodies of simulate.hpp, and the engine; included only where an algorithm meets this host.
#pragma once

#include "conclave/core/check.hpp"
#include "conclave/core/settings.hpp"
#include "conclave/simulator/campaign/storm.hpp"
#include "conclave/simulator/describe.hpp"
#include "conclave/simulator/simulate.hpp"
#include "conclave/simulator/world/world.hpp"

namespace conclave::simulator {

template <class A>
std::string settings_problem(const Scenario& scenario) {
    std::string problem;
    settings_of<A>(scenario, problem);
    return problem;
}

template <class A>
class HostedWorld final : public AnyWorld {
public:
    HostedWorld(const Scenario& scenario, const typename A::Turn::Settings& settings,
                Decisions& decisions, trace::Trace* trace)
        : AnyWorld(A::card), world_(scenario, settings, decisions, trace) {}

    Outcome run() override { return world_.run(); }
    void run_until(Time time) override { world_.run_until(time); }
    void act_now(const Cue& cue) override { world_.act_now(cue); }
    Outcome finish() override { return world_.finish(); }
    Id leader_of(Id id) const override { return world_.leader_of(id); }
    bool is_up(Id id) const override { return world_.is_up(id); }
    const Group& group() const override { return world_.group(); }

private:
    const void* state_of(Id id) const override { return &world_.node(id); }

    World<A> world_;
};

template <class A>
std::unique_ptr<AnyWorld> open_world(const Scenario& scenario, Decisions& decisions,
                                     trace::Trace* trace) {
    const auto open = [&](const Scenario& written) {
        std::string problem;
        const auto settings = settings_of<A>(written, problem);
        check(problem.empty(), "settings are checked before a run");
        return std::make_unique<HostedWorld<A>>(written, settings, decisions, trace);
    };
    return scenario.storm == Duration{0} ? open(scenario) : open(brew(scenario));
}

template <class A>
Outcome simulate(const Scenario& scenario, const Tape& tape) {
    Decisions decisions = tape.replay != nullptr ? Decisions::replay(*tape.replay)
                                                 : Decisions(scenario.seed, scenario.overrides);
    if (tape.record != nullptr) decisions.record_into(*tape.record);
    if (tape.trace != nullptr) tape.trace->title = title_of(scenario);
    return open_world<A>(scenario, decisions, tape.trace)->run();
}

template <class A>
Engine engine_of() {
    Engine engine = describe_engine<A>();
    engine.simulate = &simulate<A>;
    engine.open_world = &open_world<A>;
    engine.settings_problem = &settings_problem<A>;
    return engine;
}

}  // namespace conclave::simulator
