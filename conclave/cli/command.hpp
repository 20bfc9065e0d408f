// A verb of the tool and what it takes on the command line.
//
// Everything wrong with a command line ends in one sentence on stderr and exit code 2.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conclave::cli {

enum Exit : int { yes = 0, no = 1, bad_input = 2, limit_reached = 3 };

// Thrown by a verb: one sentence that names the field, the value and what would be right.
struct Refusal {
    std::string sentence;
    int code = Exit::bad_input;
};

// What a verb declares before the command line is read; the variables are filled by reading it.
class Command {
public:
    // A word without a name, such as the algorithm; may be left out.
    void argument(std::string name, std::string purpose, std::string& into);
    // Any number of words without a name.
    void arguments(std::string name, std::string purpose, std::vector<std::string>& into);
    // Whatever stands behind --, such as a command with options of its own.
    void rest(std::string name, std::string purpose, std::vector<std::string>& into);
    void value(std::string name, std::string form, std::string purpose,
               std::optional<std::string>& into);
    // May be given again and again.
    void values(std::string name, std::string form, std::string purpose,
                std::vector<std::string>& into);
    void flag(std::string name, std::string purpose, bool& into);
    // --name, or --name=false where something else says true; empty: neither was given.
    void flag(std::string name, std::string purpose, std::optional<bool>& into);
    // --name or --name VALUE: `into` is then empty or the value.
    void maybe_value(std::string name, std::string form, std::string purpose,
                     std::optional<std::string>& into);
    // What follows stands under this heading in the help.
    void heading(std::string title);

    struct Entry {
        enum class Kind : std::uint8_t {
            argument,
            arguments,
            rest,
            value,
            values,
            flag,
            maybe_value,
            heading
        };
        Kind kind;
        std::string name, form, purpose;
        std::string* text = nullptr;
        std::optional<std::string>* maybe = nullptr;
        std::vector<std::string>* list = nullptr;
        bool* set = nullptr;
        std::optional<bool>* maybe_set = nullptr;
    };
    std::span<const Entry> entries() const { return entries_; }

private:
    std::vector<Entry> entries_;
};

struct Verb {
    std::string_view name;
    std::string_view purpose;  // completes "conclave NAME ..."
    std::vector<std::string_view> examples;
    // Declares what the verb takes and returns what it does; that returns the exit code.
    std::function<int()> (*prepare)(Command& command);
    // Another program performs these words: then this does not return. Null, or a return: this
    // program does.
    void (*pass_on)(const std::vector<std::string>& given) = nullptr;
    std::string_view typed = name;  // the words behind "conclave" on the command line

    std::string call() const { return "conclave " + std::string(typed); }
};

// Reads the words behind the verb's name. Throws a Refusal; false: --help was asked for.
bool read_command(const Verb& verb, const Command& command, const std::vector<std::string>& given);
std::string help_text(const Verb& verb, const Command& command);

}  // namespace conclave::cli
