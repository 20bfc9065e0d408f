// Moves ids within values along the ring, for algorithms that are anonymous.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <variant>

#include "conclave/core/fields.hpp"
#include "conclave/core/turn.hpp"

namespace conclave::checker {

// `by`: number of places.
struct Renaming {
    const Group& group;
    std::size_t by;

    std::uint64_t turned(std::uint64_t bits) const {
        const std::size_t nodes = group.size();
        std::uint64_t result = 0;
        for (std::size_t at = 0; at < nodes; ++at)
            if ((bits >> at & 1) != 0) result |= std::uint64_t{1} << (at + by) % nodes;
        return result;
    }
    // Every id within a value.
    template <class T>
    void rename(T& value) const {
        static_assert(!std::is_same_v<T, Rank>, "who compares ranks is not anonymous");
        if constexpr (std::is_same_v<T, Id>) {
            if (group.contains(value))
                value = group.ring[(group.position(value) + by) % group.size()];
        } else if constexpr (Plain<T>) {
            std::apply([&](auto&... field) { (rename(field), ...); }, fields(value));
        } else if constexpr (requires { std::variant_size<T>::value; }) {
            std::visit([&](auto& chosen) { rename(chosen); }, value);
        } else if constexpr (requires { value.begin(); }) {
            for (auto& element : value) rename(element);
        }
    }
};

}  // namespace conclave::checker
