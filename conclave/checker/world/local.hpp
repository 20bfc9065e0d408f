// One node that runs the algorithm A, as the checker keeps it, and what the search may know of it.
#pragma once

#include <array>
#include <cstdint>

#include "conclave/checker/world/nodes.hpp"
#include "conclave/checker/world/numbering.hpp"
#include "conclave/core/algorithm.hpp"
#include "conclave/core/table.hpp"

namespace conclave::checker {

template <class A>
struct Local {
    static constexpr std::size_t timer_count = A::Turn::Timers::count;

    A algorithm{};
    typename A::Turn::Stored stored{};
    bool kept = false;  // something was stored
    Life life = Life::unborn;
    std::uint8_t births = 0;
    Id leader = nobody;
    std::uint64_t news = 0, doubted = 0;              // as in NodeState
    std::array<std::uint16_t, timer_count> timers{};  // 0: not set; else ticks left + 1
};

template <class A>
NodeTraits traits_of() {
    using Turn = typename A::Turn;
    NodeTraits traits;
    traits.timers = {Turn::Timers::names.data(), Turn::Timers::count};
    if constexpr (requires { typename A::Faults; }) {
        traits.faults = {A::Faults::names.data(), A::Faults::count};
        std::uint64_t bit = 1;
        A::Faults::for_each([&]<class Fault>() {
            if (requires { Fault::relief; }) traits.reliefs |= bit;
            bit <<= 1;
        });
    }
    if constexpr (requires { A::rows(); })
        for (const auto& row : A::rows()) traits.rows.push_back(row_name(row));
    traits.ages = requires(A a, const typename Turn::Settings& s) { a.age(Duration{}, s); };
    traits.knows_better = requires(const A& a) { a.acts(Time{}); };
    traits.suspects = Handles<A, Suspect>;
    traits.tokens = requires(const A& a) { a.token(); };
    traits.invariant = requires(const A& a, const Turn& turn) { a.broken(turn); };
    traits.work = requires(const A& a, const Turn& turn) { a.unfinished(turn); };
    if constexpr (requires(const A& a, const typename Turn::Message& m) {
                      a.stale(m, Id{}, false);
                  }) {
        traits.staleness = true;
        traits.stale_rules = A::stale_rules;
    }
    traits.recounts = Numbering<A>::known;
    traits.majority = requires(const A& a) { a.votes(), a.rests(), a.eligible(Id{}); };
    if constexpr (requires { A::anonymous; }) traits.anonymous = A::anonymous;
    return traits;
}

template <class A>
NodeState state_of(const Local<A>& node) {
    NodeState state;
    state.life = node.life;
    state.leader = node.leader;
    state.news = node.news;
    state.doubted = node.doubted;
    if constexpr (requires { node.algorithm.acts(Time{}); })
        state.acts = node.algorithm.acts(Time{0});
    for (std::size_t t = 0; t < Local<A>::timer_count; ++t) {
        const std::uint16_t ticks = node.timers.data()[t];
        state.timed = state.timed || ticks != 0;
        if (ticks == 1) state.due |= std::uint64_t{1} << t;
    }
    return state;
}
}  // namespace conclave::checker
