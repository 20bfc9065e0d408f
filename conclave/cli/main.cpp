// The tool: finds the verb, lets it read its words, and turns what it throws into one sentence.
//
// A new verb is a file with one function that returns it, and one line in verbs.hpp.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "conclave/cli/command.hpp"
#include "conclave/cli/verbs.hpp"
#include "conclave/core/nearest.hpp"

namespace conclave::cli {

namespace {

std::string tool_help() {
    std::string text =
        "conclave elects one coordinator among machines.\n\nusage: conclave VERB [OPTION]...\n\n";
    for (const auto& make : verbs) {
        std::string name(make().name);
        name.resize(11, ' ');
        text += "  " + name + std::string(make().purpose) + "\n";
    }
    return text +
           "\nconclave VERB --help says more; conclave --version says which conclave this is.\n";
}

int perform_verb(const std::string& name, std::vector<std::string> given) {
    std::vector<std::string_view> names;
    for (const auto& make : verbs) {
        const Verb verb = make();
        names.push_back(verb.name);
        if (name != verb.name) continue;
        Command command;
        const std::function<int()> run = verb.prepare(command);
        if (read_command(verb, command, std::move(given))) return run();
        std::fputs(help_text(verb, command).c_str(), stdout);
        return Exit::yes;
    }
    const std::string_view meant = nearest(name, names);
    throw Refusal{"there is no verb '" + name + "': " +
                  (meant.empty() ? "conclave --help lists what there is"
                                 : "did you mean " + std::string(meant) + "?")};
}

int run_tool(const std::vector<std::string>& words) {
    const std::string first = words.empty() ? "--help" : words.front();
    if (first == "--version") {
        std::puts("conclave " CONCLAVE_VERSION);
        return Exit::yes;
    }
    if (first == "--help" || first == "-h" || first == "help") {
        std::fputs(tool_help().c_str(), words.empty() ? stderr : stdout);
        return words.empty() ? Exit::bad_input : Exit::yes;
    }
    return perform_verb(first, {words.begin() + 1, words.end()});
}

}  // namespace

}  // namespace conclave::cli

int main(int count, char** words) {
    using namespace conclave::cli;
    try {
        return run_tool({words + 1, words + count});
    } catch (const Refusal& refusal) {
        std::fprintf(stderr, "conclave: %s\n", refusal.sentence.c_str());
        return refusal.code;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "conclave: this cannot be done (%s)\n", error.what());
    }
    return Exit::bad_input;
}
