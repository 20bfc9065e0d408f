#include "conclave/cli/command.hpp"

#include <CLI/CLI.hpp>

#include "conclave/core/nearest.hpp"
#include "conclave/simulator/spelling.hpp"

namespace conclave::cli {

namespace {

using Kind = Command::Entry::Kind;
constexpr std::size_t help_column = 28, help_width = 80;

// CLI11's own flags take 2 and on for true, and name their conversion instead of what is wrong.
void declare_flag(CLI::App& app, const Command::Entry& entry) {
    const std::string option = "--" + entry.name;
    const auto read = [option, set = entry.set,
                       maybe_set = entry.maybe_set](const CLI::results_t& given) {
        const std::string& value = given.back();
        if (value != "true" && value != "false")
            throw Refusal{option + " cannot be '" + value + "': give true or false"};
        if (set != nullptr)
            *set = value == "true";
        else
            *maybe_set = value == "true";
        return true;
    };
    app.add_option(option, read)
        ->expected(0)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void declare(CLI::App& app, const Command::Entry& entry) {
    const std::string option = "--" + entry.name;
    switch (entry.kind) {
        case Kind::heading:
        case Kind::rest: break;
        case Kind::argument: app.add_option(entry.name, *entry.text); break;
        case Kind::arguments: app.add_option(entry.name, *entry.list); break;
        case Kind::flag: declare_flag(app, entry); break;
        case Kind::values: app.add_option(option, *entry.list)->allow_extra_args(false); break;
        case Kind::value:
            app.add_option_function<std::string>(
                   option, [into = entry.maybe](const std::string& value) { *into = value; })
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
            break;
        case Kind::maybe_value:
            app.add_option_function<std::string>(
                   option, [into = entry.maybe](const std::string& value) { *into = value; })
                ->expected(0, 1)
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
}

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
    for (const std::string_view word : simulator::split_text(words, ' ')) {
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

[[noreturn]] void refuse_extra(const Verb& verb, const Command& command, const std::string& extra) {
    std::vector<std::string> names;
    for (const Command::Entry& entry : command.entries())
        if (entry.kind != Kind::heading && entry.kind != Kind::argument &&
            entry.kind != Kind::arguments && entry.kind != Kind::rest)
            names.push_back("--" + entry.name);
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string option = extra.substr(0, extra.find('='));
    const std::string_view meant = nearest(option, known);
    const std::string help = "conclave " + std::string(verb.name) + " --help lists what there is";
    if (!extra.starts_with('-')) throw Refusal{"'" + extra + "' is one word too many: " + help};
    throw Refusal{"there is no option " + option + ": " +
                  (meant.empty() ? help : "did you mean " + std::string(meant) + "?")};
}

void refuse_rest(const Verb& verb, const Command& command, const std::vector<std::string>& given) {
    const auto all = command.entries();
    const auto takes = [](const Command::Entry& entry) { return entry.kind == Kind::rest; };
    if (std::any_of(all.begin(), all.end(), takes)) return;
    if (std::find(given.begin(), given.end(), "--") != given.end())
        throw Refusal{"conclave " + std::string(verb.name) +
                      " takes no command behind --: conclave run does"};
}

}  // namespace

void Command::argument(std::string name, std::string purpose, std::string& into) {
    entries_.push_back({Kind::argument, std::move(name), {}, std::move(purpose), &into});
}
void Command::arguments(std::string name, std::string purpose, std::vector<std::string>& into) {
    entries_.push_back(
        {Kind::arguments, std::move(name), {}, std::move(purpose), nullptr, nullptr, &into});
}
void Command::rest(std::string name, std::string purpose, std::vector<std::string>& into) {
    entries_.push_back(
        {Kind::rest, std::move(name), {}, std::move(purpose), nullptr, nullptr, &into});
}
void Command::value(std::string name, std::string form, std::string purpose,
                    std::optional<std::string>& into) {
    entries_.push_back(
        {Kind::value, std::move(name), std::move(form), std::move(purpose), nullptr, &into});
}
void Command::values(std::string name, std::string form, std::string purpose,
                     std::vector<std::string>& into) {
    entries_.push_back({Kind::values, std::move(name), std::move(form), std::move(purpose), nullptr,
                        nullptr, &into});
}
void Command::flag(std::string name, std::string purpose, bool& into) {
    entries_.push_back(
        {Kind::flag, std::move(name), {}, std::move(purpose), nullptr, nullptr, nullptr, &into});
}
void Command::flag(std::string name, std::string purpose, std::optional<bool>& into) {
    entries_.push_back({.kind = Kind::flag,
                        .name = std::move(name),
                        .form = {},
                        .purpose = std::move(purpose),
                        .maybe_set = &into});
}
void Command::maybe_value(std::string name, std::string form, std::string purpose,
                          std::optional<std::string>& into) {
    entries_.push_back(
        {Kind::maybe_value, std::move(name), std::move(form), std::move(purpose), nullptr, &into});
}
void Command::heading(std::string title) {
    entries_.push_back({Kind::heading, std::move(title), {}, {}});
}

bool read_command(const Verb& verb, const Command& command, std::vector<std::string> given) {
    refuse_rest(verb, command, given);
    CLI::App app;
    app.set_help_flag("--help,-h");
    app.allow_extras();
    for (const Command::Entry& entry : command.entries()) {
        declare(app, entry);
        const auto dashes = std::find(given.begin(), given.end(), "--");
        if (entry.kind != Kind::rest || dashes == given.end()) continue;
        entry.list->assign(dashes + 1, given.end());
        given.erase(dashes, given.end());
    }
    try {
        std::reverse(given.begin(), given.end());  // as CLI11 wants it
        app.parse(std::move(given));
    } catch (const CLI::CallForHelp&) {
        return false;
    } catch (const CLI::ParseError& error) {
        const std::string what = error.what();  // "--nodes: 1 required TEXT missing"
        const std::string option = what.substr(0, what.find(':'));
        for (const Command::Entry& entry : command.entries())
            if ("--" + entry.name == option && !entry.form.empty())
                throw Refusal{option + " has no value: give " + entry.form};
        throw Refusal{what + ": conclave " + std::string(verb.name) +
                      " --help lists what there is"};
    }
    if (const auto extras = app.remaining(); !extras.empty())
        refuse_extra(verb, command, extras.front());
    return true;
}

std::string help_text(const Verb& verb, const Command& command) {
    std::string usage = "conclave " + std::string(verb.name), body, tail;
    for (const Command::Entry& entry : command.entries()) {
        if (entry.kind == Kind::argument) usage += " [" + entry.name + "]";
        if (entry.kind == Kind::arguments) usage += " [" + entry.name + "]...";
        if (entry.kind == Kind::rest) tail = " [-- " + entry.name + "...]";
        body += entry.kind == Kind::heading ? "\n" + entry.name + "\n" : describe(entry);
    }
    std::string text = "conclave " + std::string(verb.name) + " " + std::string(verb.purpose) +
                       "\n\nusage: " + usage + " [OPTION]..." + tail + "\n" + body + "  --help" +
                       std::string(help_column - 8, ' ') + "this text\n\nexamples\n";
    for (const std::string_view example : verb.examples) text += "  " + std::string(example) + "\n";
    return text;
}

}  // namespace conclave::cli
