#include "conclave/timed/status.hpp"

#include <cstdio>

#include "conclave/core/text.hpp"

namespace conclave::timed {

namespace {

std::string pair(std::string_view name, const std::string& value) {
    return quote(name) + ":" + value;
}
std::string text_or_null(const std::string& text) { return text.empty() ? "null" : quote(text); }

std::string to_json(const ClockStatus& clock) {
    return "{" + pair("kind", quote(clock.kind)) + "," + pair("offset_ns", json(clock.offset_ns)) +
           "," + pair("drift_ppb", json(clock.drift_ppb)) + "," +
           pair("estimated_error_ns", json(clock.estimated_error_ns)) + "," +
           pair("maximum_error_ns", json(clock.maximum_error_ns)) + "}";
}

std::string to_json(const MemberStatus& member) {
    return "{" + pair("name", quote(member.name)) + "," +
           pair("kind", quote(member.own ? "own" : "bsd")) + "," +
           pair("offset_ns", json(member.offset_ns)) + "," +
           pair("rate_ppb", json(member.rate_ppb)) + "," +
           pair("jitter_ns", json(member.jitter_ns)) + "," +
           pair("error_ns", json(member.error_ns)) + "," +
           pair("stamps", text_or_null(member.stamps)) + "," +
           pair("faulty", text_or_null(member.faulty)) + "}";
}

// "12.3 us", "-4 ms": three digits and a unit that fits.
std::string span(std::int64_t ns) {
    constexpr struct {
        double size;
        const char* unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
    std::array<char, 32> text{};
    const auto value = static_cast<double>(ns);
    for (const auto& [size, unit] : units)
        if (value >= size || value <= -size) {
            std::snprintf(text.data(), text.size(), "%.3g %s", value / size, unit);
            return text.data();
        }
    return std::to_string(ns) + " ns";
}

std::string column(std::string text, std::size_t width) {
    text.resize(std::max(text.size() + 1, width), ' ');
    return text;
}

}  // namespace

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
           pair("synchronised", json(status.synchronised)) + "," +
           pair("remark", text_or_null(status.remark)) + "," +
           pair("clock", to_json(status.clock)) + "," + pair("members", "[" + members + "]") + "," +
           pair("dropped", "{" + dropped + "}") + "}";
}

std::string to_text(const Status& status) {
    std::string text = status.name + ": " + status.state;
    if (!status.master.empty() && status.master != status.name) text += " of " + status.master;
    text += ", term " + std::to_string(status.term) + ", times of " + status.mode + ", round " +
            format_duration(status.round);
    text +=
        "\nclock " + status.clock.kind + ": " +
        (status.synchronised ? "synchronised, off by at most " + span(status.clock.maximum_error_ns)
                             : "not yet told the time") +
        ", runs at " + std::to_string(status.clock.drift_ppb) + " ppb";
    if (!status.remark.empty()) text += "\n" + status.remark;
    if (!status.members.empty())
        text += "\n" + column("member", 16) + column("kind", 5) + column("offset", 11) +
                column("rate", 12) + column("jitter", 10) + column("error", 10) + "stamps";
    for (const MemberStatus& member : status.members) {
        text += "\n" + column(member.name, 16) + column(member.own ? "own" : "bsd", 5);
        if (member.stamps.empty()) continue;
        text += column(span(member.offset_ns), 11) +
                column(std::to_string(member.rate_ppb) + " ppb", 12) +
                column(span(member.jitter_ns), 10) + column(span(member.error_ns), 10) +
                member.stamps + (member.faulty.empty() ? "" : "  " + member.faulty);
    }
    return text;
}

}  // namespace conclave::timed
