// What every storm and every breeze must end with, for the tests of all days and the long ones.
#pragma once

#include <gtest/gtest.h>

#include "conclave/claims/tempo/tempo_storms.hpp"

namespace conclave::claims::tempo {

// Everyone follows the same live master of its part: the judge looks at each part.
inline void expect_one_master(const Scenario& scenario) {
    TempoStage stage(scenario);
    stage.run_until(after_the_storm);
    for (const auto& violation : stage.look().violations)
        ADD_FAILURE() << "seed " << scenario.seed << ": " << violation.property << " at "
                      << format_duration(violation.time) << ": " << violation.what;
}

// 2 delays < candidate timer, nothing lost, starts further apart than a delay.
inline constexpr Calm calm_enough{.delay_max = 5900us, .start_gap = 5900us};

inline void expect_never_two_masters(std::uint64_t seed) {
    TempoStage stage(breeze(seed, calm_enough));
    stage.run_until(20s);
    EXPECT_TRUE(stage.look().violations.empty()) << "seed " << seed;
}

}  // namespace conclave::claims::tempo
