// Random numbers for an algorithm that asks: one stream of decisions for each node.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/core/turn.hpp"
#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

class Choices final : public Chance {
public:
    // `me` is whose turn it is, whenever somebody asks.
    Choices(Decisions& decisions, const Group& group, const Id& me)
        : decisions_(decisions), group_(group), me_(me) {}

    std::uint64_t choose(std::uint64_t n) override {
        if (counts_.empty()) counts_.resize(group_.size());
        const auto chosen = static_cast<std::uint64_t>(decisions_.decide(
            {Purpose::choose, me_, nobody, counts_[group_.position(me_)]++}, 0,
            [&](std::uint64_t bits) { return static_cast<std::int64_t>(below(n, bits)); }));
        return std::min(chosen, n - 1);  // a log made by hand may ask for more than there is
    }

private:
    Decisions& decisions_;
    const Group& group_;
    const Id& me_;
    std::vector<std::uint32_t> counts_;  // how many each has made; empty while nobody has
};

}  // namespace conclave::simulator
