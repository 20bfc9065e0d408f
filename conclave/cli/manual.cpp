// Manual pages and the reference of options, from the verbs' tables.
#include <algorithm>

#include "conclave/cli/help.hpp"

namespace conclave::cli {

namespace {

using options::Row;

std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (c == '\'')
            out += "\\(aq";
        else
            out += c;
    }
    return out.starts_with('.') ? "\\&" + out : out;
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return out;
}

// The purpose as a phrase behind a dash, as manual pages have it.
std::string phrase(std::string_view purpose) {
    return std::string(purpose.substr(0, purpose.find_last_not_of('.') + 1));
}

std::string escape_cell(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

}  // namespace

std::string page_name(const Verb& verb) {
    std::string name = verb.call();
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

std::string manual_page(const Verb& verb) {
    const std::string name = page_name(verb);
    std::string text = ".TH " + upper(name) + " 1 \"\" conclave \"User Commands\"\n.SH NAME\n" +
                       roff(name) + " \\- " + roff(phrase(verb.summary.purpose)) +
                       "\n.SH SYNOPSIS\n.B " + roff(usage(verb)) + "\n.SH DESCRIPTION\n" +
                       roff(verb.call()) + " " + roff(phrase(verb.summary.purpose)) + ".\n";
    text += ".SH OPTIONS\n";
    for (const options::Section& section : verb.takes) {
        if (!section.title.empty()) text += ".SS " + roff(section.title) + "\n";
        for (const Row& row : section.rows)
            text += ".TP\n.B " + roff(spelled(row)) + "\n" + roff(full_help(row)) + "\n";
    }
    text += ".TP\n.B \\-\\-help\nprint a summary of these options\n.SH EXAMPLES\n.EX\n";
    for (const std::string_view example : verb.summary.examples) text += roff(example) + "\n";
    return text + ".EE\n.SH SEE ALSO\n.BR conclave (1)\n";
}

std::string reference(const Program& program) {
    std::string text;
    for (const Group& group : program.groups)
        for (const auto& make : group.verbs) {
            const Verb verb = make();
            if (verb.takes.empty()) continue;  // another program's
            text += "\n## " + verb.call() + "\n\n`" + usage(verb) + "` " +
                    phrase(verb.summary.purpose) + ".\n";
            for (const options::Section& section : verb.takes) {
                text += "\n| " + std::string(section.title.empty() ? "options" : section.title) +
                        " | |\n|---|---|\n";
                for (const Row& row : section.rows)
                    text += "| `" + escape_cell(spelled(row)) + "` | " +
                            escape_cell(full_help(row)) + " |\n";
            }
        }
    return text;
}

}  // namespace conclave::cli
