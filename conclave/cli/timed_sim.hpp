// conclave timed sim: a network of time daemons in imaginary time.
#pragma once

#include "conclave/cli/command.hpp"

namespace conclave::cli {

struct TimedSim {
    std::optional<std::string> svg, seed, until;
    bool json = false;
};

int simulate_clocks(const TimedSim& given, const std::string& path);

}  // namespace conclave::cli
