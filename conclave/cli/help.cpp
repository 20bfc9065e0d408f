#include <algorithm>

#include "conclave/cli/command.hpp"

namespace conclave::cli {

namespace {

using Kind = Command::Entry::Kind;
constexpr std::size_t help_column = 28, help_width = 80;

std::string spelled(const Command::Entry& entry) {
    if (entry.kind == Kind::argument || entry.kind == Kind::arguments) return entry.name;
    if (entry.kind == Kind::rest) return "-- " + entry.name + "...";
    std::string option = "--" + entry.name;
    if (entry.kind == Kind::flag) return option;
    return option + (entry.kind == Kind::maybe_value ? " [" + entry.form + "]" : " " + entry.form);
}

std::string wrap(std::string_view words, std::size_t column) {
    std::string text;
    std::size_t used = column;
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(' '));
        words.remove_prefix(std::min(word.size() + 1, words.size()));
        if (used != column && used + 1 + word.size() > help_width) {
            text += "\n" + std::string(column, ' ');
            used = column;
        } else if (used != column) {
            text += ' ';
            ++used;
        }
        text += word;
        used += word.size();
    }
    return text + "\n";
}

std::string describe(const Command::Entry& entry) {
    std::string line = "  " + spelled(entry);
    if (line.size() + 2 > help_column)
        line += "\n" + std::string(help_column, ' ');
    else
        line.resize(help_column, ' ');
    return line + wrap(entry.purpose, help_column);
}

}  // namespace

std::string help_text(const Verb& verb, const Command& command) {
    std::string usage = verb.call(), body, tail;
    for (const Command::Entry& entry : command.entries()) {
        if (entry.kind == Kind::argument) usage += " [" + entry.name + "]";
        if (entry.kind == Kind::arguments) usage += " [" + entry.name + "]...";
        if (entry.kind == Kind::rest) tail = " [-- " + entry.name + "...]";
        body += entry.kind == Kind::heading ? "\n" + entry.name + "\n" : describe(entry);
    }
    std::string text = verb.call() + " " + std::string(verb.purpose) + "\n\nusage: " + usage +
                       " [OPTION]..." + tail + "\n" + body + "  --help" +
                       std::string(help_column - 8, ' ') + "this text\n\nexamples\n";
    for (const std::string_view example : verb.examples) text += "  " + std::string(example) + "\n";
    return text;
}

}  // namespace conclave::cli
