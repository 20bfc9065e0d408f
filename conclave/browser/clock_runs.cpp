#include "conclave/browser/clock_runs.hpp"

#include "conclave/browser/engine_json.hpp"
#include "conclave/core/text.hpp"
#include "conclave/simulator/time/time_run.hpp"

namespace conclave::browser {

namespace {

using simulator::TimeScenario;

constexpr std::uint32_t most_clocks = 100;

std::string check_size(const TimeScenario& scenario) {
    const std::uint32_t nodes = scenario.world.nodes;
    if (nodes > most_clocks)
        return "nodes cannot be '" + std::to_string(nodes) + "' here: the page shows at most " +
               std::to_string(most_clocks) + " clocks, conclave timed sim runs more";
    const std::int64_t moments = scenario.world.until.value_or(Time{0}) / scenario.look;
    if (moments > most_points / nodes)
        return "until cannot be '" + format_duration(*scenario.world.until) +
               "' here: " + std::to_string(nodes) + " clocks every " +
               format_duration(scenario.look) + " are more than " + std::to_string(most_points) +
               " points, give an earlier end";
    return {};
}

std::string list_words() {
    std::string list;
    for (const options::Row& row : simulator::time_rows())
        list += (list.empty() ? "" : ",") + row_json(row);
    return "{\"words\":[" + list + "]}";
}

std::string run_clocks(const TimeScenario& scenario) {
    return "{\"words\":" + words_json(to_given(scenario)) +
           ",\"file\":" + quote(to_toml(scenario)) +
           ",\"outcome\":" + to_json(scenario, run_time(scenario)) + "}";
}

// A scenario as the files of conclave timed sim have it.
std::string import_clocks(std::string_view text) {
    TimeScenario scenario = simulator::usual_time_scenario();
    std::string problem = read_time_scenario(scenario, text, "the file");
    if (problem.empty()) problem = read_clocks(to_given(scenario), scenario);
    if (!problem.empty()) return problem_json(problem);
    return "{\"words\":" + words_json(to_given(scenario)) + "}";
}

}  // namespace

std::string read_clocks(const std::vector<options::Given>& given, TimeScenario& scenario) {
    scenario = simulator::usual_time_scenario();
    std::string problem = simulator::tell_time(scenario, given);
    if (!problem.empty()) return problem;
    const auto problems = validate_time(scenario);
    return problems.empty() ? check_size(scenario) : problems.front();
}

std::string answer_clocks(std::string_view text) {
    std::string problem;
    const Request request = read_request(text, problem);
    if (!problem.empty()) return problem_json(problem);
    if (request.verb == "words") return list_words();
    if (request.verb == "import") return import_clocks(request.body);
    if (request.verb != "clocks") return unknown_request(request);
    TimeScenario scenario;
    problem = read_clocks(request.given, scenario);
    return problem.empty() ? run_clocks(scenario) : problem_json(problem);
}

}  // namespace conclave::browser
