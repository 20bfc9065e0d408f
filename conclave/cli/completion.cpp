// Completion of verbs, options and values for bash, zsh and fish.
#include "conclave/cli/help.hpp"

namespace conclave::cli {

namespace {

using options::Hint;
using options::Row;

// The values that a form lists: "stay|leave" -> "stay leave"; none where one of them is a form.
std::string choices(const Row& row) {
    if (row.form.find('|') == std::string_view::npos) return {};
    std::string words;
    for (const std::string_view choice : options::split_text(row.form, '|')) {
        const bool plain =
            !choice.empty() &&
            choice.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos;
        if (plain) words += (words.empty() ? "" : " ") + std::string(choice);
    }
    return words;
}

template <class Use>
void for_each_verb(const Program& program, const Use& use) {
    for (const Group& group : program.groups)
        for (const auto& make : group.verbs) use(make());
}
template <class Use>
void for_each_option(const Verb& verb, const Use& use) {
    for (const options::Section& section : verb.takes)
        for (const Row& row : section.rows)
            if (row.named()) use(row);
}

std::string bash_value(const Row& row) {
    const std::string names = choices(row);
    if (!names.empty()) return "COMPREPLY=($(compgen -W '" + names + "' -- \"$word\"))";
    switch (row.hint) {
        case Hint::file: return "COMPREPLY=($(compgen -f -- \"$word\"))";
        case Hint::folder: return "COMPREPLY=($(compgen -d -- \"$word\"))";
        case Hint::interface:
            return "COMPREPLY=($(compgen -W \"$(ls /sys/class/net)\" -- \"$word\"))";
        case Hint::none: break;
    }
    return "COMPREPLY=()";
}

std::string bash_verb(const Verb& verb) {
    std::string options, values;
    for_each_option(verb, [&](const Row& row) {
        const std::string name = "--" + std::string(row.name);
        options += name + " ";
        if (row.kind != options::Kind::flag)
            values += "                " + name + ") " + bash_value(row) + "; return ;;\n";
    });
    return "        '" + std::string(verb.summary.name) + "')\n            case $before in\n" +
           values + "            esac\n            COMPREPLY=($(compgen -W '" + options +
           "--help' -- \"$word\")) ;;\n";
}

std::string bash(const Program& program) {
    std::string names, verbs, pairs;
    for_each_verb(program, [&](const Verb& verb) {
        const std::string name(verb.summary.name);
        names += (names.empty() ? "" : " ") + name;
        if (name.find(' ') != std::string::npos) pairs += (pairs.empty() ? "'" : "|'") + name + "'";
        verbs += bash_verb(verb);
    });
    const std::string function = program.name == "conclave" ? "_conclave" : "_conclave_lab";
    std::string text = "# Completion for " + std::string(program.name) + " in bash.\n" + function +
                       "() {\n    local word=${COMP_WORDS[COMP_CWORD]} "
                       "before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}\n";
    if (!pairs.empty())
        text += "    case \"$verb ${COMP_WORDS[2]}\" in\n        " + pairs +
                ") verb+=\" ${COMP_WORDS[2]}\" ;;\n    esac\n";
    text += "    if ((COMP_CWORD == 1)); then\n        COMPREPLY=($(compgen -W '" + names +
            " help' -- \"$word\"))\n        return\n    fi\n    case $verb in\n" + verbs +
            "    esac\n}\n";
    return text + "complete -o default -F " + function + " " + std::string(program.name) + "\n";
}

std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string zsh(const Program& program) {
    // zsh runs bash's completion.
    return "#compdef " + std::string(program.name) +
           "\nautoload -U +X bashcompinit && bashcompinit\n" + bash(program);
}

std::string fish_option(const std::string& program, const std::string& verb, const Row& row) {
    std::string line = "complete -c " + program + " -n \"__fish_seen_subcommand_from " +
                       verb.substr(0, verb.find(' ')) + "\" -l " + std::string(row.name) + " -d " +
                       quoted(full_help(row));
    if (row.kind != options::Kind::flag) line += row.hint == Hint::file ? " -rF" : " -x";
    if (const std::string names = choices(row); !names.empty()) line += " -a '" + names + "'";
    return line + "\n";
}

std::string fish(const Program& program) {
    const std::string name(program.name);
    std::string text = "# Completion for " + name + " in fish.\n";
    for_each_verb(program, [&](const Verb& verb) {
        const std::string typed(verb.summary.name);
        text += "complete -c " + name + " -f -n __fish_use_subcommand -a " + quoted(typed) +
                " -d " + quoted(verb.summary.purpose) + "\n";
        for_each_option(verb, [&](const Row& row) { text += fish_option(name, typed, row); });
    });
    return text;
}

}  // namespace

std::string completion(const Program& program, std::string_view shell) {
    if (shell == "bash") return bash(program);
    if (shell == "zsh") return zsh(program);
    return shell == "fish" ? fish(program) : std::string();
}

}  // namespace conclave::cli
