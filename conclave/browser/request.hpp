// A request of the page: a verb with perhaps an argument on the first line, then one `word=value` a
// line, with the keys of scenario and recording files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/simulator/campaign/recording.hpp"

namespace conclave::browser {

struct Request {
    std::string verb, argument;
    std::vector<options::Given> given;
    std::string_view body;  // everything behind the first line, as it came
};

// `problem` is empty, or one sentence. The body belongs to the text.
Request read_request(std::string_view text, std::string& problem);

// A run to be done: by seed and overrides, or by a recording's decisions.
struct Run {
    simulator::Scenario scenario;
    std::optional<simulator::DecisionLog> replay;
};
// Empty, or one sentence.
std::string read_run(const std::vector<options::Given>& given, Run& run);

// {"problem":"one sentence"}
std::string problem_json(std::string_view sentence);
std::string unknown_request(const Request& request);
// [["nodes","5"],...]
std::string words_json(const std::vector<options::Given>& given);

}  // namespace conclave::browser
