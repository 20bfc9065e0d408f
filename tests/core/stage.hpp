// The smallest host there is: buffers and a group of three, for tests of a single turn.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

template <class A>
struct Stage {
    struct First final : Chance {
        std::uint64_t choose(std::uint64_t) override { return 0; }
    };
    std::vector<Id> ring{Id{3}, Id{1}, Id{2}};
    std::vector<std::uint32_t> place{1, 2, 0};
    Group group{ring, place, {}};
    typename A::Turn::Settings settings{};
    typename A::Turn::Effects effects;
    First chance;
    Rows rows;
    A node{};

    // A turn of node 1, whose neighbours are 3 and 2.
    typename A::Turn turn(Id from = nobody) {
        effects.clear();
        return {effects, settings, group, chance, rows, Id{1}, Id{2}, from, Time{5}};
    }
    template <class Event>
    std::vector<std::string> after(const Event& event, Id from = nobody) {
        auto now = turn(from);
        offer(node, event, now);
        return describe<typename A::Turn::Timers>(effects);
    }
};

using Lines = std::vector<std::string>;

}  // namespace conclave
