// The error bound as a page can carry it: a straight line, for programs that compute it themselves.
//
// It is about the network's time, not about what the clock shows. The bound of a keeper grows by
// steps, too, when nobody is heard: the line is nowhere below it as long as a page holds.
#pragma once

#include "conclave/clock/keeper.hpp"
#include "conclave/page/content.hpp"

namespace conclave::timed {

struct GrowingBound {
    Duration error{};      // now
    clock::Rate growth{};  // from now on
};

inline GrowingBound growing_bound(const clock::Keeper& keeper, Time raw) {
    constexpr int parts = 600;  // within one of them it may grow in any way
    constexpr Duration part = page::valid / parts;
    const auto after = [&](int count) {
        const clock::ErrorBound bound = keeper.error_bound(raw + count * part);
        return bound.estimate + bound.path + bound.growth;
    };
    const Duration grown = std::max(after(parts) - after(0), Duration{0});
    GrowingBound line{after(0), clock::rate_of(grown, page::valid)};
    for (int i = 0; i < parts; ++i)
        line.error = std::max(line.error, after(i + 1) - clock::over(line.growth, i * part));
    return line;
}

}  // namespace conclave::timed
