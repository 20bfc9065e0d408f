// What is different for a lease: nobody else may act anywhere, and who follows whom is a hint.
#pragma once

#include "conclave/lease/guarded.hpp"
#include "conclave/simulator/hosting.hpp"
#include "conclave/simulator/leased.hpp"
#include "conclave/simulator/type_names.hpp"

namespace conclave::simulator {

template <class A>
using Guarded = lease::Guarded<lease::Leased<A>>;

inline Scenario leased_scenario(Scenario scenario) {
    if (scenario.scope == LeaderScope::connected_part) scenario.scope = LeaderScope::overall;
    if (!scenario.checks.agreement) scenario.checks.agreement = false;
    return scenario;
}

template <class A>
Outcome simulate_leased(const Scenario& scenario, const Tape& tape) {
    return simulate<Guarded<A>>(leased_scenario(scenario), tape);
}

template <class A>
std::unique_ptr<AnyWorld> open_leased(const Scenario& scenario, Decisions& decisions,
                                      trace::Trace* trace) {
    return open_world<Guarded<A>>(leased_scenario(scenario), decisions, trace);
}

template <class A>
Engine leased_engine() {
    using Turn = typename Guarded<A>::Turn;
    const auto& messages = distinct_names(typename Turn::Messages{});
    const auto& timers = distinct_names(typename Turn::Timers{});
    return {&Guarded<A>::card,
            &simulate_leased<A>,
            &open_leased<A>,
            &settings_problem<Guarded<A>>,
            describe_settings(usual_settings<Guarded<A>>()),
            {messages.begin(), messages.end()},
            {timers.begin(), timers.end()},
            true,
            {},
            {}};
}

// As an agent sets the times with a heartbeat of 100ms, where members answer within 20ms: the
// election's are tuned, an ask that is not answered is repeated, and a leader that is not heard is
// missed. Only the lease is shorter, for clocks that a storm lets run fast or slow by 3 %.
template <class A>
typename Guarded<A>::Turn::Settings deployed_settings() {
    typename Guarded<A>::Turn::Settings settings{};
    constexpr Duration answer = std::chrono::milliseconds(20);
    tune(settings.lease.inner, answer);
    settings.lease.formed = true;
    settings.lease.preempt = false;
    settings.lease.promise = 4 * settings.lease.heartbeat;
    settings.lease.lease = std::chrono::milliseconds(375);
    settings.lease.repeat = answer;
    settings.silence = settings.lease.promise * 3 / 4;
    settings.queue = 4 * answer;
    return settings;
}

}  // namespace conclave::simulator
