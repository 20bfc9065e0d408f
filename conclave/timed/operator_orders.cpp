#include "conclave/timed/operator_orders.hpp"

#include <charconv>

#include "conclave/timed/daemon/wire_date.hpp"

namespace conclave::timed {

namespace {

// Beyond it neither datagrams nor clocks can count.
constexpr Duration longest_change = std::chrono::hours(24 * 365 * 68);

std::optional<Duration> nanoseconds_of(std::string_view text) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return Duration{count};
}

std::string start_date(Daemon& daemon, std::string_view how) {
    const bool absolute = how.starts_with("to ");
    const auto value =
        absolute || how.starts_with("by ") ? nanoseconds_of(how.substr(3)) : std::nullopt;
    if (!value) return "refused give 'set to NANOSECONDS' or 'set by NANOSECONDS'";
    if (absolute && *value < Duration{0}) return "refused no date before 1970 can be set";
    const Duration by = absolute ? *value - daemon.network_now() : *value;
    if (by > longest_change || by < -longest_change)
        return "refused the date is not changed: give one that is at most 68 years from now";
    if (!is_possible_date(daemon.network_now() + by))
        return "refused the date is not changed: it would not lie between 1970 and 2100";
    const std::string failure = daemon.ask_for_date(by);
    return failure.empty() ? "waits" : "failed " + failure;
}

std::string tell_date(const Daemon& daemon) {
    const Daemon::DateReport report = daemon.date_report();
    switch (report.state) {
        case Daemon::DateReport::waits: return "waits";
        case Daemon::DateReport::failed: return "failed " + report.text;
        case Daemon::DateReport::done: break;
    }
    return "done " + std::to_string(report.by.count()) + " " + report.text;
}

std::string hand_over(Daemon& daemon) {
    const std::string failure = daemon.hand_over();
    return failure.empty() ? "ok" : "failed " + failure;
}

}  // namespace

std::optional<std::string> obey_order(Daemon& daemon, const std::string& line, bool may) {
    if (line == "set") return tell_date(daemon);
    const bool sets = line.starts_with("set ");
    if (!sets && line != "resign") return std::nullopt;
    if (!may) return "refused only root and the user of the daemon may do that";
    // In holdover the operator sees another state than the network's, and the daemon may have been
    // stopped until now.
    if (daemon.trust() == clock::Trust::holdover)
        return "failed no other clock confirms the time of this daemon (it is in holdover): see "
               "conclave timed status, and ask again when it is synchronised";
    return sets ? start_date(daemon, std::string_view(line).substr(4)) : hand_over(daemon);
}

}  // namespace conclave::timed
