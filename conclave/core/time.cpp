#include "conclave/core/time.hpp"

#include <algorithm>
#include <array>

namespace conclave {

namespace {

struct Unit {
    std::string_view name;
    std::int64_t ns;
};
constexpr std::array<Unit, 6> units{{{"h", 3'600'000'000'000},
                                     {"min", 60'000'000'000},
                                     {"s", 1'000'000'000},
                                     {"ms", 1'000'000},
                                     {"us", 1'000},
                                     {"ns", 1}}};

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

// Cuts the digits off the front.
std::string_view take_digits(std::string_view& text) {
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view digits = text.substr(0, end);
    text.remove_prefix(end);
    return digits;
}

std::optional<std::int64_t> count_ns(std::string_view whole, std::string_view fraction,
                                     std::int64_t unit) {
    std::int64_t ns = 0;
    for (const char c : whole) {
        if (ns > (most - (c - '0')) / 10) return std::nullopt;
        ns = ns * 10 + (c - '0');
    }
    if (ns > most / unit) return std::nullopt;
    ns *= unit;
    constexpr std::int64_t fine = 100'000;  // so that sixteen digits are exact, even of hours
    std::int64_t rest = 0, place = unit * fine;
    for (const char c : fraction) rest += (c - '0') * (place /= 10);
    if (ns > most - rest / fine) return std::nullopt;
    return ns + rest / fine;
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const std::string_view whole = take_digits(text);
    std::string_view fraction;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        fraction = take_digits(text);
    }
    if (whole.empty() && fraction.empty()) return std::nullopt;
    for (const Unit& unit : units) {
        if (text != unit.name && !text.empty()) continue;
        const auto ns = count_ns(whole, fraction, unit.ns);
        if (!ns || (text.empty() && *ns != 0)) return std::nullopt;  // only zero needs no unit
        return Duration{negative ? -*ns : *ns};
    }
    return std::nullopt;
}

std::string format_duration(Duration value) {
    std::int64_t ns = value.count();
    if (ns == 0) return "0s";
    if (ns == std::numeric_limits<std::int64_t>::min()) return "-9223372036854775808ns";
    const std::string sign = ns < 0 ? "-" : "";
    if (ns < 0) ns = -ns;
    for (const Unit& unit : units) {
        if (ns < unit.ns) continue;
        if (unit.ns > 1'000'000'000 && ns % unit.ns != 0) continue;  // 90 s, not 1.5 min
        std::string text = sign + std::to_string(ns / unit.ns);
        std::int64_t rest = ns % unit.ns;
        if (rest != 0) {
            std::string digits = std::to_string(unit.ns + rest).substr(1);  // with leading zeroes
            digits.erase(digits.find_last_not_of('0') + 1);
            text += "." + digits;
        }
        return text + std::string(unit.name);
    }
    return "0s";
}

}  // namespace conclave
