#include "conclave/timed/report/clock_check.hpp"

#include <algorithm>

#include "conclave/timed/report/json.hpp"

namespace conclave::timed {

namespace {

struct Part {
    Duration size;
    const char* what;
};
const char* largest_part(const clock::ErrorBound& bound) {
    const Part parts[] = {
        {bound.estimate, "the uncertainty of the master's measurements"},
        {bound.slew, "an error that is still being slewed away"},
        {bound.visible, "the distance of the clock that people see from where it should be"},
        {bound.path, "half the round trip to the master"},
        {bound.growth, "growth since other clocks last confirmed the time"}};
    return std::max_element(std::begin(parts), std::end(parts),
                            [](const Part& a, const Part& b) { return a.size < b.size; })
        ->what;
}

std::string reason_of_unknown(const DaemonStatus& status) {
    if (!status.warnings.empty()) return status.warnings.front();
    if (!status.remark.empty()) return "the daemon says: " + status.remark;
    if (!status.has_time)
        return status.master.empty() ? "no master has been found that could tell it"
                                     : "its master " + status.master + " has not told it yet";
    if (status.clocks <= 1) return "no other clock confirms it, for this daemon is alone";
    return "the clock was set, or the machine slept, and nobody has measured it since";
}

}  // namespace

Checked check(DaemonStatus status, const Wanted& wanted) {
    Checked checked{std::move(status), {}};
    const DaemonStatus& now = checked.status;
    if (now.trust == clock::Trust::unknown)
        checked.reasons.push_back("the time is unknown: " + reason_of_unknown(now));
    if (now.trust == clock::Trust::holdover)
        checked.reasons.push_back("the clock has been in holdover for " + span(now.trusted_for) +
                                  ": no other clock confirms its time");
    if (now.clock.bound && now.clock.bound->total() > wanted.within)
        checked.reasons.push_back("the clock may be off by " + span(now.clock.bound->total()) +
                                  ", more than " + format_duration(wanted.within) +
                                  ", mostly because of " + largest_part(*now.clock.bound));
    if (now.has_time && now.clocks < wanted.members)
        checked.reasons.push_back("only " + std::to_string(now.clocks) + " of " +
                                  std::to_string(wanted.members) + " clocks " +
                                  (now.clocks == 1 ? "is" : "are") + " behind the time");
    return checked;
}

Checked check(const DaemonStatus& status) { return check(status, status.wanted); }

bool is_good(const DaemonStatus& status) { return check(status).good(); }

std::string to_json(const Checked& checked) {
    const DaemonStatus& status = checked.status;
    std::string reasons;
    for (const std::string& reason : checked.reasons)
        reasons += (reasons.empty() ? "" : ",") + quote(reason);
    return "{" + pair("good", json(checked.good())) + "," +
           pair("trust", quote(name_of(status.trust))) + "," +
           pair("trusted_for_ns", json(status.trusted_for)) + "," +
           pair("clocks", json(status.clocks)) + "," + pair("bound", bound_json(status.clock)) +
           "," + pair("reasons", "[" + reasons + "]") + "}";
}

std::string to_text(const Checked& checked) {
    const DaemonStatus& status = checked.status;
    if (checked.good())
        return "synchronised with " + std::to_string(status.clocks) +
               (status.clocks == 1 ? " clock" : " clocks") + ", off by at most " +
               span(status.clock.bound->total());
    std::string text;
    for (const std::string& reason : checked.reasons) text += (text.empty() ? "" : "\n") + reason;
    return text;
}

}  // namespace conclave::timed
