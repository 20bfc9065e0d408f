#include "conclave/simulator/recording.hpp"

#include <algorithm>

#include "conclave/core/check.hpp"
#include "conclave/core/text.hpp"
#include "conclave/simulator/layout.hpp"
#include "conclave/simulator/scenario_file.hpp"
#include "conclave/simulator/script.hpp"
#include "conclave/simulator/spelling.hpp"
#include "conclave/simulator/storm.hpp"
#include "conclave/simulator/validate.hpp"

namespace conclave::simulator {

namespace {

// The version that `sayings` name; takes the saying out.
std::string take_version(std::vector<Saying>& sayings, std::string_view name) {
    const auto found = std::find_if(sayings.begin(), sayings.end(),
                                    [](const Saying& s) { return s.word == "recording"; });
    if (found == sayings.end())
        return std::string(name) +
               " is not a recording: give a file that --record wrote, or use --scenario";
    const Saying version = std::move(*found);
    sayings.erase(found);
    if (parse_number<int>(version.value) == recording_version) return {};
    return version.where + "recording cannot be '" + version.value + "': this conclave reads " +
           std::to_string(recording_version) + ", record the run anew";
}

std::string find_algorithm(std::span<const Saying> sayings) {
    const auto found = std::find_if(sayings.begin(), sayings.end(),
                                    [](const Saying& s) { return s.word == "algorithm"; });
    return found == sayings.end() ? "" : found->value;
}

bool about_known(const Decision& decision, std::uint32_t nodes) {
    const auto known = [&](Id id) { return static_cast<std::uint32_t>(id) <= nodes; };
    return known(decision.from) &&
           (known(decision.to) || decision.to == everyone || decision.purpose == Purpose::fire);
}

std::string read_decisions(std::span<const Saying> lines, Recording& recording) {
    const Engine& engine = *find_engine(recording.scenario.algorithm);
    for (const Saying& line : lines) {
        const auto decision = parse_decision(line.value, engine);
        if (!decision)
            return line.where + "decisions cannot have '" + line.value +
                   "': give lines such as lose 3>4 #17 or delay 3>4 #2 = 250us";
        if (!about_known(decision->first, recording.scenario.nodes))
            return line.where + "decisions cannot have '" + line.value + "': ids run from 1 to " +
                   text(recording.scenario.nodes);
        recording.decisions[decision->first] = decision->second;
    }
    return {};
}

}  // namespace

Recording make_recording(const Scenario& scenario, const DecisionLog& decided) {
    Recording recording{brew(scenario), decided};
    Decisions decisions(scenario.seed);
    if (scenario.order.how == Order::How::random)
        recording.scenario.order = {Order::How::listed, lay_out(scenario, decisions).ring};
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

RecordingFile read_recording(std::string_view text, std::string_view name,
                             std::span<const Saying> more) {
    RecordingFile file;
    FileSayings said = read_toml(text, name);
    file.problem = said.problem;
    if (file.problem.empty()) file.problem = take_version(said.sayings, name);
    if (!file.problem.empty()) return file;

    std::vector<Saying> lines;
    const auto is_line = [](const Saying& s) { return s.word == "decisions"; };
    std::copy_if(said.sayings.begin(), said.sayings.end(), std::back_inserter(lines), is_line);
    std::erase_if(said.sayings, is_line);

    const std::string recorded = find_algorithm(said.sayings), asked = find_algorithm(more);
    if (!asked.empty() && asked != recorded) {
        file.problem = std::string(name) + " is a recording of " + recorded + ", not of " + asked +
                       ": leave the algorithm out";
        return file;
    }
    said.sayings.insert(said.sayings.end(), more.begin(), more.end());
    file.problem = tell_recorded(file.recording.scenario, said.sayings);
    if (file.problem.empty()) file.problem = read_decisions(lines, file.recording);
    return file;
}

}  // namespace conclave::simulator
