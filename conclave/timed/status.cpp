#include "conclave/timed/status.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "conclave/timed/json.hpp"

namespace conclave::timed {

namespace {

std::string to_json(const ClockStatus& clock) {
    return "{" + pair("kind", quote(clock.kind)) + "," +
           pair("offset_ns", number_or_null(clock.offset_ns)) + "," +
           pair("drift_ppb", json(clock.drift_ppb)) + "," + pair("bound", bound_json(clock)) + "}";
}

std::string to_json(const MemberStatus& member) {
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

std::string measured_columns(const MemberStatus& member) {
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
std::string member_table(const Status& status) {
    if (status.members.empty()) return {};
    const bool measures =
        std::any_of(status.members.begin(), status.members.end(),
                    [](const MemberStatus& member) { return member.measured.has_value(); });
    std::string text = "\n" + column("member", 16) + column("kind", 5) + column("heard", 13);
    if (measures)
        text += column("offset", 11) + column("rate", 12) + column("jitter", 10) +
                column("error", 10) + "stamps";
    else
        text += "address";
    for (const MemberStatus& member : status.members) {
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
    constexpr struct {
        double size;
        const char* unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
    std::array<char, 32> text{};
    const auto value = static_cast<double>(duration.count());
    for (const auto& [size, unit] : units)
        if (value >= size || value <= -size) {
            std::snprintf(text.data(), text.size(), "%.3g %s", value / size, unit);
            return text.data();
        }
    return std::to_string(duration.count()) + " ns";
}

std::string bound_json(const ClockStatus& clock) {
    if (!clock.bound) return "null";
    const clock::ErrorBound& bound = *clock.bound;
    return "{" + pair("total_ns", json(bound.total())) + "," +
           pair("estimate_ns", json(bound.estimate)) + "," + pair("slew_ns", json(bound.slew)) +
           "," + pair("visible_ns", json(bound.visible)) + "," + pair("path_ns", json(bound.path)) +
           "," + pair("growth_ns", json(bound.growth)) + "}";
}

std::string to_json(const Status& status) {
    std::string members, dropped;
    for (const MemberStatus& member : status.members)
        members += (members.empty() ? "" : ",") + to_json(member);
    for (const auto& [reason, count] : status.dropped)
        dropped += (dropped.empty() ? "" : ",") + pair(reason, json(count));
    return "{" + pair("name", quote(status.name)) + "," + pair("state", quote(status.state)) + "," +
           pair("master", text_or_null(status.master)) + "," + pair("term", json(status.term)) +
           "," + pair("mode", quote(status.mode)) + "," +
           pair("round", quote(format_duration(status.round))) + "," +
           pair("synchronised", json(status.synchronised())) + "," +
           pair("has_time", json(status.has_time)) + "," +
           pair("trust", quote(name_of(status.trust))) + "," +
           pair("trusted_for_ns", json(status.trusted_for)) + "," +
           pair("clocks", json(status.clocks)) + "," + pair("remark", text_or_null(status.remark)) +
           "," + pair("clock", to_json(status.clock)) + "," + pair("members", "[" + members + "]") +
           "," + pair("dropped", "{" + dropped + "}") + "}";
}

std::string to_text(const Status& status) {
    std::string text = status.name + ": " + status.state;
    if (!status.master.empty() && status.master != status.name) text += " of " + status.master;
    text += ", term " + std::to_string(status.term) + ", times of " + status.mode + ", round " +
            format_duration(status.round);
    text += "\nclock " + status.clock.kind + ": " + std::string(name_of(status.trust)) + ", ";
    text += status.clock.bound ? "off by at most " + span(status.clock.bound->total())
                               : "not yet told the time";
    text += ", " + std::to_string(status.clocks) + (status.clocks == 1 ? " clock" : " clocks") +
            ", runs at " + std::to_string(status.clock.drift_ppb) + " ppb";
    if (status.clock.bound) text += "\nbound: " + bound_text(*status.clock.bound);
    if (!status.remark.empty()) text += "\n" + status.remark;
    return text + member_table(status);
}

}  // namespace conclave::timed
