// The fields of a plain struct, as a tuple of references, and their names.
//
// Works for aggregates of up to sixteen fields. A larger one names them itself, all of them or it
// is refused while compiling:
//     static constexpr auto parts(auto& self) { return std::tie(self.a, self.b, ...); }
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "conclave/core/names.hpp"

namespace conclave {

namespace detail {

struct Anything {
    template <class T>
    operator T() const noexcept;
};

template <class T, class... Args>
consteval std::size_t count_fields() {
    if constexpr (requires { T{Args{}..., Anything{}}; })
        return count_fields<T, Args..., Anything>();
    else
        return sizeof...(Args);
}

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

}  // namespace detail

template <class T>
concept Plain =
    std::is_aggregate_v<T> && std::is_class_v<T> && !detail::is_array<std::remove_cv_t<T>>;

template <Plain T>
inline constexpr std::size_t field_count = detail::count_fields<std::remove_cv_t<T>>();

template <class T>
concept NamesParts = requires(T& value) { std::remove_cv_t<T>::parts(value); };

// clang-format off
template <Plain T>
constexpr auto fields(T& value) {
    constexpr auto size = field_count<T>;
    static_assert(size <= 16 || NamesParts<T>,
                  "more than sixteen fields: let the struct name its parts");
    if constexpr (NamesParts<T>) {
        const auto all = std::remove_cv_t<T>::parts(value);
        static_assert(std::tuple_size_v<decltype(all)> == size, "parts() leaves a field out");
        return all;
    }
    else if constexpr (size == 0) { return std::tuple{}; }
    else if constexpr (size == 1) { auto& [a] = value; return std::tie(a); }
    else if constexpr (size == 2) { auto& [a, b] = value; return std::tie(a, b); }
    else if constexpr (size == 3) { auto& [a, b, c] = value; return std::tie(a, b, c); }
    else if constexpr (size == 4) { auto& [a, b, c, d] = value; return std::tie(a, b, c, d); }
    else if constexpr (size == 5) { auto& [a, b, c, d, e] = value;
        return std::tie(a, b, c, d, e); }
    else if constexpr (size == 6) { auto& [a, b, c, d, e, f] = value;
        return std::tie(a, b, c, d, e, f); }
    else if constexpr (size == 7) { auto& [a, b, c, d, e, f, g] = value;
        return std::tie(a, b, c, d, e, f, g); }
    else if constexpr (size == 8) { auto& [a, b, c, d, e, f, g, h] = value;
        return std::tie(a, b, c, d, e, f, g, h); }
    else if constexpr (size == 9) { auto& [a, b, c, d, e, f, g, h, i] = value;
        return std::tie(a, b, c, d, e, f, g, h, i); }
    else if constexpr (size == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j); }
    else if constexpr (size == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k); }
    else if constexpr (size == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l); }
    else if constexpr (size == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m); }
    else if constexpr (size == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n); }
    else if constexpr (size == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o); }
    else if constexpr (size == 16) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); }
}
// clang-format on

// Plain values are equal when their fields are.
template <Plain T>
constexpr bool operator==(const T& a, const T& b) {
    return fields(a) == fields(b);
}

namespace detail {

// An object that is never made: only the addresses of its fields are named.
template <class T>
struct Specimen {
    T value;
};
template <class T>
struct Place {
    const T* address;
};

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
template <class T>
extern const Specimen<T> specimen;

template <class T, std::size_t I>
constexpr std::string_view field_name() {
    constexpr auto& field = std::get<I>(fields(specimen<T>.value));
    return field_word(spelled<Place<std::remove_cvref_t<decltype(field)>>{&field}>());
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif

}  // namespace detail

// Field names as declared, in order.
template <Plain T>
inline constexpr auto field_names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, sizeof...(I)>{detail::field_name<T, I>()...};
}(std::make_index_sequence<field_count<T>>{});

}  // namespace conclave
