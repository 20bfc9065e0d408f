// Wire bytes of plain values: little-endian, no padding, lists behind a 32-bit length.
//
// The same bytes are the checker's key of a state: equal bytes = equal value.
#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "conclave/core/fields.hpp"

namespace conclave {

template <class T>
concept Number = std::integral<T> || std::is_enum_v<T>;

using Bytes = std::vector<std::byte>;

// Anything that bytes can be appended to: a buffer, a counter, a hash.
template <class S>
concept ByteSink = requires(S& sink, std::byte byte) { sink.push_back(byte); };

template <Number T>
void encode(T value, ByteSink auto& out) {
    auto bits = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i, bits >>= 8)
        out.push_back(static_cast<std::byte>(bits));
}
void encode(std::chrono::nanoseconds value, ByteSink auto& out) { encode(value.count(), out); }
void encode(const std::string& letters, ByteSink auto& out);
template <class T, std::size_t N>
void encode(const std::array<T, N>& list, ByteSink auto& out);
template <Plain T>
void encode(const T& value, ByteSink auto& out);
template <class... Ts>
void encode(const std::variant<Ts...>& value, ByteSink auto& out);
template <class T>
void encode(const std::vector<T>& list, ByteSink auto& out) {
    encode(static_cast<std::uint32_t>(list.size()), out);
    for (const T& element : list) encode(element, out);
}
template <class T, std::size_t N>
void encode(const std::array<T, N>& list, ByteSink auto& out) {
    for (const T& element : list) encode(element, out);
}
void encode(const std::string& letters, ByteSink auto& out) {
    encode(static_cast<std::uint32_t>(letters.size()), out);
    for (const char letter : letters) out.push_back(static_cast<std::byte>(letter));
}
template <class... Ts>
void encode(const std::variant<Ts...>& value, ByteSink auto& out) {
    encode(static_cast<std::uint8_t>(value.index()), out);
    std::visit([&](const auto& chosen) { encode(chosen, out); }, value);
}
template <Plain T>
void encode(const T& value, ByteSink auto& out) {
    std::apply([&](const auto&... field) { (encode(field, out), ...); }, fields(value));
}

// Only counts: how many bytes a value takes on the wire.
struct ByteCount {
    std::size_t count = 0;
    void push_back(std::byte) { ++count; }
};
template <class T>
std::size_t encoded_size(const T& value) {
    ByteCount bytes;
    encode(value, bytes);
    return bytes.count;
}

// Does every value of the type take the same number of bytes? Not so with lists, words and
// variants.
template <class T>
inline constexpr bool fixed_size = Number<T> || std::is_same_v<T, std::chrono::nanoseconds>;
template <class T, std::size_t N>
inline constexpr bool fixed_size<std::array<T, N>> = fixed_size<T>;
template <Plain T>
inline constexpr bool fixed_size<T> =
    []<class... Fields>(std::type_identity<std::tuple<Fields&...>>) {
        return (fixed_size<Fields> && ...);
    }(std::type_identity<decltype(fields(std::declval<T&>()))>{});

// Decoding consumes from the front of `in`; false means the datagram is malformed: drop it.
using Input = std::span<const std::byte>;

template <Number T>
[[nodiscard]] bool decode(T& value, Input& in) {
    if (in.size() < sizeof(T)) return false;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bits |= std::to_integer<std::uint64_t>(in[i]) << (8 * i);
    if constexpr (std::same_as<T, bool>)
        if (bits > 1) return false;  // one value, one spelling
    value = static_cast<T>(bits);
    in = in.subspan(sizeof(T));
    return true;
}
[[nodiscard]] inline bool decode(std::chrono::nanoseconds& value, Input& in) {
    std::int64_t count = 0;
    if (!decode(count, in)) return false;
    value = std::chrono::nanoseconds(count);
    return true;
}
[[nodiscard]] inline bool decode(std::string& letters, Input& in);
template <class T, std::size_t N>
[[nodiscard]] bool decode(std::array<T, N>& list, Input& in);
template <Plain T>
[[nodiscard]] bool decode(T& value, Input& in);
template <class... Ts>
[[nodiscard]] bool decode(std::variant<Ts...>& value, Input& in);
template <class T>
[[nodiscard]] bool decode(std::vector<T>& list, Input& in) {
    std::uint32_t size = 0;
    if (!decode(size, in) || size > in.size()) return false;  // an element takes a byte at least
    list.clear();
    for (std::uint32_t i = 0; i < size; ++i) {
        T element{};
        if (!decode(element, in)) return false;
        list.push_back(std::move(element));
    }
    return true;
}
template <class T, std::size_t N>
[[nodiscard]] bool decode(std::array<T, N>& list, Input& in) {
    for (T& element : list)
        if (!decode(element, in)) return false;
    return true;
}
[[nodiscard]] inline bool decode(std::string& letters, Input& in) {
    std::uint32_t size = 0;
    if (!decode(size, in) || size > in.size()) return false;
    letters.assign(reinterpret_cast<const char*>(in.data()), size);
    in = in.subspan(size);
    return true;
}
template <Plain T>
[[nodiscard]] bool decode(T& value, Input& in) {
    return std::apply([&](auto&... field) { return (decode(field, in) && ...); }, fields(value));
}
template <class... Ts>
[[nodiscard]] bool decode(std::variant<Ts...>& value, Input& in) {
    std::uint8_t index = 0;
    if (!decode(index, in) || index >= sizeof...(Ts)) return false;
    bool good = false;
    std::size_t i = 0;
    ((i++ == index ? void(good = decode(value.template emplace<Ts>(), in)) : void()), ...);
    return good;
}

// A whole datagram: every byte must be understood.
template <class T>
[[nodiscard]] std::optional<T> decode_all(Input in) {
    T value{};
    if (decode(value, in) && in.empty()) return value;
    return std::nullopt;
}

}  // namespace conclave
