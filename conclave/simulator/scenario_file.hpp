// Scenarios as TOML files: every word of the command line is a key, docs/scenarios.md lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conclave/simulator/scenario.hpp"
#include "conclave/simulator/words.hpp"

namespace conclave::simulator {

// What a file says, still to be told to a scenario; or one sentence about why it cannot be read.
struct FileSayings {
    std::vector<Saying> sayings;
    std::string problem;
};

// `name` is the file's, for sentences like "crash.toml:3:9: there is no 'crahs': ...".
FileSayings read_toml(std::string_view text, std::string_view name);

// Reads back as an equal scenario.
std::string to_toml(const Scenario& scenario);

}  // namespace conclave::simulator
