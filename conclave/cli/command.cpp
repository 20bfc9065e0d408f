#include "conclave/cli/command.hpp"

#include <algorithm>
#include <utility>

#include "conclave/core/nearest.hpp"

namespace conclave::cli {

namespace {

using Kind = Command::Entry::Kind;
using Entry = Command::Entry;

bool is_option(const Entry& entry) {
    return entry.kind == Kind::value || entry.kind == Kind::values || entry.kind == Kind::flag ||
           entry.kind == Kind::maybe_value;
}

// No option begins with a digit.
bool is_negative(const std::string& word) { return word[1] >= '0' && word[1] <= '9'; }

// The words behind a verb, from the left to the right.
class Reading {
public:
    Reading(const Verb& verb, const Command& command, const std::vector<std::string>& given)
        : verb_(verb), command_(command), words_(given) {}

    // False: --help was asked for.
    bool read() {
        while (!words_.empty()) {
            const std::string word = take();
            if (word == "--help" || word == "-h") return false;
            if (word == "--")
                read_rest();
            else if (word.size() > 1 && word.starts_with('-') && !is_negative(word))
                read_option(word);
            else
                read_argument(word);
        }
        return true;
    }

private:
    const Entry* find(auto matches) const {
        const auto all = command_.entries();
        const auto found = std::find_if(all.begin(), all.end(), matches);
        return found == all.end() ? nullptr : &*found;
    }

    std::string take() {
        const std::string word = words_.front();
        words_ = words_.subspan(1);
        return word;
    }

    void read_rest() {
        const Entry* entry = find([](const Entry& each) { return each.kind == Kind::rest; });
        if (entry == nullptr)
            throw Refusal{verb_.call() + " takes no command behind --: conclave run does"};
        entry->list->assign(words_.begin(), words_.end());
        words_ = {};
    }

    void read_argument(const std::string& word) {
        const Entry* entry = find([&](const Entry& each) {
            return each.kind == Kind::arguments ||
                   (each.kind == Kind::argument && each.text != filled_);
        });
        if (entry == nullptr) throw Refusal{"'" + word + "' is one word too many: " + help()};
        if (entry->kind == Kind::arguments)
            entry->list->push_back(word);
        else
            *entry->text = word;
        filled_ = entry->text;
    }

    // A value may begin with one dash, as negative numbers do; behind = with anything.
    void read_option(const std::string& word) {
        const auto equals = word.find('=');
        const std::string option = word.substr(0, equals);
        const Entry* entry =
            find([&](const Entry& each) { return is_option(each) && option == "--" + each.name; });
        if (entry == nullptr) refuse_option(option);
        std::optional<std::string> value;
        if (equals != std::string::npos) value = word.substr(equals + 1);
        if (entry->kind == Kind::flag) return set_flag(*entry, value.value_or("true"));
        const bool needed = entry->kind != Kind::maybe_value;
        if (!value && !words_.empty() && !words_.front().starts_with(needed ? "--" : "-"))
            value = take();
        if (!value && needed) throw Refusal{option + " has no value: give " + entry->form};
        if (entry->kind == Kind::values)
            entry->list->push_back(*value);
        else
            *entry->maybe = value.value_or("");
    }

    void set_flag(const Entry& entry, const std::string& value) const {
        if (value != "true" && value != "false")
            throw Refusal{"--" + entry.name + " cannot be '" + value + "': give true or false"};
        if (entry.set != nullptr)
            *entry.set = value == "true";
        else
            *entry.maybe_set = value == "true";
    }

    [[noreturn]] void refuse_option(const std::string& option) const {
        std::vector<std::string> names;
        for (const Entry& entry : command_.entries())
            if (is_option(entry)) names.push_back("--" + entry.name);
        const std::vector<std::string_view> known(names.begin(), names.end());
        const std::string_view meant = nearest(option, known);
        throw Refusal{"there is no option " + option + ": " +
                      (meant.empty() ? help() : "did you mean " + std::string(meant) + "?")};
    }

    std::string help() const { return verb_.call() + " --help lists what there is"; }

    const Verb& verb_;
    const Command& command_;
    std::span<const std::string> words_;
    const std::string* filled_ = nullptr;  // the one argument, once it has been read
};

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

bool read_command(const Verb& verb, const Command& command, const std::vector<std::string>& given) {
    return Reading(verb, command, given).read();
}

}  // namespace conclave::cli
