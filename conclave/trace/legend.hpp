// The last line of a diagram: what its signs mean, but only those that occur.
#pragma once

#include <string>
#include <vector>

#include "conclave/trace/moment.hpp"

namespace conclave::trace {

class Legend {
public:
    void notice(const std::vector<Event>& events);
    // `lifelines`: for the picture, which has signs that the list has not.
    std::string text(bool lifelines) const;

private:
    bool arrives_ = false, lost_ = false, fans_out_ = false;
    bool leads_ = false, follows_ = false, timer_ = false;
};

}  // namespace conclave::trace
