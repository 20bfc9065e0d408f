// A list of types: the messages of an algorithm, its timers, all algorithms.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "conclave/core/names.hpp"

namespace conclave {

template <class... Ts>
struct Types {
    static constexpr std::size_t count = sizeof...(Ts);
    template <template <class...> class Into>
    using into = Into<Ts...>;
    static constexpr std::array<std::string_view, count> names{type_name<Ts>()...};
    template <class T>
    static constexpr bool contains = (std::is_same_v<T, Ts> || ...);
    template <class T>
    static constexpr std::uint8_t index = [] {
        static_assert(contains<T>, "this type is not in the list");
        std::uint8_t i = 0;
        static_cast<void>(((std::is_same_v<T, Ts> ? true : (++i, false)) || ...));
        return i;
    }();

    // Calls visit.operator()<T>() for every T, in order.
    template <class Visit>
    static constexpr void for_each(Visit&& visit) {
        (visit.template operator()<Ts>(), ...);
    }
};

template <class... Ts, class... Us>
constexpr Types<Ts..., Us...> operator+(Types<Ts...>, Types<Us...>) {
    return {};
}

// "There is none of this": no settings, nothing stored, no inner algorithm.
struct Nothing {};

}  // namespace conclave
