// A run that can be done again: the scenario with nothing left to chance but what the decisions
// say.
//
// As a file it is a scenario file with two more keys, `recording` for the version of the form and
// `decisions`, one line for each choice that differed from the usual:
//
//   lose 3>4 #17            the 17th message that 3 sends does not reach 4
//   deliver 3>4 #17         it does, which only an override need say
//   delay 3>4 #2 = 250us    it takes that long; 3>all where a broadcast takes equally long to all
//   duplicate 3>4 #2 = 1ms  it comes again so much later
//   reorder 3>4 #2 = 1ms    it falls back by that much
//   choose 3 #1 = 2         the first choice of 3
//   fire 3 Answers #2 = 5ms the second timer that 3 sets, Answers, goes off after that long
//   read 3 #4 = 2ms         the clock of 3 shows that at its fourth turn
//   miss 3:5 #1             3 never learns of the first crash or recovery of 5
//   notice 3:5 #1 = 5ms     it learns so much later
//   offset 3 = 5ms, drift 3 = 20.5, wander 3 #2 = 0.1: the clock of 3; drift and wander in ppm
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/scenario/scenario.hpp"
#include "conclave/simulator/scenario/words.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::simulator {

inline constexpr int recording_version = 1;

struct Recording {
    Scenario scenario;
    DecisionLog decisions;
};

// The scenario and what was decided in a run of it, as a recording that replays that run.
Recording make_recording(const Scenario& scenario, const DecisionLog& decided);
// Runs the scenario and records it.
Recording record_run(const Scenario& scenario);
Outcome replay_run(const Recording& recording, trace::Trace* trace = nullptr);

std::string to_toml(const Recording& recording);

// `more` is what the command line adds. A problem is one sentence.
struct RecordingFile {
    Recording recording;
    std::string problem;
};
RecordingFile read_recording(std::string_view text, std::string_view name,
                             std::span<const options::Given> more = {});
// The same from what such a file says, key by key.
RecordingFile read_recording(std::vector<options::Given> said, std::string_view name,
                             std::span<const options::Given> more = {});
// Key by key, what its file says.
std::vector<options::Given> to_given(const Recording& recording);

// Whether all nodes that the decision names are there.
bool concerns_known(const Decision& decision, std::uint32_t nodes);

// One line of `decisions`, or of `override`.
std::string format_decision(const Decision& decision, std::int64_t value, const Engine& engine);
std::optional<std::pair<Decision, std::int64_t>> parse_decision(std::string_view line,
                                                                const Engine& engine);

}  // namespace conclave::simulator
