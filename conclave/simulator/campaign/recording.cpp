#include "conclave/simulator/campaign/recording.hpp"

#include <algorithm>

#include "conclave/core/check.hpp"
#include "conclave/core/text.hpp"
#include "conclave/simulator/campaign/storm.hpp"
#include "conclave/simulator/scenario/scenario_file.hpp"
#include "conclave/simulator/scenario/script.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "conclave/simulator/world/layout.hpp"

namespace conclave::simulator {

namespace {

// The version that `given` name; takes the saying out.
std::string take_version(std::vector<options::Given>& given, std::string_view name) {
    const auto found = std::find_if(given.begin(), given.end(),
                                    [](const options::Given& s) { return s.name == "recording"; });
    if (found == given.end())
        return std::string(name) +
               " is not a recording: give a file that --record wrote, or use --scenario";
    const options::Given version = std::move(*found);
    given.erase(found);
    if (parse_number<int>(version.value) == recording_version) return {};
    return (version.where.empty() ? version.name : version.where) + " cannot be '" + version.value +
           "': this conclave reads " + std::to_string(recording_version) + ", record the run anew";
}

std::string find_algorithm(std::span<const options::Given> given) {
    const auto found = std::find_if(given.begin(), given.end(),
                                    [](const options::Given& s) { return s.name == "algorithm"; });
    return found == given.end() ? "" : found->value;
}

std::string read_decisions(std::span<const options::Given> lines, Recording& recording) {
    const Engine& engine = *find_engine(recording.scenario.algorithm);
    for (const options::Given& line : lines) {
        const auto decision = parse_decision(line.value, engine);
        if (!decision)
            return (line.where.empty() ? line.name : line.where) + " cannot have '" + line.value +
                   "': give lines such as lose 3>4 #17 or delay 3>4 #2 = 250us";
        if (!concerns_known(decision->first, recording.scenario.nodes))
            return (line.where.empty() ? line.name : line.where) + " cannot have '" + line.value +
                   "': ids run from 1 to " + text(recording.scenario.nodes);
        recording.decisions[decision->first] = decision->second;
    }
    return {};
}

}  // namespace

Recording make_recording(const Scenario& scenario, const DecisionLog& decided) {
    Recording recording{brew(scenario), decided};
    recording.scenario.overrides.clear();  // what was decided has them
    Decisions decisions(scenario.seed);
    if (scenario.order.how == Order::How::random)
        recording.scenario.order = {Order::How::listed, lay_out(scenario, decisions).ring};
    if (find_engine(scenario.algorithm)->card->network == conclave::Network::graph)
        recording.scenario.graph = pinned_graph(scenario);
    for (const Suspicion& mistake : draw_mistakes(scenario, decisions))
        recording.scenario.suspicions.push_back(mistake);
    recording.scenario.detector.mistakes = 0;
    std::erase_if(recording.decisions, [](const auto& entry) {
        return entry.first.purpose == Purpose::detect && entry.first.from == nobody;
    });
    return recording;
}

Recording record_run(const Scenario& scenario) {
    const Engine* engine = find_engine(scenario.algorithm);
    check(engine != nullptr, "scenarios are validated before a run");
    DecisionLog decided;
    engine->simulate(scenario, {.record = &decided});
    return make_recording(scenario, decided);
}

Outcome replay_run(const Recording& recording, trace::Trace* trace) {
    const Engine* engine = find_engine(recording.scenario.algorithm);
    check(engine != nullptr, "scenarios are validated before a run");
    return engine->simulate(recording.scenario, {.trace = trace, .replay = &recording.decisions});
}

std::string to_toml(const Recording& recording) {
    const Engine* engine = find_engine(recording.scenario.algorithm);
    std::string file = "# Shows the run again: conclave sim --replay THIS-FILE\nrecording = " +
                       std::to_string(recording_version) + "\n" + to_toml(recording.scenario);
    if (recording.decisions.empty()) return file + "decisions = []\n";
    file += "decisions = [\n";
    for (const auto& [decision, value] : recording.decisions)
        file += "    " + quote(format_decision(decision, value, *engine)) + ",\n";
    return file + "]\n";
}

std::vector<options::Given> to_given(const Recording& recording) {
    const Engine* engine = find_engine(recording.scenario.algorithm);
    std::vector<options::Given> said = to_given(recording.scenario);
    said.push_back({"recording", std::to_string(recording_version), {}});
    for (const auto& [decision, value] : recording.decisions)
        said.push_back({"decisions", format_decision(decision, value, *engine), {}});
    return said;
}

RecordingFile read_recording(std::string_view text, std::string_view name,
                             std::span<const options::Given> more) {
    options::FileGiven file = read_toml(text, name);
    if (!file.problem.empty()) return {{}, file.problem};
    return read_recording(std::move(file.given), name, more);
}

RecordingFile read_recording(std::vector<options::Given> said, std::string_view name,
                             std::span<const options::Given> more) {
    RecordingFile file;
    file.problem = take_version(said, name);
    if (!file.problem.empty()) return file;

    std::vector<options::Given> lines;
    const auto is_line = [](const options::Given& s) { return s.name == "decisions"; };
    std::copy_if(said.begin(), said.end(), std::back_inserter(lines), is_line);
    std::erase_if(said, is_line);

    const std::string recorded = find_algorithm(said), asked = find_algorithm(more);
    if (!asked.empty() && asked != recorded) {
        file.problem = std::string(name) + " is a recording of " + recorded + ", not of " + asked +
                       ": leave the algorithm out";
        return file;
    }
    said.insert(said.end(), more.begin(), more.end());
    file.problem = tell_recorded(file.recording.scenario, said);
    if (file.problem.empty()) file.problem = read_decisions(lines, file.recording);
    for (const auto& [decision, value] : file.recording.scenario.overrides)
        file.recording.decisions[decision] = value;
    file.recording.scenario.overrides.clear();
    return file;
}

}  // namespace conclave::simulator
