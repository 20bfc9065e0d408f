// A run that violates a property, made as small as it can be while it still violates the same one.
//
// First the faults go, then what chance did (back to the usual), then whole nodes, then odd times
// become round ones; again, until nothing more can go. Sets are reduced by delta debugging (Zeller
// & Hildebrandt 2002), so that of what is left in a list no single item can be left out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conclave/simulator/campaign/recording.hpp"

namespace conclave::simulator {

struct ShrinkPlan {
    std::uint64_t runs_max = 20'000;
    std::function<void(std::uint64_t)> progress = {};  // so many runs are done
};

struct Shrunk {
    Recording recording;
    Outcome outcome;       // of its replay
    std::string property;  // that is violated, as in the run given
    std::uint64_t runs = 0;
    bool complete = false;  // else runs_max was reached
};

// `failing` must violate something.
Shrunk shrink(const Recording& failing, const ShrinkPlan& plan = {});

// A smallest set of the places 0 .. count-1 that still fails: leaving out any one more does not.
using Places = std::vector<std::size_t>;
Places minimise(std::size_t count, const std::function<bool(const Places&)>& fails);

}  // namespace conclave::simulator
