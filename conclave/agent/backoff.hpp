// How long to wait before a command that ended is started again: --restart.
//
// One that ends as soon as it starts would keep the machine busy and fill its log. So the pause
// doubles from one end to the next, and is short again after the command ran for a while.
#pragma once

#include <algorithm>
#include <utility>

#include "conclave/core/time.hpp"

namespace conclave::agent {

class Backoff {
public:
    static constexpr Duration least = std::chrono::milliseconds(100);
    static constexpr Duration most = std::chrono::seconds(5), calm = std::chrono::seconds(10);

    // It ended by itself, after so long.
    Duration pause_after(Duration ran) {
        if (ran >= calm) next_ = least;
        return std::exchange(next_, std::min(2 * next_, most));
    }

private:
    Duration next_ = least;
};

}  // namespace conclave::agent
