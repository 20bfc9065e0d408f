// The ports of a node in a graph: it numbers its links from 0 and knows nothing of who is behind
// them until a message tells.
#pragma once

#include <cstdint>
#include <span>

namespace conclave {

enum class Port : std::uint32_t {};
inline constexpr Port no_port{0xffffffff};

struct Ports {
    std::span<const std::uint32_t> places;  // for the host: the place behind each port

    std::uint32_t count() const { return static_cast<std::uint32_t>(places.size()); }
};

}  // namespace conclave
