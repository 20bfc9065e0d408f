#include "conclave/core/time.hpp"

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

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    std::int64_t digits = 0, below = 1;  // the value is digits / below
    std::size_t i = 0;
    bool point = false, any = false;
    for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !point)); ++i) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        any = true;
        if (digits > (most - 9) / 10 || (point && below > most / 10)) return std::nullopt;
        digits = digits * 10 + (text[i] - '0');
        if (point) below *= 10;
    }
    if (!any) return std::nullopt;
    const std::string_view unit = text.substr(i);
    if (unit.empty() && digits == 0) return Duration{0};
    for (const Unit& known : units) {
        if (unit != known.name) continue;
        const std::int64_t whole = digits / below, rest = digits % below;
        if (whole > most / known.ns || rest > most / known.ns) return std::nullopt;
        const std::int64_t fraction = rest * known.ns / below;
        if (whole * known.ns > most - fraction) return std::nullopt;
        const std::int64_t ns = whole * known.ns + fraction;
        return Duration{negative ? -ns : ns};
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
