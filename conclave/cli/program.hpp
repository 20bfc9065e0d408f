// A program that consists of verbs: conclave and conclave-lab.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conclave/cli/verb.hpp"

namespace conclave::cli {

// Verbs that belong together, under a title in the help.
struct Group {
    std::string_view title;
    std::span<Verb (*const)()> verbs;
};

struct Program {
    std::string_view name;
    std::string_view purpose;  // a sentence
    std::span<const Group> groups;
    std::string (*features)() = nullptr;  // one line for --version: what not every build can do
};

// Finds the verb, lets it read its words, and turns what it throws into one sentence and an exit
// code.
int run_program(const Program& program, int count, char** words);

}  // namespace conclave::cli
