// Bad masters by the seed: cold starts in which whoever becomes master has a clock that is wrong
// from the beginning, changes its rate, or is set; and what became of the others.
#pragma once

#include "conclave/simulator/time/time_run.hpp"

namespace conclave::simulator {

struct BadMaster {
    enum class Kind : std::uint8_t {
        fast_from_the_start,  // 200 to 5000 ppm, and by 50 to 500 ppm more after 200 s
        breaks,               // by 200 to 5000 ppm after 200 s
        is_set                // by 1 ms to 1 h after 200 s
    };
    Kind kind{};
    Id node = nobody;
    TimeScenario scenario;
};

// Kinds take turns, signs too.
BadMaster draw_bad_master(std::uint64_t seed);

struct BadMasterOutcome {
    double rate_change_ppm = 0;  // of the mean of the others, over 10 s, at the most
    bool resigned = false;       // somebody else became master
    Time led_again = never;      // how long after it had gone wrong the bad one was master again
};
BadMasterOutcome run_bad_master(const BadMaster& bad);

}  // namespace conclave::simulator
