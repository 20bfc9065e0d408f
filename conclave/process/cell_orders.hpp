// The protocol between an agent and conclave-engine, its connection to a shared cell: plain structs
// over a socket that keeps packets whole, as with the guardian (orders.hpp). Both are of one build.
//
// conclave-engine outlives its agent. When that is dead and its command gone, the guardian's death
// notice comes by UDP from this machine, and conclave-engine frees the cell.
#pragma once

#include <array>
#include <cstdint>

namespace conclave::process {

inline constexpr int cell_channel_place = 3;

enum class CellOrder : std::uint32_t {
    read,
    write,
    free,  // write that nobody holds the cell
    leave  // the agent ends in an orderly way, and so does conclave-engine
};
struct CellRequest {
    CellOrder order = CellOrder::read;
    std::uint32_t beat = 0;
    std::uint64_t version = 0, life = 0;
    std::int64_t promise_ns = 0;
};

enum class CellAnswer : std::uint32_t {
    ready,    // listens for death notices at `port` of 127.0.0.1, from whoever knows `secret`
    told,     // the contents of the cell; `text` is the holder's name
    problem,  // the engine cannot be reached, or refuses: `text` is a sentence
    finding   // `text` is one for an operator; an empty one comes before all of an examination
};
struct CellReport {
    CellAnswer answer = CellAnswer::told;
    std::uint32_t beat = 0;
    std::uint64_t version = 0, life = 0;
    std::int64_t promise_ns = 0;
    std::uint32_t port = 0;
    std::uint64_t secret = 0;
    std::array<char, 400> text{};  // ends with a zero
};

// A death notice, as the guardian sends it.
struct CellNotice {
    std::uint64_t secret = 0;
    std::uint64_t life = 0;  // that is over, and whose command is gone
};

}  // namespace conclave::process
