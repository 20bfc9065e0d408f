// Names of an algorithm's messages or timers in counts and lists. Those of a lease come
// behind those of the election that it surrounds; where both use one name, the lease's says so.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "conclave/core/types.hpp"

namespace conclave::simulator {

// "Ask", "Promise", "lease-Ask"
template <class... Ts>
const std::array<std::string, sizeof...(Ts)>& distinct_names(Types<Ts...>) {
    static const auto all = [] {
        std::array<std::string, sizeof...(Ts)> names{std::string(type_name<Ts>())...};
        for (auto name = names.begin(); name != names.end(); ++name)
            if (std::find(names.begin(), name, *name) != name) *name = "lease-" + *name;
        return names;
    }();
    return all;
}

}  // namespace conclave::simulator
