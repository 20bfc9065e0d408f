// Numbers of things as people say them: "1 node", "2 nodes".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace conclave {

inline std::string count_of(std::uint64_t number, std::string_view thing) {
    return std::to_string(number) + " " + std::string(thing) + (number == 1 ? "" : "s");
}

}  // namespace conclave
