// A network of time daemons for the page: the words of conclave timed sim's files in lines, the
// answer of conclave timed sim --json in JSON. Apart, because its module is loaded on demand.
#pragma once

#include <string>
#include <string_view>

#include "conclave/browser/request.hpp"
#include "conclave/simulator/time/time_scenario.hpp"

namespace conclave::browser {

// More clocks at more moments than this are not shown.
inline constexpr std::int64_t most_points = 400'000;

// words, clocks, import. Nothing throws, as in answer().
std::string answer_clocks(std::string_view request);

// Empty, or one sentence.
std::string read_clocks(const std::vector<options::Given>& given,
                        simulator::TimeScenario& scenario);

}  // namespace conclave::browser
