// How people write the small things of a scenario: odds, rates, ids, delays, spans of time.
//
// Every form is read and written here, exactly: what is written reads back as the same value, and
// no floating point is involved.
#pragma once

#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/simulator/scenario.hpp"

namespace conclave::simulator {

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const auto end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    if (text.empty() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
    return number;
}

std::optional<Odds> parse_odds(std::string_view text);  // "0.05", "5%", "1"
std::string format_odds(Odds odds);                     // the shortest that reads back: "0.05"

std::optional<std::int64_t> parse_ppm(std::string_view text);  // "50", "0.25": as parts per billion
std::string format_ppm(std::int64_t ppb);

std::optional<Id> parse_id(std::string_view text);
std::optional<std::vector<Id>> parse_ids(std::string_view text);  // "3,1,2"
std::string format_ids(std::span<const Id> ids);

std::optional<Delay> parse_delay(std::string_view text);  // "1ms", "1ms..5ms", "exp:1ms"
std::string format_delay(const Delay& delay);

std::optional<Span> parse_span(std::string_view text);  // "1s..2s"; "1s..": for ever
std::string format_span(const Span& span);

// "a,b,c" -> a b c; an empty text is one empty part.
std::vector<std::string_view> split_text(std::string_view text, char at);
// "key=value" -> key, value
std::optional<std::pair<std::string_view, std::string_view>> split_pair(std::string_view text,
                                                                        std::string_view at);

}  // namespace conclave::simulator
