#include "conclave/timed/report/statistics_files.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "conclave/core/date.hpp"
#include "conclave/core/text.hpp"

namespace conclave::timed {

namespace {

constexpr const char* tracking_heading =
    "# time state master term trust clocks offset_ns drift_ppb bound_ns estimate_ns slew_ns "
    "visible_ns path_ns growth_ns\n";
constexpr const char* measurements_heading =
    "# time member kind offset_ns rate_ppb jitter_ns error_ns stamps fault\n";

// A word for each column, so that lines can be cut by blanks; - where nothing is known.
std::string word(const std::string& text) { return text.empty() ? "-" : text; }
std::string word(const std::optional<std::int64_t>& number) {
    return number ? std::to_string(*number) : "-";
}
std::string word(Duration value) { return std::to_string(value.count()); }

std::string joined(std::initializer_list<std::string> words) {
    std::string line;
    for (const std::string& each : words) line += (line.empty() ? "" : " ") + each;
    return line + "\n";
}

std::string tracking_line(const std::string& time, const DaemonStatus& status) {
    const auto& bound = status.clock.bound;
    const auto part = [&](Duration value) { return bound ? word(value) : std::string("-"); };
    const clock::ErrorBound parts = bound.value_or(clock::ErrorBound{});
    return joined({time, word(status.state), word(status.master), std::to_string(status.term),
                   std::string(name_of(status.trust)), std::to_string(status.clocks),
                   word(status.clock.offset_ns), std::to_string(status.clock.drift_ppb),
                   part(parts.total()), part(parts.estimate), part(parts.slew), part(parts.visible),
                   part(parts.path), part(parts.growth)});
}

std::string measurement_line(const std::string& time, const ClockMemberStatus& member) {
    const Measured& measured = *member.measured;
    return joined({time, member.name, member.own ? "own" : "bsd", word(measured.offset_ns),
                   word(measured.rate_ppb), word(measured.jitter_ns), word(measured.error_ns),
                   measured.stamps, member.faulty.empty() ? "-" : quote(member.faulty)});
}

}  // namespace

bool Statistics::append(const std::string& name, const char* heading,
                        const std::string& lines) const {
    namespace fs = std::filesystem;
    const std::string path = folder_ + "/" + name;
    std::error_code none;
    auto size = fs::file_size(path, none);
    if (none) size = 0;
    if (size + lines.size() > most_ && size > 0) {
        if (std::rename(path.c_str(), (path + ".1").c_str()) != 0) return false;
        size = 0;
    }
    std::ofstream file(path, std::ios::app);
    if (size == 0) file << heading;
    file << lines;
    return static_cast<bool>(file.flush());
}

bool Statistics::note(Time since_1970, const DaemonStatus& status) const {
    const std::string time = format_date(since_1970);
    std::string measurements;
    for (const ClockMemberStatus& member : status.members)
        if (member.measured) measurements += measurement_line(time, member);
    const bool tracked = append("tracking.log", tracking_heading, tracking_line(time, status));
    return (measurements.empty() ||
            append("measurements.log", measurements_heading, measurements)) &&
           tracked;
}

}  // namespace conclave::timed
