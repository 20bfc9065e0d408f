// The bodies of simulate.hpp, and the engine; included only where an algorithm meets this host.
#pragma once

#include "conclave/core/check.hpp"
#include "conclave/core/count.hpp"
#include "conclave/core/settings.hpp"
#include "conclave/core/table.hpp"
#include "conclave/simulator/engines.hpp"
#include "conclave/simulator/simulate.hpp"
#include "conclave/simulator/storm.hpp"
#include "conclave/simulator/world.hpp"

namespace conclave::simulator {

// Before anybody sets anything.
template <class A>
struct Usual {
    static typename A::Turn::Settings settings() { return {}; }
};

template <class A>
typename A::Turn::Settings settings_of(const Scenario& scenario, std::string& problem) {
    typename A::Turn::Settings settings = Usual<A>::settings();
    for (const auto& [key, value] : scenario.settings) {
        problem = apply_setting(settings, key, value);
        if (!problem.empty()) break;
    }
    return settings;
}

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
    std::string problem;
    const auto settings = settings_of<A>(scenario, problem);
    check(problem.empty(), "settings are checked before a run");
    const auto open = [&](const Scenario& written) {
        return std::make_unique<HostedWorld<A>>(written, settings, decisions, trace);
    };
    return scenario.storm == Duration{0} ? open(scenario) : open(brew(scenario));
}

template <class A>
Outcome simulate(const Scenario& scenario, const Tape& tape) {
    Decisions decisions =
        tape.replay != nullptr ? Decisions::replay(*tape.replay) : Decisions(scenario.seed);
    if (tape.record != nullptr) decisions.record_into(*tape.record);
    if (tape.trace != nullptr)
        tape.trace->title = std::string(A::card.name) + ", " + count_of(scenario.nodes, "node") +
                            ", seed " + std::to_string(scenario.seed);
    return open_world<A>(scenario, decisions, tape.trace)->run();
}

template <class A>
Engine engine_of() {
    using Messages = typename A::Turn::Messages;
    using Timers = typename A::Turn::Timers;
    Engine engine{&A::card,
                  &simulate<A>,
                  &open_world<A>,
                  &settings_problem<A>,
                  describe_settings(typename A::Turn::Settings{}),
                  {Messages::names.begin(), Messages::names.end()},
                  {Timers::names.begin(), Timers::names.end()},
                  !std::is_same_v<typename A::Turn::Stored, Nothing>,
                  {},
                  {}};
    if constexpr (requires { A::rows(); }) {
        for (const auto& row : A::rows()) engine.rows.push_back(row_name(row));
        engine.dot = to_dot(A::rows());
    }
    return engine;
}

}  // namespace conclave::simulator
