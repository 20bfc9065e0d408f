// Random weather for TEMPO: everything that section 3 of the paper allows to go wrong.
#pragma once

#include "conclave/claims/tempo/tempo_scenes.hpp"

namespace conclave::claims::tempo {

// Machines start, crash and come up again at random times, messages are lost, doubled, delayed and
// reordered, links fail, the network falls apart, all until 10 s. Two masters may be left behind;
// as in the paper a newcomer, the last node, comes up at 16 s and reports them, or, `announcing`,
// masters announce themselves. One storm in four ends with the network in two parts, each with a
// newcomer of its own.
Scenario storm(std::uint64_t seed, bool announcing = false);
inline constexpr Time after_the_storm = std::chrono::seconds(60);

// The conditions that two masters at once are said to need: without it, none should ever be seen.
struct Calm {
    Duration delay_max;  // every message takes at most that long, and none is lost
    Duration start_gap;  // two machines come up at times further apart than that
};

// Machines start, crash and come up again at random times, messages are doubled and overtake each
// other; but the network is as calm as that. Lasts 20 s.
Scenario breeze(std::uint64_t seed, const Calm& calm);

}  // namespace conclave::claims::tempo
