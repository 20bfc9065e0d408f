// A slave's response to the differences that a BSD timed sends as master.
//
// BSD timed slews what is less than 20 s and sets the rest, by SETTIME. Both are obeyed at once,
// for such a change is an operator's deed on the master, who is believed or would not be heard; and
// a slave that hangs back pulls the others back with it, since BSD timed averages again two or
// three rounds after a change of the date. An ADJTIME of 20 s or more is what no BSD timed sends
// that is sound: it is refused and complained about, until the master has insisted three times.
#pragma once

#include "conclave/clock/rate.hpp"

namespace conclave::timed {

enum class Response : std::uint8_t { slew, step, refuse };

class Differences {
public:
    static constexpr Duration slewed_below = std::chrono::seconds(20);
    static constexpr std::uint32_t patience = 3;

    // `sets`: it came as a time of day (SETTIME), not as a difference (ADJTIME).
    Response judge(Duration by, bool sets) {
        const bool small = clock::magnitude(by) < slewed_below;
        if (!small && !sets && ++refused_ <= patience) return Response::refuse;
        refused_ = 0;
        return small ? Response::slew : Response::step;
    }

private:
    std::uint32_t refused_ = 0;
};

}  // namespace conclave::timed
