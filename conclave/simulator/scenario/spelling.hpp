// How people write the small things of a scenario: odds, rates, ids, delays, spans of time.
//
// Every form is read and written here, exactly: what is written reads back as the same value, and
// no floating point is involved.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/options/forms.hpp"
#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::simulator {

using options::parse_number, options::split_pair, options::split_text;

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

}  // namespace conclave::simulator
