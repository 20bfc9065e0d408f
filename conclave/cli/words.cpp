// Reads the words behind a verb from the left to the right.
#include <algorithm>
#include <optional>

#include "conclave/cli/verb.hpp"

namespace conclave::cli {

namespace {

using options::Kind;
using options::Row;

// No option begins with a digit.
bool is_negative(const std::string& word) { return word[1] >= '0' && word[1] <= '9'; }

class LineReader {
public:
    LineReader(const Verb& verb, std::span<const std::string> words) : verb_(verb), words_(words) {}

    Givens read(bool& help) {
        while (!words_.empty() && !help) {
            const std::string word = take();
            if (word == "--help" || word == "-h")
                help = true;
            else if (word == "--")
                read_rest();
            else if (word.size() > 1 && word.starts_with('-') && !is_negative(word))
                read_option(word);
            else
                read_argument(word);
        }
        return std::move(given_);
    }

private:
    const Row* find(auto matches) const {
        for (const options::Section& section : verb_.takes)
            for (const Row& row : section.rows)
                if (matches(row)) return &row;
        return nullptr;
    }

    std::string take() {
        const std::string word = words_.front();
        words_ = words_.subspan(1);
        return word;
    }

    void add(const Row& row, std::string value) {
        const std::string name(row.name);
        given_.push_back({name, std::move(value), row.named() ? "--" + name : name});
    }

    void read_rest() {
        const Row* row = find([](const Row& each) { return each.kind == Kind::rest; });
        if (row == nullptr)
            throw Refusal{verb_.call() + " takes no command behind --: conclave run does"};
        for (const std::string& word : words_) add(*row, word);
        words_ = {};
    }

    void read_argument(const std::string& word) {
        const auto filled = [&](const Row& row) {
            return std::any_of(given_.begin(), given_.end(),
                               [&](const options::Given& each) { return each.name == row.name; });
        };
        const Row* row = find([&](const Row& each) {
            return each.kind == Kind::arguments || (each.kind == Kind::argument && !filled(each));
        });
        if (row == nullptr) throw Refusal{"'" + word + "' is one word too many: " + verb_.lists()};
        add(*row, word);
    }

    // A value may begin with one dash, as negative numbers do; behind = with anything.
    void read_option(const std::string& word) {
        const auto equals = word.find('=');
        const std::string option = word.substr(0, equals);
        const Row* row = find([&](const Row& each) {
            return each.named() && option == "--" + std::string(each.name);
        });
        if (row == nullptr) refuse_option(option);
        std::optional<std::string> value;
        if (equals != std::string::npos) value = word.substr(equals + 1);
        const bool needed = row->kind == Kind::once || row->kind == Kind::often;
        if (!value && row->kind == Kind::flag) value = "true";
        if (!value && !words_.empty() && !words_.front().starts_with(needed ? "--" : "-"))
            value = take();
        if (!value && needed)
            throw Refusal{option + " has no value: give " + std::string(row->form)};
        add(*row, value.value_or(""));
    }

    [[noreturn]] void refuse_option(const std::string& option) const {
        std::vector<std::string> names;
        for (const options::Section& section : verb_.takes)
            for (const Row& row : section.rows)
                if (row.named()) names.push_back("--" + std::string(row.name));
        const std::vector<std::string_view> known(names.begin(), names.end());
        throw Refusal{options::refuse_unknown("option " + option, option, known, verb_.lists())};
    }

    const Verb& verb_;
    std::span<const std::string> words_;
    Givens given_;
};

}  // namespace

Givens read_words(const Verb& verb, std::span<const std::string> words, bool& help) {
    return LineReader(verb, words).read(help);
}

}  // namespace conclave::cli
