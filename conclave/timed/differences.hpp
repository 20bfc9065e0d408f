// The fence against a master that knows differences only, such as BSD timed.
//
// No oscillator runs away by more than a second and a half between two rounds: BSD timed itself
// warns at 0.3 % of two rounds, and obeys. Here a larger difference is refused and complained
// about, since clocks do not jump but masters do err; a master that insists is obeyed in the end,
// for then it is this clock that has jumped, or somebody has changed the network's date.
#pragma once

#include "conclave/clock/rate.hpp"

namespace conclave::timed {

class Differences {
public:
    static constexpr Duration largest = std::chrono::milliseconds(1440);
    static constexpr std::uint32_t patience = 3;

    // May the clock follow?
    bool plausible(Duration by) {
        if (clock::magnitude(by) < largest || ++refused_ > patience) {
            refused_ = 0;
            return true;
        }
        return false;
    }
    std::uint32_t refused() const { return refused_; }

private:
    std::uint32_t refused_ = 0;
};

}  // namespace conclave::timed
