#include "conclave/browser/request.hpp"

#include <algorithm>

#include "conclave/core/text.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/scenario/validate.hpp"

namespace conclave::browser {

namespace {

constexpr std::size_t longest_request = 1 << 20;
constexpr std::uint32_t most_nodes = 1000;  // more columns than any screen has pixels to show

std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

}  // namespace

Request read_request(std::string_view text, std::string& problem) {
    Request request;
    if (text.size() > longest_request) {
        problem = "this is " + std::to_string(text.size()) + " bytes long: give at most " +
                  std::to_string(longest_request);
        return request;
    }
    const std::string_view first = take_line(text);
    const auto pair = simulator::split_pair(first, " ");
    request.verb = pair ? pair->first : first;
    request.argument = pair ? pair->second : "";
    request.body = text;
    if (request.verb == "import") return request;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.empty()) continue;
        const auto said = simulator::split_pair(line, "=");
        if (!said) {
            problem = "'" + std::string(line.substr(0, 80)) +
                      "' is no part of a scenario: give word=value, such as nodes=5";
            return request;
        }
        const std::string name(said->first);
        request.given.push_back({name, std::string(said->second), name});
    }
    return request;
}

std::string read_run(const std::vector<options::Given>& given, Run& run) {
    const bool recorded = std::any_of(
        given.begin(), given.end(), [](const options::Given& s) { return s.name == "recording"; });
    std::string problem;
    if (recorded) {
        auto file = simulator::read_recording(given, "this link");
        problem = file.problem;
        run.scenario = std::move(file.recording.scenario);
        run.replay = std::move(file.recording.decisions);
    } else {
        problem = simulator::tell_sound(run.scenario, given);
    }
    if (problem.empty() && run.scenario.nodes > most_nodes)
        problem = "nodes cannot be '" + std::to_string(run.scenario.nodes) +
                  "' here: the page shows at most " + std::to_string(most_nodes) +
                  ", conclave sim runs more";
    return problem;
}

std::string problem_json(std::string_view sentence) {
    return "{\"problem\":" + quote(sentence) + "}";
}

std::string unknown_request(const Request& request) {
    return problem_json("there is no request '" + request.verb +
                        "': the page is of another version than its module, load it anew");
}

std::string words_json(const std::vector<options::Given>& given) {
    std::string list;
    for (const options::Given& saying : given)
        list += (list.empty() ? "[" : ",[") + quote(saying.name) + "," + quote(saying.value) + "]";
    return "[" + list + "]";
}

}  // namespace conclave::browser
