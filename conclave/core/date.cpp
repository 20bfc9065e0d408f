#include "conclave/core/date.hpp"

#include <algorithm>

namespace conclave {

namespace {

using namespace std::chrono;

// Reads the text from its front.
struct DateText {
    std::string_view rest;

    bool take(char wanted) {
        if (!rest.starts_with(wanted)) return false;
        rest.remove_prefix(1);
        return true;
    }
    // Exactly so many digits, at most `most`.
    std::optional<int> number(std::size_t digits, int most) {
        if (rest.size() < digits) return std::nullopt;
        int value = 0;
        for (const char c : rest.substr(0, digits)) {
            if (c < '0' || c > '9') return std::nullopt;
            value = value * 10 + (c - '0');
        }
        rest.remove_prefix(digits);
        if (value > most) return std::nullopt;
        return value;
    }
};

std::optional<Time> day_of(DateText& text) {
    const auto y = text.number(4, 2261);
    const bool first = text.take('-');
    const auto m = text.number(2, 12);
    const bool second = text.take('-');
    const auto d = text.number(2, 31);
    if (!y || !m || !d || !first || !second || *y < 1970) return std::nullopt;
    const year_month_day date{year{*y}, month{static_cast<unsigned>(*m)},
                              day{static_cast<unsigned>(*d)}};
    if (!date.ok()) return std::nullopt;
    return sys_days{date}.time_since_epoch();
}

// Nine digits at most count.
std::optional<Duration> fraction_of(DateText& text) {
    if (!text.take('.')) return Duration{0};
    Duration value{0};
    std::int64_t place = 1'000'000'000;
    std::size_t digits = 0;
    while (const auto digit = text.number(1, 9)) {
        place /= 10;
        value += Duration{*digit * place};
        ++digits;
    }
    if (digits == 0) return std::nullopt;
    return value;
}

std::optional<Duration> time_of_day(DateText& text) {
    const auto h = text.number(2, 23);
    const bool first = text.take(':');
    const auto m = text.number(2, 59);
    const bool second = text.take(':');
    const auto s = text.number(2, 59);
    if (!h || !m || !s || !first || !second) return std::nullopt;
    const auto fraction = fraction_of(text);
    if (!fraction) return std::nullopt;
    return hours(*h) + minutes(*m) + seconds(*s) + *fraction;
}

std::optional<Duration> offset_of(DateText& text) {
    if (text.take('Z')) return Duration{0};
    const bool west = text.take('-');
    if (!west && !text.take('+')) return std::nullopt;
    const auto h = text.number(2, 23);
    const bool colon = text.take(':');
    const auto m = text.number(2, 59);
    if (!h || !m || !colon) return std::nullopt;
    const Duration size = hours(*h) + minutes(*m);
    return west ? -size : size;
}

void append_number(std::string& text, std::int64_t value, std::size_t digits) {
    std::string number = std::to_string(value);
    number.insert(0, digits - std::min(digits, number.size()), '0');
    text += number;
}

}  // namespace

std::optional<Time> parse_date(std::string_view given) {
    DateText text{given};
    const auto date = day_of(text);
    if (!date || text.rest.empty()) return date;
    if (!text.take('T') && !text.take(' ')) return std::nullopt;
    const auto time = time_of_day(text);
    const auto offset = time ? offset_of(text) : std::nullopt;
    if (!offset || !text.rest.empty()) return std::nullopt;
    const Time whole = *date + *time - *offset;
    if (whole < Time{0}) return std::nullopt;
    return whole;
}

std::string format_date(Time since_1970) {
    const auto midnight = floor<days>(since_1970);
    const year_month_day date{sys_days{midnight}};
    const auto rest = since_1970 - midnight;
    std::string text;
    append_number(text, static_cast<int>(date.year()), 4);
    append_number(text += '-', static_cast<unsigned>(date.month()), 2);
    append_number(text += '-', static_cast<unsigned>(date.day()), 2);
    append_number(text += 'T', rest / hours(1), 2);
    append_number(text += ':', rest / minutes(1) % 60, 2);
    append_number(text += ':', rest / seconds(1) % 60, 2);
    append_number(text += '.', rest / milliseconds(1) % 1000, 3);
    return text + "Z";
}

}  // namespace conclave
