// Bad masters by the seed: cold starts in which whoever becomes master has a clock that is wrong
// from the beginning, changes its rate, or is set; and what became of the others.
//
// In half of the runs its successor crashes 20 to 50 s later, while the bad clock is still on
// probation: somebody has to stand then, and it must not be the bad one.
#pragma once

#include "conclave/simulator/time/time_run.hpp"

namespace conclave::simulator {

struct BadMaster {
    enum class Kind : std::uint8_t {
        fast_from_the_start,  // 200 to 5000 ppm, and by 50 to 500 ppm more after 200 s
        breaks,               // by 200 to 5000 ppm after 200 s
        leaps,                // its raw clock, by 1 ms to 1 h after 200 s
        jump                  // the clock that people see is set, by 3 ms to 1 h after 200 s
    };
    Kind kind{};
    Id node = nobody;
    TimeScenario scenario;
};

// Kinds take turns, signs too, and whether the successor crashes.
BadMaster draw_bad_master(std::uint64_t seed);

struct BadMasterOutcome {
    double rate_change_ppm = 0;   // of the mean of the others, over 10 s, at the most
    bool resigned = false;        // somebody else became master
    std::uint32_t led_again = 0;  // so often the bad one became master once more, ever
    // Before that: how long it had been where the others are, without a break, at the least.
    Duration in_place = never;
    std::uint64_t judged = 0, excursions = 0;  // of error bounds
};
BadMasterOutcome run_bad_master(const BadMaster& bad);

}  // namespace conclave::simulator
