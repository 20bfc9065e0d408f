#include "conclave/options/toml_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>

#include <toml++/toml.h>

#include "conclave/core/text.hpp"

namespace conclave::options {

namespace {

// One scalar as it would stand on the command line.
std::optional<std::string> spell(const toml::node& node) {
    if (const auto* letters = node.as_string()) return letters->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
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
    Reader(std::string_view name, std::span<const Row> rows) : name_(name), rows_(rows) {}

    FileGiven read(std::string_view text) {
#if TOML_EXCEPTIONS
        try {
            read_table(toml::parse(text, name_));
        } catch (const toml::parse_error& error) {
            refuse(error);
        }
#else  // in a browser
        const toml::parse_result file = toml::parse(text, name_);
        if (file)
            read_table(file.table());
        else
            refuse(file.error());
#endif
        return std::move(result_);
    }

private:
    std::string place(const toml::source_region& region) const {
        return name_ + ":" + std::to_string(region.begin.line) + ":" +
               std::to_string(region.begin.column) + ": ";
    }
    void read_table(const toml::table& file) {
        for (const auto& [key, value] : file) read_key(key, value);
    }

    void refuse(const toml::parse_error& error) {
        refuse(error.source(), "this is not TOML: " + std::string(error.description()));
    }
    void refuse(const toml::source_region& region, const std::string& sentence) {
        if (result_.problem.empty()) result_.problem = place(region) + sentence;
    }

    const Row* find(std::string_view name) const {
        const auto found = std::find_if(rows_.begin(), rows_.end(),
                                        [&](const Row& row) { return row.name == name; });
        return found == rows_.end() ? nullptr : &*found;
    }

    void add(const toml::key& key, std::string value, const toml::node& at) {
        const bool known = find(key.str()) != nullptr;  // else it is the key that is wrong
        const std::string name(key.str());
        result_.given.push_back({name, std::move(value),
                                 place(known ? at.source() : key.source()) + name, Place::file});
    }

    void read_key(const toml::key& key, const toml::node& value) {
        const Row* row = find(key.str());
        if (const auto* list = value.as_array()) {
            if (row != nullptr && row->kind == Kind::once) return add(key, join(key, *list), value);
            for (const toml::node& item : *list) read_scalar(key, {}, item);
        } else if (const auto* table = value.as_table()) {
            if (row == nullptr || row->kind != Kind::often)
                return refuse(key.source(), std::string(key.str()) +
                                                " cannot be a table: options stand by themselves");
            for (const auto& [left, right] : *table)
                read_scalar(key, std::string(left.str()) + "=", right);
        } else {
            read_scalar(key, {}, value);
        }
    }

    void read_scalar(const toml::key& key, const std::string& before, const toml::node& value) {
        if (const auto spelled = spell(value))
            add(key, before + *spelled, value);
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
    std::span<const Row> rows_;
    FileGiven result_;
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

// A number, a list of whole numbers, or text.
std::string write_once(std::string_view value) {
    const bool list = value.find(',') != std::string_view::npos &&
                      value.find_first_not_of("0123456789,") == std::string_view::npos;
    if (!list) return is_number(value) ? std::string(value) : write_text(value);
    std::string spaced = "[";
    for (const char c : value) spaced += c == ',' ? ", " : std::string(1, c);
    return spaced + "]";
}

std::string write_list(std::span<const std::string> values) {
    if (values.size() == 1) return "[" + write_text(values.front()) + "]";
    std::string list = "[\n";
    for (const std::string& value : values) list += "    " + write_text(value) + ",\n";
    return list + "]";
}

}  // namespace

FileGiven read_toml(std::string_view text, std::string_view name, std::span<const Row> rows) {
    return Reader(name, rows).read(text);
}

std::string read_file(const std::string& path, std::string_view option, std::string& problem) {
    const auto refuse = [&] {
        const std::string subject = std::string(option) + " '" + path + "' cannot be read: ";
        problem = subject + (errno == ENOENT ? "there is no such file"
                                             : std::string(std::strerror(errno)) +
                                                   ", give a file that this user may read");
    };
    errno = 0;
    std::string text;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return refuse(), text;
    std::array<char, 65536> piece{};
    for (std::size_t got = 0; (got = std::fread(piece.data(), 1, piece.size(), file)) > 0;)
        text.append(piece.data(), got);
    if (std::ferror(file) != 0) refuse();
    std::fclose(file);
    return text;
}

std::string to_toml(const Row& row, std::span<const std::string> values) {
    const std::string name = std::string(row.name) + " = ";
    if (row.kind == Kind::often) return name + write_list(values) + "\n";
    if (row.kind == Kind::flag) return name + values.front() + "\n";
    return name + write_once(values.front()) + "\n";
}

}  // namespace conclave::options
