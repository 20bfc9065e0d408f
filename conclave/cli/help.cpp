#include "conclave/cli/help.hpp"

#include <algorithm>

namespace conclave::cli {

namespace {

using options::Kind;
using options::Row;
constexpr std::size_t help_column = 28, help_width = 80;

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

std::string line_of(const std::string& left, std::string_view right) {
    std::string line = "  " + left;
    if (line.size() + 2 > help_column)
        line += "\n" + std::string(help_column, ' ');
    else
        line.resize(help_column, ' ');
    return line + wrap(right, help_column);
}

}  // namespace

std::string full_help(const Row& row) {
    return std::string(row.help) +
           (row.usual.empty() ? "" : " (default: " + std::string(row.usual) + ")");
}

std::string spelled(const Row& row) {
    std::string name(row.name);
    const std::string form(row.form);
    switch (row.kind) {
        case Kind::argument: return name;
        case Kind::arguments: return name + "...";
        case Kind::rest: return "-- " + name + "...";
        case Kind::flag: return "--" + name;
        case Kind::maybe: return "--" + name + " [" + form + "]";
        case Kind::once:
        case Kind::often: break;
    }
    return "--" + name + " " + form;
}

std::string usage(const Verb& verb) {
    std::string words = verb.call(), tail;
    bool options = false;
    for (const options::Section& section : verb.takes)
        for (const Row& row : section.rows) {
            if (row.named()) options = true;
            if (row.kind == Kind::rest) tail = " [" + spelled(row) + "]";
            if (row.kind == Kind::argument || row.kind == Kind::arguments)
                words += " [" + spelled(row) + "]";
        }
    return words + (options ? " [OPTION]..." : "") + tail;
}

std::string help_text(const Verb& verb) {
    std::string text =
        verb.call() + " " + std::string(verb.summary.purpose) + "\n\nusage: " + usage(verb) + "\n";
    for (const options::Section& section : verb.takes) {
        if (!section.title.empty()) text += "\n" + std::string(section.title) + "\n";
        for (const Row& row : section.rows) text += line_of(spelled(row), full_help(row));
    }
    text += line_of("--help", "print this text");
    if (!verb.summary.examples.empty()) text += "\nexamples\n";
    for (const std::string_view example : verb.summary.examples)
        text += "  " + std::string(example) + "\n";
    return text;
}

std::string help_text(const Program& program) {
    const std::string name(program.name);
    std::string text = std::string(program.purpose) + "\n\nusage: " + name + " VERB [OPTION]...\n";
    for (const Group& group : program.groups) {
        text += "\n" + std::string(group.title) + "\n";
        for (const auto& make : group.verbs) {
            const Verb verb = make();
            std::string column(verb.summary.name);
            column.resize(std::max<std::size_t>(column.size() + 2, 18), ' ');
            text += "  " + column + std::string(verb.summary.purpose) + "\n";
        }
    }
    return text + "\n" + name + " help VERB says more; " + name +
           " --version (-V) prints the version.\n";
}

}  // namespace conclave::cli
