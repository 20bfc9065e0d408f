// The concept of an algorithm: a plain value, a card, and a handler for every event it
// declares.
#pragma once

#include <concepts>
#include <string_view>

#include "conclave/core/card.hpp"
#include "conclave/core/turn.hpp"

namespace conclave {

template <class A, class Event>
concept Handles =
    requires(A node, const Event& event, typename A::Turn& turn) { node.on(event, turn); };

namespace detail {
template <class A, class List>
inline constexpr bool handles_all = false;
template <class A, class... Events>
inline constexpr bool handles_all<A, Types<Events...>> = (Handles<A, Events> && ...);
}  // namespace detail

template <class A>
using RecoverOf = Recover<typename A::Turn::Stored>;

// Somebody must be able to set it going: it starts by itself, or can be called.
template <class A>
concept Algorithm =
    std::regular<A> && Plain<A> && std::same_as<const Card, decltype(A::card)> &&
    detail::handles_all<A, typename A::Turn::Messages> &&
    detail::handles_all<A, typename A::Turn::Timers> && (Handles<A, Start> || Handles<A, Call>);

// All that can happen to an algorithm after its start: first its messages, then its timers,
// then what the world does to it.
template <class A>
using EventsOf = decltype(typename A::Turn::Messages{} + typename A::Turn::Timers{} +
                          Types<Start, Call, Suspect, Trust, RecoverOf<A>>{});

// Hands an event to the algorithm if it has a handler for it.
template <class A, class Event>
bool offer(A& algorithm, const Event& event, typename A::Turn& turn) {
    if constexpr (Handles<A, Event>) {
        algorithm.on(event, turn);
        return true;
    } else {
        return false;
    }
}

// Hands over a message. Not by std::visit, whose table of functions the compiler does not see
// through: the simulator does this for every delivery.
template <class A>
void receive(A& algorithm, const typename A::Turn::Message& message, typename A::Turn& turn) {
    bool handed = false;  // so that what follows need not look at the message again
    A::Turn::Messages::for_each([&]<class M>() {
        const M* const said = handed ? nullptr : std::get_if<M>(&message);
        if (said == nullptr) return;
        algorithm.on(*said, turn);
        handed = true;
    });
}

// Hands over the timer with the given place in the list.
template <class A>
void expire(A& algorithm, std::uint8_t timer, typename A::Turn& turn) {
    std::uint8_t i = 0;
    A::Turn::Timers::for_each([&]<class Timer>() {
        if (i++ == timer) algorithm.on(Timer{}, turn);
    });
}

// A node that comes up again: with what it stored, or, where it keeps nothing, as if for the first
// time.
template <class A>
void recover(A& algorithm, const typename A::Turn::Stored& stored, typename A::Turn& turn) {
    if (!offer(algorithm, RecoverOf<A>{stored}, turn)) offer(algorithm, Start{}, turn);
}

// How a node's state reads in a diagram: its named state, or all it remembers.
template <class A>
std::string label_of(const A& algorithm) {
    if constexpr (requires { algorithm.label(); })
        return std::string(algorithm.label());
    else if constexpr (requires { algorithm.state; })
        return std::string(name_of(algorithm.state));
    else
        return text(algorithm);
}

// The algorithm's own invariant, where it states one: empty, or what is wrong.
template <class A>
std::string_view broken_invariant(const A& algorithm, const typename A::Turn& turn) {
    if constexpr (requires { algorithm.broken(turn); })
        return algorithm.broken(turn);
    else
        return {};
}

// Work that a run may not end without, where the algorithm states it: empty, or what is missing.
template <class A>
std::string_view unfinished_work(const A& algorithm, const typename A::Turn& turn) {
    if constexpr (requires { algorithm.unfinished(turn); })
        return algorithm.unfinished(turn);
    else
        return {};
}

// The decision of the node beside its leader, where it decides anything: all must decide alike.
template <class A>
std::string_view decision_of(const A& algorithm) {
    if constexpr (requires { algorithm.decision(); })
        return algorithm.decision();
    else
        return {};
}

}  // namespace conclave
