// The words in which a scenario is told: --crash 3@2s on the command line, crash = "3@2s" in a
// file.
//
// One table says how each word is read, how it is written and what it is for. The command line, its
// help, scenario files and recordings are all made from it, so that they cannot drift apart.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/simulator/scenario.hpp"

namespace conclave::simulator {

struct Word {
    enum class Kind : std::uint8_t { once, often, flag };  // often: each one adds to the last

    std::string_view name;
    Kind kind;
    std::string_view form;     // "ID@T"
    std::string_view example;  // "3@2s"
    std::string_view purpose;
    // False: the value makes no sense. `remedy` may say what would; else the form does.
    bool (*read)(Scenario& scenario, std::string_view value, std::string& remedy);
    // The values that make a fresh scenario like this one; none where it is as usual.
    std::vector<std::string> (*write)(const Scenario& scenario);
};

std::span<const Word> words();
const Word* find_word(std::string_view name);

// One word as somebody said it.
struct Saying {
    std::string word;
    std::string value;
    std::string where;  // "crash.toml:3:9: ", or nothing
};

// Does what they say, the algorithm first because others name its messages. Empty, or a sentence.
std::string tell(Scenario& scenario, std::span<const Saying> sayings);

// All that is needed to tell this scenario to a fresh one.
std::vector<Saying> to_sayings(const Scenario& scenario);

// The same as a command that a shell understands: "conclave sim bully --crash 3@2s --seed 7".
std::string to_command(const Scenario& scenario);

}  // namespace conclave::simulator
