// Chang & Roberts' algorithm on a ring that is repaired when a process fails.
#pragma once

#include "conclave/core/ring_repair.hpp"
#include "conclave/election/chang_roberts.hpp"

namespace conclave {

using RepairedChangRoberts = Repaired<ChangRoberts>;

static_assert(Algorithm<RepairedChangRoberts>);

}  // namespace conclave
