// The ensemble time scale: at which rate the network's time goes on.
//
// A mean of the clocks would jump when a member comes or goes, and its rate would too. So each
// member is asked only how far its rate deviates from what it usually is against the network: the
// mean of those deviations is zero whoever takes part, until an oscillator really changes. A member
// whose usual rate is not known yet has no vote. The master's own clock is one vote like the
// others.
//
// Votes outside of where the majority agrees are not heard; of the rest the highest and the
// lowest are dropped if at least two remain, and the mean of the others is the rate.
#pragma once

#include "conclave/clock/marzullo.hpp"
#include "conclave/clock/rate.hpp"

namespace conclave::clock {

// "By my clock, the network runs at this rate against the master's clock, give or take."
struct Vote {
    Rate rate{};
    Rate error{};
};

// `measured`: the member's clock against the master's; `usual`: against the network, by its own
// clock's seconds.
constexpr Vote vote_of(Rate measured, Rate usual, Rate error) {
    // Exactly (1 + measured) (1 - usual) - 1: at 1000 ppm the product is a microsecond a second.
    const Rate product{divide(Wide{measured.ppt} * usual.ppt, 1'000'000'000'000)};
    return {measured - usual - product, error};
}

struct Consent {
    Rate rate{};
    std::vector<bool> heard;  // by vote
    std::size_t count = 0;    // how many were; 0: no majority agrees
};

inline Consent weigh_votes(std::span<const Vote> votes) {
    std::vector<Interval> intervals;
    for (const Vote& vote : votes)
        intervals.push_back(Interval::around(vote.rate.ppt, vote.error.ppt));
    Consent consent{{}, std::vector<bool>(votes.size(), false), 0};
    const auto place = majority_place(intervals);
    if (!place) return consent;
    std::vector<std::int64_t> rates;
    for (std::size_t i = 0; i < votes.size(); ++i) {
        consent.heard[i] = intervals[i].meets(*place);
        if (consent.heard[i]) rates.push_back(votes[i].rate.ppt);
    }
    consent.count = rates.size();
    std::sort(rates.begin(), rates.end());
    std::span<const std::int64_t> middle(rates);
    if (middle.size() >= 4) middle = middle.subspan(1, middle.size() - 2);
    Wide sum = 0;
    for (const std::int64_t rate : middle) sum += rate;
    consent.rate = {divide(sum, static_cast<std::int64_t>(middle.size()))};
    return consent;
}

}  // namespace conclave::clock
