// Plain values as people write them: Candidate(7), and as JSON with the fields' own names.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "conclave/core/bytes.hpp"
#include "conclave/core/id.hpp"
#include "conclave/core/ports.hpp"
#include "conclave/core/time.hpp"

namespace conclave {

// ---------------------------------------------------------------- text

// An enum with names prints its name; Id, Rank and Port are numbers in an enum's coat.
template <class T>
inline constexpr bool has_names = std::is_enum_v<T>;
template <>
inline constexpr bool has_names<Id> = false;
template <>
inline constexpr bool has_names<Rank> = false;
template <>
inline constexpr bool has_names<Port> = false;

template <Number T>
std::string text(T value) {
    if constexpr (std::same_as<T, bool>)
        return value ? "yes" : "no";
    else if constexpr (has_names<T>)
        return std::string(name_of(value));
    else if constexpr (std::is_signed_v<T>)
        return std::to_string(static_cast<std::int64_t>(value));
    else
        return std::to_string(static_cast<std::uint64_t>(value));
}
// A rank prints as its id, with what else distinguishes it: 7, 7/p200, 7/incumbent, 7/ineligible.
inline std::string text(Rank rank) {
    const auto bits = static_cast<std::uint64_t>(rank);
    const auto priority = bits >> 32 & priority_max;
    return std::to_string(bits & 0xffffffff) +
           (priority != 0 ? "/p" + std::to_string(priority) : "") +
           ((bits >> 62 & 1) != 0 ? "/incumbent" : "") + ((bits >> 63) == 0 ? "/ineligible" : "");
}
inline std::string text(std::chrono::nanoseconds value) { return format_duration(value); }
inline std::string text(const std::string& letters) { return letters; }
template <class T>
std::string text(const std::vector<T>& list);
template <class T, std::size_t N>
std::string text(const std::array<T, N>& list);
template <Plain T>
std::string text(const T& value);
template <class... Ts>
std::string text(const std::variant<Ts...>& value);
template <class List>
std::string text_of_list(const List& list) {
    std::string inside;
    for (const auto& element : list) inside += (inside.empty() ? "" : " ") + text(element);
    return "[" + inside + "]";
}
template <class T>
std::string text(const std::vector<T>& list) {
    return text_of_list(list);
}
template <class T, std::size_t N>
std::string text(const std::array<T, N>& list) {
    return text_of_list(list);
}
inline std::string text(const IdSet& set) { return text(set.ids); }
template <Plain T>
std::string text(const T& value) {
    std::string inside;
    std::apply(
        [&](const auto&... field) {
            ((inside += (inside.empty() ? "" : ", ") + text(field)), ...);
        },
        fields(value));
    return std::string(type_name<T>()) + (inside.empty() ? "" : "(" + inside + ")");
}
template <class... Ts>
std::string text(const std::variant<Ts...>& value) {
    return std::visit([](const auto& chosen) { return text(chosen); }, value);
}

// ---------------------------------------------------------------- JSON

inline std::string quote(std::string_view letters) {
    static constexpr char hex[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char letter : letters) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\')
            out += {'\\', letter};
        else if (code < 0x20)
            out += {'\\', 'u', '0', '0', hex[code >> 4], hex[code & 15]};
        else
            out += letter;
    }
    return out + "\"";
}

template <Number T>
std::string json(T value) {
    if constexpr (std::same_as<T, bool>)
        return value ? "true" : "false";
    else if constexpr (has_names<T>)
        return quote(name_of(value));
    else
        return text(value);
}
inline std::string json(Rank rank) { return quote(text(rank)); }  // 64 bits do not fit JSON numbers
inline std::string json(std::chrono::nanoseconds value) { return std::to_string(value.count()); }
inline std::string json(const std::string& letters) { return quote(letters); }
template <class T>
std::string json(const std::vector<T>& list);
template <class T, std::size_t N>
std::string json(const std::array<T, N>& list);
template <Plain T>
std::string json(const T& value);
template <class... Ts>
std::string json(const std::variant<Ts...>& value);
template <class List>
std::string json_of_list(const List& list) {
    std::string inside;
    for (const auto& element : list) inside += (inside.empty() ? "" : ",") + json(element);
    return "[" + inside + "]";
}
template <class T>
std::string json(const std::vector<T>& list) {
    return json_of_list(list);
}
template <class T, std::size_t N>
std::string json(const std::array<T, N>& list) {
    return json_of_list(list);
}
inline std::string json(const IdSet& set) { return json(set.ids); }

// The fields without the braces, so that a caller can put more beside them.
template <Plain T>
std::string json_fields(const T& value) {
    std::string inside;
    std::size_t i = 0;
    const auto add = [&](const auto& field) {
        inside += (i == 0 ? "" : ",") + quote(field_names<T>[i]) + ":" + json(field);
        ++i;
    };
    std::apply([&](const auto&... field) { (add(field), ...); }, fields(value));
    return inside;
}
template <Plain T>
std::string json(const T& value) {
    return "{" + json_fields(value) + "}";
}
template <class... Ts>
std::string json(const std::variant<Ts...>& value) {  // one of several: say which
    return std::visit(
        [](const auto& chosen) {
            using Chosen = std::remove_cvref_t<decltype(chosen)>;
            const std::string inside = json_fields(chosen);
            return "{\"type\":" + quote(type_name<Chosen>()) + (inside.empty() ? "" : ",") +
                   inside + "}";
        },
        value);
}

}  // namespace conclave
