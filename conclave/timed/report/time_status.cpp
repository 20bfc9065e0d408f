#include "conclave/timed/report/time_status.hpp"

#include <algorithm>

#include "conclave/timed/report/clock_check.hpp"
#include "conclave/timed/report/json.hpp"

namespace conclave::timed {

namespace {

std::string to_json(const ClockStatus& clock) {
    return "{" + pair("kind", quote(clock.kind)) + "," +
           pair("offset_ns", number_or_null(clock.offset_ns)) + "," +
           pair("drift_ppb", json(clock.drift_ppb)) + "," + pair("bound", bound_json(clock)) + "}";
}

std::string to_json(const ClockMemberStatus& member) {
    const Measured measured = member.measured.value_or(Measured{});
    return "{" + pair("name", quote(member.name)) + "," +
           pair("kind", quote(member.own ? "own" : "bsd")) + "," +
           pair("address", quote(member.address)) + "," + pair("heard_ns", json(member.heard)) +
           "," + pair("offset_ns", number_or_null(measured.offset_ns)) + "," +
           pair("rate_ppb", number_or_null(measured.rate_ppb)) + "," +
           pair("jitter_ns", number_or_null(measured.jitter_ns)) + "," +
           pair("error_ns", number_or_null(measured.error_ns)) + "," +
           pair("stamps", text_or_null(measured.stamps)) + "," +
           pair("faulty", text_or_null(member.faulty)) + "}";
}

std::string column(std::string text, std::size_t width) {
    text.resize(std::max(text.size() + 1, width), ' ');
    return text;
}

std::string measured_columns(const ClockMemberStatus& member) {
    const auto& [offset, rate, jitter, error, stamps] = *member.measured;
    const auto span_of = [](const std::optional<std::int64_t>& ns) {
        return ns ? span(Duration{*ns}) : "unknown";
    };
    return column(span_of(offset), 11) +
           column(rate ? std::to_string(*rate) + " ppb" : "unknown", 12) +
           column(span_of(jitter), 10) + column(span_of(error), 10) + column(stamps, 7);
}

// The parts that count, each of which would be something else to look after.
std::string bound_text(const clock::ErrorBound& bound) {
    return "measuring " + span(bound.estimate) + ", path " + span(bound.path) + ", slew " +
           span(bound.slew) + ", visible " + span(bound.visible) + ", growth " + span(bound.growth);
}

// A master tells what it measures; any other daemon, whom it hears.
std::string member_table(const DaemonStatus& status) {
    if (status.members.empty()) return {};
    const bool measures =
        std::any_of(status.members.begin(), status.members.end(),
                    [](const ClockMemberStatus& member) { return member.measured.has_value(); });
    std::string text = "\n" + column("member", 16) + column("kind", 5) + column("heard", 13);
    if (measures)
        text += column("offset", 11) + column("rate", 12) + column("jitter", 10) +
                column("error", 10) + "stamps";
    else
        text += "address";
    for (const ClockMemberStatus& member : status.members) {
        text += "\n" + column(member.name, 16) + column(member.own ? "own" : "bsd", 5) +
                column(span(member.heard) + " ago", 13);
        if (!measures)
            text += member.address + (member.name == status.master ? "  the master" : "");
        else if (member.measured)
            text += measured_columns(member);
        text += member.faulty;
        text.erase(text.find_last_not_of(' ') + 1);
    }
    return text;
}

}  // namespace

std::string span(Duration duration) {
    auto size = static_cast<std::uint64_t>(clock::magnitude(duration).count());
    constexpr std::uint64_t second = 1'000'000'000;
    std::uint64_t digit = 1;  // the last that is shown
    while (size > 999 * digit && digit < second) digit *= 10;
    size = (size + digit - 1) / digit * digit;
    constexpr const char* names[] = {" ns", " us", " ms", " s"};
    const char* const* name = names;
    std::uint64_t unit = 1;
    for (; unit < second && size >= 1000 * unit; unit *= 1000) ++name;
    std::string text = (duration < Duration{0} ? "-" : "") + std::to_string(size / unit);
    if (size % unit != 0) {
        const std::string rest = std::to_string(unit + size % unit).substr(1);
        text += "." + rest.substr(0, rest.find_last_not_of('0') + 1);
    }
    return text + *name;
}

std::string bound_json(const ClockStatus& clock) {
    if (!clock.bound) return "null";
    const clock::ErrorBound& bound = *clock.bound;
    return "{" + pair("total_ns", json(bound.total())) + "," +
           pair("estimate_ns", json(bound.estimate)) + "," + pair("slew_ns", json(bound.slew)) +
           "," + pair("visible_ns", json(bound.visible)) + "," + pair("path_ns", json(bound.path)) +
           "," + pair("growth_ns", json(bound.growth)) + "}";
}

std::string to_json(const DaemonStatus& status) {
    std::string members, dropped, warnings;
    for (const std::string& warning : status.warnings)
        warnings += (warnings.empty() ? "" : ",") + quote(warning);
    for (const ClockMemberStatus& member : status.members)
        members += (members.empty() ? "" : ",") + to_json(member);
    for (const auto& [reason, count] : status.dropped)
        dropped += (dropped.empty() ? "" : ",") + pair(reason, json(count));
    return "{" + pair("name", quote(status.name)) + "," + pair("state", quote(status.state)) + "," +
           pair("master", text_or_null(status.master)) + "," + pair("term", json(status.term)) +
           "," + pair("mode", quote(status.mode)) + "," +
           pair("round", quote(format_duration(status.round))) + "," +
           pair("synchronised", json(is_good(status))) + "," +
           pair("has_time", json(status.has_time)) + "," +
           pair("trust", quote(name_of(status.trust))) + "," +
           pair("trusted_for_ns", json(status.trusted_for)) + "," +
           pair("clocks", json(status.clocks)) + "," + pair("remark", text_or_null(status.remark)) +
           "," + pair("warnings", "[" + warnings + "]") + "," +
           pair("clock", to_json(status.clock)) + "," + pair("members", "[" + members + "]") + "," +
           pair("dropped", "{" + dropped + "}") + "}";
}

std::string to_text(const DaemonStatus& status) {
    std::string text = status.name + ": " + status.state;
    if (!status.master.empty() && status.master != status.name) text += " of " + status.master;
    text += ", term " + std::to_string(status.term) + ", times of " + status.mode + ", round " +
            format_duration(status.round);
    text += "\nclock " + status.clock.kind + ": " + std::string(name_of(status.trust));
    if (status.clock.bound) text += ", off by at most " + span(status.clock.bound->total());
    text += ", " + std::to_string(status.clocks) + (status.clocks == 1 ? " clock" : " clocks") +
            ", runs at " + std::to_string(status.clock.drift_ppb) + " ppb";
    if (status.clock.bound) text += "\nbound: " + bound_text(*status.clock.bound);
    if (!status.remark.empty()) text += "\n" + status.remark;
    for (const std::string& warning : status.warnings) text += "\n" + warning;
    return text + member_table(status);
}

}  // namespace conclave::timed
