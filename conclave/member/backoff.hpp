// How long a member waits before its command, which ended by itself, is started again: --restart.
//
// One that ends as soon as it starts would keep the machine busy and fill its log. So the pause
// doubles from one end to the next, and is short again after the command ran for a while.
#pragma once

#include <algorithm>

#include "conclave/core/fields.hpp"
#include "conclave/core/time.hpp"

namespace conclave::member {

using conclave::operator==;

struct Backoff {
    std::uint32_t doubled = 0;  // so often since the command last ran for a while

    // `least` is the first pause.
    static constexpr Duration most(Duration least) { return 50 * least; }
    static constexpr Duration calm(Duration least) { return 100 * least; }

    // It ended by itself, after so long.
    Duration pause_after(Duration ran, Duration least) {
        if (ran >= calm(least)) doubled = 0;
        const Duration pause = std::min(least * (1u << doubled), most(least));
        if (pause < most(least)) ++doubled;
        return pause;
    }
};

}  // namespace conclave::member
