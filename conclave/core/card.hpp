// The card of an algorithm: its name, where it comes from, what it needs and what it promises.
#pragma once

#include <cstdint>
#include <string_view>

#include "conclave/core/time.hpp"

namespace conclave {

enum class Network : std::uint8_t { ring, two_way_ring, full, graph };
enum class Links : std::uint8_t { fifo, any };

// An algorithm's promises when its assumptions hold; hosts check it.
struct Promises {
    bool one_leader = true;  // never two at any instant; else only once the run is quiet
    bool best = true;        // the best live process is elected
    bool informed = true;    // in the end every live process knows the leader
    bool lowest = false;     // the best is the one with the lowest id, whatever the ranks
};

// A run for which a paper states how many messages it takes.
struct Census {
    std::uint32_t nodes = 0;
    std::uint32_t initiators = 1;
    std::uint32_t down = 0;   // the best ones, from the start; the others know it
    bool succession = false;  // or: leaders that all followed; what is sent after that is counted
    Duration delay = std::chrono::milliseconds(1);  // of a message, at most; never: without bound
};

// The paper's number for it, a broadcast counted once. Both ends are reached, or are bounds.
struct Prediction {
    std::uint64_t least = 0, most = 0;
    bool stated() const { return most != 0; }  // else the paper gives no number for such a run
};

// The facts of an algorithm that every tool may know without running it.
struct Card {
    std::string_view name;
    std::string_view paper;
    Network network;
    Links links;
    std::string_view messages;  // how many, as the paper states it
    std::string_view assumes;
    Promises promises{};
    bool restless = false;  // a run never falls quiet: somebody always waits for a timer
    // `messages` as a number, for runs without faults; null: the paper states an order only, or
    // it depends on settings.
    Prediction (*predict)(const Census& census) = nullptr;
};

}  // namespace conclave
