#include "conclave/simulator/scenario_file.hpp"

#include <algorithm>
#include <charconv>

#include <toml++/toml.h>

#include "conclave/core/text.hpp"

namespace conclave::simulator {

namespace {

// One scalar as it would stand on the command line.
std::optional<std::string> spell(const toml::node& node) {
    if (const auto* letters = node.as_string()) return letters->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* yes = node.as_boolean()) return yes->get() ? "on" : "off";
    const auto* fraction = node.as_floating_point();
    if (fraction == nullptr) return std::nullopt;
    // The shortest digits that give this number are the digits in the file.
    std::array<char, 400> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), fraction->get(),
                                   std::chars_format::fixed);
    return std::string(digits.data(), end.ptr);
}

class Reader {
public:
    explicit Reader(std::string_view name) : name_(name) {}

    FileSayings read(std::string_view text) {
        try {
            const toml::table file = toml::parse(text, name_);
            for (const auto& [key, value] : file) read_key(key, value);
        } catch (const toml::parse_error& error) {
            refuse(error.source(), "this is not TOML: " + std::string(error.description()));
        }
        return std::move(result_);
    }

private:
    std::string where(const toml::source_region& region) const {
        return name_ + ":" + std::to_string(region.begin.line) + ":" +
               std::to_string(region.begin.column) + ": ";
    }

    void refuse(const toml::source_region& region, const std::string& sentence) {
        if (result_.problem.empty()) result_.problem = where(region) + sentence;
    }

    void say(const toml::key& key, std::string value, const toml::node& at) {
        const bool known = find_word(key.str()) != nullptr;  // else it is the key that is wrong
        result_.sayings.push_back(
            {std::string(key.str()), std::move(value), where(known ? at.source() : key.source())});
    }

    void read_key(const toml::key& key, const toml::node& value) {
        const Word* word = find_word(key.str());
        if (const auto* list = value.as_array()) {
            if (word != nullptr && word->kind == Word::Kind::once)
                return say(key, join(key, *list), value);
            for (const toml::node& item : *list) read_scalar(key, {}, item);
        } else if (const auto* table = value.as_table()) {
            for (const auto& [left, right] : *table)
                read_scalar(key, std::string(left.str()) + "=", right);
        } else {
            read_scalar(key, {}, value);
        }
    }

    void read_scalar(const toml::key& key, const std::string& before, const toml::node& value) {
        if (const auto spelled = spell(value))
            say(key, before + *spelled, value);
        else
            refuse(value.source(),
                   std::string(key.str()) +
                       " cannot be a date or a nested list: give a number or a string");
    }

    // [3, 1, 2] -> "3,1,2"
    std::string join(const toml::key& key, const toml::array& list) {
        std::string all;
        for (const toml::node& item : list) {
            const auto spelled = spell(item);
            if (!spelled)
                refuse(item.source(), std::string(key.str()) + " is a list of single values");
            all += (all.empty() ? "" : ",") + spelled.value_or("");
        }
        return all;
    }

    std::string name_;
    FileSayings result_;
};

bool is_number(std::string_view value) {
    const auto digits = [](std::string_view part) {
        return !part.empty() && part.size() <= 15 &&
               part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    const auto point = value.find('.');
    const std::string_view whole = value.substr(0, point);
    if (!digits(whole) || (whole.size() > 1 && whole[0] == '0')) return false;
    return point == std::string_view::npos || digits(value.substr(point + 1));
}

std::string write_text(std::string_view value) {
    std::string quoted = quote(value);
    for (auto at = quoted.find('\x7f'); at != std::string::npos; at = quoted.find('\x7f'))
        quoted.replace(at, 1, "\\u007f");
    return quoted;
}

std::string write_value(std::string_view value) {
    return is_number(value) ? std::string(value) : write_text(value);
}

std::string write_once(std::string_view value) {
    const bool list = value.find(',') != std::string_view::npos &&
                      value.find_first_not_of("0123456789,") == std::string_view::npos;
    if (!list) return write_value(value);
    std::string spaced = "[";
    for (const char c : value) spaced += c == ',' ? ", " : std::string(1, c);
    return spaced + "]";
}

}  // namespace

FileSayings read_toml(std::string_view text, std::string_view name) {
    return Reader(name).read(text);
}

std::string to_toml(const Scenario& scenario) {
    std::string file;
    for (const Word& word : words()) {
        const std::vector<std::string> values = word.write(scenario);
        if (values.empty()) continue;
        file += std::string(word.name) + " = ";
        if (word.kind == Word::Kind::once) {
            file += write_once(values.front());
        } else if (word.kind == Word::Kind::flag) {
            file += values.front() == "on" ? "true" : "false";
        } else if (values.size() == 1) {
            file += "[" + write_text(values.front()) + "]";
        } else {
            file += "[\n";
            for (const std::string& value : values) file += "    " + write_text(value) + ",\n";
            file += "]";
        }
        file += "\n";
    }
    return file;
}

}  // namespace conclave::simulator
