// Is this machine's clock as good as somebody wants it to be, and if not, why?
#pragma once

#include "conclave/timed/report/time_status.hpp"

namespace conclave::timed {

struct Checked {
    DaemonStatus status{};
    std::vector<std::string> reasons{};  // a sentence each; none: the clock is good

    bool good() const { return reasons.empty(); }
};
Checked check(DaemonStatus status, const Wanted& wanted);
// By the daemon's own standard.
Checked check(const DaemonStatus& status);
bool is_good(const DaemonStatus& status);

std::string to_json(const Checked& checked);
// One line that praises the clock, or one for each reason.
std::string to_text(const Checked& checked);

}  // namespace conclave::timed
