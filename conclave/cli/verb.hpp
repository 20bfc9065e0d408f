// A verb of a program: what it takes on the command line, and what it does.
//
// Everything wrong with a command line ends in one sentence on stderr and exit code 2.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/options/option_table.hpp"

namespace conclave::cli {

enum Exit : int { yes = 0, no = 1, bad_input = 2, limit_reached = 3 };

// Thrown by a verb: one sentence that names the field, the value and what would be right.
struct Refusal {
    std::string sentence;
    int code = Exit::bad_input;
};
inline void refuse_if(const std::string& problem) {
    if (!problem.empty()) throw Refusal{problem};
}

using Givens = std::vector<options::Given>;

struct Summary {
    std::string_view name;     // one word, or two: "timed status"
    std::string_view purpose;  // completes "conclave NAME ..."
    std::vector<std::string_view> examples{};
    std::string_view typed{};  // the words behind "conclave", where they are not the name
};

struct Verb {
    Summary summary;
    std::vector<options::Section> takes{};
    // Returns the exit code. Null: only pass_on is called.
    std::function<int(Givens)> run{};
    // Another program performs these words. It does not return.
    void (*pass_on)(const std::vector<std::string>& words) = nullptr;

    std::string call() const {
        return "conclave " + std::string(summary.typed.empty() ? summary.name : summary.typed);
    }
    std::string lists() const { return call() + " --help lists what there is"; }
};

// A verb whose whole command line is one table of options.
template <class Settings>
Verb make_verb(Summary summary, const options::Table<Settings>& table,
               int (*run)(const Settings& settings)) {
    Verb verb{std::move(summary), table.sections()};
    verb.run = [table, run, otherwise = verb.lists()](const Givens& given) {
        Settings settings;
        refuse_if(table.read(given, settings, otherwise));
        return run(settings);
    };
    return verb;
}

// The words behind the verb's name, as values of its rows. Throws a Refusal; `help` is set where
// --help was asked for.
Givens read_words(const Verb& verb, std::span<const std::string> words, bool& help);

}  // namespace conclave::cli
