#include "conclave/cli/program.hpp"

#include <cstdio>
#include <exception>

#include "conclave/core/nearest.hpp"

namespace conclave::cli {

namespace {

std::string program_help(const Program& program) {
    const std::string name(program.name);
    std::string text = std::string(program.purpose) + "\n\nusage: " + name + " VERB [OPTION]...\n";
    for (const Group& group : program.groups) {
        text += "\n" + std::string(group.title) + "\n";
        for (const auto& make : group.verbs) {
            const Verb verb = make();
            std::string column(verb.name);
            column.resize(11, ' ');
            text += "  " + column + std::string(verb.purpose) + "\n";
        }
    }
    return text + "\n" + name + " VERB --help says more; " + name + " --version says which " +
           name + " this is.\n";
}

int perform(const Verb& verb, const std::vector<std::string>& given) {
    if (verb.pass_on != nullptr) verb.pass_on(given);
    Command command;
    const std::function<int()> run = verb.prepare(command);
    if (read_command(verb, command, given)) return run();
    std::fputs(help_text(verb, command).c_str(), stdout);
    return Exit::yes;
}

int perform_verb(const Program& program, const std::string& name,
                 const std::vector<std::string>& given) {
    std::vector<std::string_view> names;
    for (const Group& group : program.groups)
        for (const auto& make : group.verbs) {
            const Verb verb = make();
            if (name == verb.name) return perform(verb, given);
            names.push_back(verb.name);
        }
    const std::string_view meant = nearest(name, names);
    throw Refusal{"there is no verb '" + name + "': " +
                  (meant.empty() ? std::string(program.name) + " --help lists what there is"
                                 : "did you mean " + std::string(meant) + "?")};
}

int run_words(const Program& program, const std::vector<std::string>& words) {
    const std::string first = words.empty() ? "--help" : words.front();
    if (first == "--version") {
        std::printf("%s %s\n", std::string(program.name).c_str(), CONCLAVE_VERSION);
        return Exit::yes;
    }
    if (first == "--help" || first == "-h" || first == "help") {
        std::fputs(program_help(program).c_str(), words.empty() ? stderr : stdout);
        return words.empty() ? Exit::bad_input : Exit::yes;
    }
    return perform_verb(program, first, {words.begin() + 1, words.end()});
}

}  // namespace

int run_program(const Program& program, int count, char** words) {
    try {
        return run_words(program, {words + 1, words + count});
    } catch (const Refusal& refusal) {
        std::fprintf(stderr, "conclave: %s\n", refusal.sentence.c_str());
        return refusal.code;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "conclave: this cannot be done (%s)\n", error.what());
    }
    return Exit::bad_input;
}

}  // namespace conclave::cli
