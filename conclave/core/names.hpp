// Names that the source already spells: of types, of enumerators and of fields.
//
// The compiler writes them into __PRETTY_FUNCTION__; everything here only cuts them out again, so
// a message, a state or a setting is named once, where it is declared.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace conclave {

namespace detail {

template <auto V>
constexpr std::string_view spelled() {
    return __PRETTY_FUNCTION__;
}
template <class T>
constexpr std::string_view spelled() {
    return __PRETTY_FUNCTION__;
}

constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

constexpr std::string_view trailing_letters(std::string_view text) {
    std::size_t begin = text.size();
    while (begin > 0 && is_letter(text[begin - 1])) --begin;
    return text.substr(begin);
}

// "... [with auto V = conclave::Tempo::State::slave; ...]" -> "slave"; "Send<...>" -> "Send";
// "Leased<...>::Promise" -> "Promise"
constexpr std::string_view last_word(std::string_view text) {
    text = text.substr(text.find('=') + 2);
    const auto end = text.find(';');
    text = text.substr(0, end != std::string_view::npos ? end : text.rfind(']'));
    for (int open = 0; open > 0 || text.ends_with('>'); text.remove_suffix(1))
        open += text.ends_with('>') ? 1 : text.ends_with('<') ? -1 : 0;
    return trailing_letters(text);
}

// "... {&specimen.value.timeout}]" (clang), "...value.S::timeout)}; ...]" (gcc) -> "timeout"
constexpr std::string_view field_word(std::string_view text) {
    const auto member = text.find(".value.") != std::string_view::npos ? text.find(".value.") + 7
                                                                       : text.find("::value.") + 8;
    text = text.substr(member);
    const auto end = text.find(")}");  // gcc may write {anonymous}:: before it
    return trailing_letters(text.substr(0, end != std::string_view::npos ? end : text.find('}')));
}

}  // namespace detail

// A type that stands for another may say what it is called: T::called.
template <class T>
constexpr std::string_view type_name() {
    if constexpr (requires { T::called; })
        return T::called;
    else
        return detail::last_word(detail::spelled<T>());
}

inline constexpr std::size_t enumerators_max = 32;

namespace detail {
template <class Enum>
inline constexpr auto enumerator_names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{last_word(spelled<static_cast<Enum>(I)>())...};
}(std::make_index_sequence<enumerators_max>{});
}  // namespace detail

// Enumerators must count up from 0. A value without a name gives its number's spelling.
template <class Enum>
constexpr std::string_view name_of(Enum value) {
    return detail::enumerator_names<Enum>.at(static_cast<std::size_t>(value));
}

}  // namespace conclave
