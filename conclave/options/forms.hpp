// How people write values: one reader and one writer for each form, used by every table.
//
// A form has `name` (what stands behind the option in help), `read` and `write`; what is written
// reads back as the same value.
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "conclave/core/time.hpp"

namespace conclave::options {

// Whether a value was taken; if not, what would be right. A wrong value without a remedy is refused
// with the form and the example of its row.
struct Answer {
    bool taken = true;
    std::string remedy{};

    explicit operator bool() const { return taken; }
};
inline Answer wrong(std::string remedy = {}) { return {false, std::move(remedy)}; }

// The whole text as a decimal number, without blanks or a plus sign; none where it does not fit.
template <std::integral Number>
std::optional<Number> parse_number(std::string_view text);

Answer read_integer(std::string_view text, std::int64_t least, std::int64_t most,
                    std::int64_t& into);
Answer read_duration(std::string_view text, Duration least, Duration most, Duration& into);
// One of these names, by its place among them.
Answer read_choice(std::string_view text, std::string_view names, std::size_t& into);
// The name at this place among "stay|leave".
std::string_view choice_at(std::string_view names, std::size_t place);

// A whole number from Least to Most.
template <std::int64_t Least, std::int64_t Most>
struct Count {
    static constexpr std::string_view name = "COUNT";
    template <class Number>
    static Answer read(std::string_view text, Number& into) {
        std::int64_t number = 0;
        Answer answer = read_integer(text, Least, Most, number);
        if (answer) into = static_cast<Number>(number);
        return answer;
    }
    // A number that nobody can give means that none was given.
    template <class Number>
    static std::string write(Number number) {
        return static_cast<std::int64_t>(number) < Least ? "" : std::to_string(number);
    }
};

// Any 64 bits, as a seed is.
struct Seed {
    static constexpr std::string_view name = "SEED";
    static Answer read(std::string_view text, std::uint64_t& into);
    static std::string write(std::uint64_t number) { return std::to_string(number); }
};

// A duration of at least so many nanoseconds, and at most so many.
template <std::int64_t Least = 0, std::int64_t Most = std::numeric_limits<std::int64_t>::max()>
struct Span {
    static constexpr std::string_view name = "DURATION";
    static Answer read(std::string_view text, Duration& into) {
        return read_duration(text, Duration{Least}, Duration{Most}, into);
    }
    static std::string write(Duration value) {
        return value < Duration{Least} ? "" : format_duration(value);
    }
};
inline constexpr std::int64_t ms = 1'000'000, second = 1'000 * ms, minute = 60 * second,
                              day = 24 * (60 * minute);

struct Text {
    static constexpr std::string_view name = "TEXT";
    static Answer read(std::string_view text, std::string& into);
    static std::string write(const std::string& text) { return text; }
};

// A file or a folder; the empty text names none.
struct Path {
    static constexpr std::string_view name = "FILE";
    static Answer read(std::string_view text, std::string& into);
    static std::string write(const std::string& path) { return path; }
};

// true or false.
struct Truth {
    static constexpr std::string_view name = "true|false";
    static Answer read(std::string_view text, bool& into);
    static std::string write(bool value) { return value ? "true" : "false"; }
};

// The text of a choice, "stay|leave", as something that a template can be given.
template <std::size_t Size>
struct Names {
    char letters[Size]{};
    consteval Names(const char (&text)[Size]) {  // NOLINT(google-explicit-constructor)
        std::copy_n(text, Size, letters);
    }
    constexpr std::string_view text() const { return {letters, Size - 1}; }
};

// An enumerator by its name, in the order of declaration.
template <Names Choices>
struct Choice {
    static constexpr std::string_view name = Choices.text();
    template <class Enum>
    static Answer read(std::string_view text, Enum& into) {
        std::size_t place = 0;
        Answer answer = read_choice(text, name, place);
        if (answer) into = static_cast<Enum>(place);
        return answer;
    }
    template <class Enum>
    static std::string write(Enum value) {
        return std::string(choice_at(name, static_cast<std::size_t>(value)));
    }
};

// "a,b,c" -> a b c; an empty text is one empty part.
std::vector<std::string_view> split_text(std::string_view text, char at);
// "key=value" -> key, value
std::optional<std::pair<std::string_view, std::string_view>> split_pair(std::string_view text,
                                                                        std::string_view at);

}  // namespace conclave::options
