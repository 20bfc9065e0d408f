// The card of an algorithm: its name, where it comes from, what it needs and what it promises.
#pragma once

#include <cstdint>
#include <string_view>

namespace conclave {

enum class Network : std::uint8_t { ring, two_way_ring, full };
enum class Links : std::uint8_t { fifo, any };

// What an algorithm promises when its assumptions hold; hosts check it.
struct Promises {
    bool one_leader = true;  // never two at any instant; else only once the run is quiet
    bool best = true;        // the best live process is elected
    bool informed = true;    // in the end every live process knows the leader
    bool lowest = false;     // the best is the one with the lowest id, whatever the ranks
};

// What every tool may know of an algorithm without running it.
struct Card {
    std::string_view name;
    std::string_view paper;
    Network network;
    Links links;
    std::string_view messages;  // how many, as the paper states it
    std::string_view assumes;
    Promises promises{};
    bool restless = false;  // a run never falls quiet: somebody always waits for a timer
};

}  // namespace conclave
