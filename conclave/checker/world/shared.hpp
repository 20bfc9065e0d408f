// Data that all threads share: the system under test, but for its nodes, and the parts of which its
// worlds are made.
#pragma once

#include <atomic>
#include <string_view>
#include <utility>
#include <vector>

#include "conclave/checker/query.hpp"
#include "conclave/checker/world/links.hpp"
#include "conclave/core/card.hpp"
#include "conclave/core/graph.hpp"

namespace conclave::checker {

struct Shared {
    Query query;
    const Card& card;
    std::vector<Id> ring;
    std::vector<std::uint32_t> place;
    std::vector<Rank> ranks;
    std::vector<Rank> upside_down;
    Group group, contrary;  // as all see it, and as one sees it who compares the wrong way round
    Graph graph;
    bool fifo = true;
    Interner<Mail> mails;
    Interner<std::uint64_t> absences;                             // nodes that are down: bits
    std::vector<std::pair<std::uint8_t, std::uint8_t>> links;     // from, to: positions
    std::vector<std::vector<std::uint8_t>> link_of;               // [from][to]
    std::vector<std::pair<std::uint32_t, std::uint32_t>> delays;  // of each link: least and most
    std::atomic<bool> coarse = false;      // some choice was tried at some places only
    std::atomic<bool> clock_read = false;  // some turn depends on the time of day
    std::atomic<bool> chose = false;       // some turn had several outcomes
    std::atomic<bool> too_many = false;    // messages or states of nodes, to number them
    std::atomic<bool> too_long = false;    // a timer, to count its ticks

    Shared(const Query& query, const Card& card);

    // Every message is under way for at least a tick.
    bool takes_time() const;
    // The reason why the search cannot go on, in words; empty: there is none.
    std::string_view outgrown() const;

private:
    std::size_t place_of(Id id) const { return place[static_cast<std::uint32_t>(id) - 1]; }
    bool linked(std::size_t from, std::size_t to) const;
    void connect();
};

}  // namespace conclave::checker
