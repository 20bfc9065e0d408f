// The one list of algorithms. Add a line in each half, and the simulator, the checker, the agent
// and the command line all know the newcomer.
#pragma once

#include "conclave/core/types.hpp"
#include "conclave/election/bully.hpp"
#include "conclave/election/chang_roberts.hpp"
#include "conclave/election/nemeth.hpp"
#include "conclave/election/tempo.hpp"

namespace conclave {

using AllAlgorithms = Types<Bully, ChangRoberts, Nemeth, Tempo>;

}  // namespace conclave
