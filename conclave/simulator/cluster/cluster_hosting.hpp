// The differences of a cluster: nobody else may act anywhere, and who follows whom is a hint.
#pragma once

#include "conclave/member/drawn_changes.hpp"
#include "conclave/member/machine.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/simulation_hosting.hpp"
#include "conclave/simulator/type_names.hpp"

namespace conclave::simulator {

inline Scenario cluster_scenario(Scenario scenario) {
    if (scenario.scope == LeaderScope::connected_part) scenario.scope = LeaderScope::overall;
    if (!scenario.checks.agreement) scenario.checks.agreement = false;
    return scenario;
}

template <class Machine>
Outcome simulate_cluster(const Scenario& scenario, const Tape& tape) {
    return simulate<Machine>(cluster_scenario(scenario), tape);
}

template <class Machine>
std::unique_ptr<AnyWorld> open_cluster(const Scenario& scenario, Decisions& decisions,
                                       trace::Trace* trace) {
    return open_world<Machine>(cluster_scenario(scenario), decisions, trace);
}

template <class Machine>
Engine machine_engine() {
    using Turn = typename Machine::Turn;
    const auto& messages = distinct_names(typename Turn::Messages{});
    const auto& timers = distinct_names(typename Turn::Timers{});
    return {&Machine::card,
            &simulate_cluster<Machine>,
            &open_cluster<Machine>,
            &settings_problem<Machine>,
            describe_settings(Usual<Machine>::settings()),
            {messages.begin(), messages.end()},
            {timers.begin(), timers.end()},
            true,
            {},
            {}};
}

// Operators may change its roster, where `founders` says who is in the first one.
template <class A>
using Cluster = member::Machine<member::Member<A>, member::DrawnChanges>;

// As an agent sets the times with a heartbeat of 100ms, where members answer within 20ms: the
// election's are tuned, and an ask that is not answered is repeated. Only the lease is shorter, for
// clocks that a storm lets run fast or slow by 3 %.
template <class A>
struct Usual<member::Machine<member::Member<A>, member::DrawnChanges>> {
    static auto settings() {
        typename Cluster<A>::Turn::Settings settings{};
        auto& lease = settings.agent.lease;
        tune(lease.inner, settings.agent.answer);
        lease.formed = true;
        lease.preempt = false;
        lease.promise = 4 * lease.heartbeat;
        lease.lease = std::chrono::milliseconds(375);
        lease.repeat = settings.agent.answer;
        return settings;
    }
};

template <class A>
Engine cluster_engine() {
    return machine_engine<Cluster<A>>();
}

}  // namespace conclave::simulator
