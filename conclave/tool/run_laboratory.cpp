#include "conclave/tool/run_laboratory.hpp"

#include <unistd.h>

#include "conclave/process/own_program.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

constexpr const char* program = "conclave-lab";

template <const LaboratoryVerb& verb>
void pass_on(const std::vector<std::string>& given) {
    become_laboratory(verb, given);
}

template <const LaboratoryVerb& verb>
Verb passed_on() {
    return {.summary = {verb.typed, verb.purpose}, .pass_on = pass_on<verb>};
}

}  // namespace

void become_laboratory(const LaboratoryVerb& verb, std::span<const std::string> given) {
    std::vector<std::string> words{program, std::string(verb.name)};
    words.insert(words.end(), given.begin(), given.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const auto here = process::program_folder();
    execv((here / program).c_str(), arguments.data());
    execvp(program, arguments.data());
    throw Refusal{"'" + std::string(verb.typed) +
                  "' is done by conclave-lab, which is neither in " + here.string() +
                  " nor on the PATH: install the package conclave-lab"};
}

Verb list_verb() { return passed_on<list_in_laboratory>(); }
Verb sim_verb() { return passed_on<sim_in_laboratory>(); }
Verb check_verb() { return passed_on<check_in_laboratory>(); }
Verb claims_verb() { return passed_on<claims_in_laboratory>(); }
Verb lab_verb() { return passed_on<lab_in_laboratory>(); }
Verb timed_sim_verb() { return passed_on<timed_sim_in_laboratory>(); }

}  // namespace conclave::cli
