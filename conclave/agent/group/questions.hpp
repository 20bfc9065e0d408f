// When all other nodes were asked who they are, so that a view knows which answers are fresh.
#pragma once

#include <utility>

#include "conclave/core/time.hpp"

namespace conclave::agent {

class Questions {
public:
    void note(Time now) {
        if (last_ == never || now - last_ >= spacing) before_ = last_;
        last_ = now;
    }
    // The last question that everybody had `patience` to answer; never: there is none.
    Time answered(Time now, Duration patience) const {
        return last_ != never && now - last_ > patience ? last_ : before_;
    }
    Time last() const { return last_; }

private:
    // Of questions closer to each other than this, only the last one counts.
    static constexpr Duration spacing = std::chrono::milliseconds(200);

    Time last_ = never, before_ = never;
};

}  // namespace conclave::agent
