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

// The world as the inner algorithm sees it, in the middle of the outer turn.
template <class A, class Outer>
typename A::Turn turn_inside(const Outer& outer, const typename A::Turn::Settings& settings) {
    return {outer.effects.inner, settings,   outer.group, outer.chance,     outer.rows, outer.me,
            outer.next,          outer.from, outer.now,   outer.incarnation};
}

// Lets the inner algorithm handle one event; its effects are left in `outer.effects.inner`.
template <class A, class Outer, class Handle>
EffectsOf<A>& inner_turn(A& inner, const typename A::Turn::Settings& settings, Outer& outer,
                         const Handle& handle) {
    outer.effects.inner.clear();
    typename A::Turn turn = turn_inside<A>(outer, settings);
    handle(inner, turn);
    return outer.effects.inner;
}

// Asks of the outer host what the inner algorithm asked for, but for its messages ...
template <class A, class Outer>
void pass_on_unsent(const EffectsOf<A>& effects, Outer& outer) {
    if (effects.leader) outer.follow(*effects.leader);
    for (const TimerChange& change : effects.timers) outer.effects.timers.push_back(change);
    for (const std::string_view report : effects.reports) outer.report(report);
}

// ... and with them: all but what it stores, which the outer algorithm stores together with its
// own.
template <class A, class Outer>
void pass_on(const EffectsOf<A>& effects, Outer& outer) {
    pass_on_unsent<A>(effects, outer);
    for (const auto& send : effects.sends)
        outer.send(send.to, widen<typename Outer::Message>(send.message));
}

}  // namespace conclave
