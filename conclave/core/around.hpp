// An algorithm around an algorithm: the inner one takes its turn inside the turn of the outer.
//
// The outer algorithm declares its messages and timers as the inner ones followed by its own, and
// its Turn with InnerEffects = the inner Effects, so that every host runs the stack that is
// deployed and no turn allocates.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

template <class A>
using EffectsOf = typename A::Turn::Effects;

// The inner message as a message of the outer algorithm.
template <class Wide, class... Narrow>
Wide widen(const std::variant<Narrow...>& message) {
    return std::visit([](const auto& chosen) { return Wide{chosen}; }, message);
}

// Lets the inner algorithm handle one event; its effects are left in `outer.effects.inner`.
template <class A, class Outer, class Handle>
EffectsOf<A>& inner_turn(A& inner, const typename A::Turn::Settings& settings, Outer& outer,
                         const Handle& handle) {
    EffectsOf<A>& effects = outer.effects.inner;
    effects.clear();
    typename A::Turn turn{effects,  settings,   outer.group, outer.chance, outer.rows,
                          outer.me, outer.next, outer.from,  outer.now};
    handle(inner, turn);
    return effects;
}

// Asks of the outer host what the inner algorithm asked for: all but what it stores, which the
// outer algorithm stores together with its own.
template <class A, class Outer>
void pass_on(const EffectsOf<A>& effects, Outer& outer) {
    if (effects.leader) outer.follow(*effects.leader);
    for (const TimerChange& change : effects.timers) outer.effects.timers.push_back(change);
    for (const auto& send : effects.sends)
        outer.send(send.to, widen<typename Outer::Message>(send.message));
    for (const std::string_view report : effects.reports) outer.report(report);
}

}  // namespace conclave
