// Scenarios as TOML files: every option of the command line is a key, docs/scenarios.md lists them.
#pragma once

#include <string>
#include <string_view>

#include "conclave/options/toml_file.hpp"
#include "conclave/simulator/scenario/words.hpp"

namespace conclave::simulator {

// `name` is the file's, for sentences like "crash.toml:3:9: there is no option crahs: ...".
options::FileGiven read_toml(std::string_view text, std::string_view name);

// Reads back as an equal scenario.
std::string to_toml(const Scenario& scenario);

}  // namespace conclave::simulator
