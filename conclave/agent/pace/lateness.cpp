#include "conclave/agent/pace/lateness.hpp"

#include <algorithm>

#include "conclave/agent/pace/jitter.hpp"

namespace conclave::agent {

// A delay longer than any leader may take is no lateness: the process was stopped, or the machine
// slept, and no other setting would help.
std::string Lateness::note(Time now) {
    using std::chrono::milliseconds;
    constexpr std::int64_t forget = std::chrono::minutes(1) / milliseconds(1);  // to nothing
    const std::int64_t passed = std::min((now - noted_) / milliseconds(1), forget);
    worst_ -= worst_ * passed / forget;
    const Duration late = due_ == Time{} ? Duration{} : now - due_;
    if (late < detect_) worst_ = std::max(worst_, late);
    noted_ = now;
    const Duration least = least_detect(worst_);
    if (detect_ >= least || least <= advised_) return {};
    advised_ = least;
    return finding() + ", or --stretch";
}

std::string Lateness::finding() const {
    const Duration least = least_detect(worst_);
    if (detect_ >= least) return {};
    return "this machine rings its alarms up to " + format_duration(rounded(worst_)) +
           " late: give all nodes --detect " + format_duration(least) + " or more";
}

}  // namespace conclave::agent
