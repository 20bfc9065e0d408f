// Data that all threads share: the system under test and the parts of which its worlds are made.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "conclave/checker/world/links.hpp"
#include "conclave/checker/world/local.hpp"

namespace conclave::checker {

template <class A>
struct Shared {
    Query query;
    typename A::Turn::Settings settings;
    std::vector<Id> ring;
    std::vector<std::uint32_t> place;
    std::vector<Rank> ranks;
    std::vector<Rank> upside_down;
    Group group, contrary;  // as all see it, and as one sees it who compares the wrong way round
    Graph graph;
    bool fifo = true;
    Parts<A> parts;
    Interner<Mail> mails;
    std::vector<std::pair<std::uint8_t, std::uint8_t>> links;     // from, to: positions
    std::vector<std::vector<std::uint8_t>> link_of;               // [from][to]
    std::vector<std::pair<std::uint32_t, std::uint32_t>> delays;  // of each link: least and most

    Shared(const Query& q, const typename A::Turn::Settings& s)
        : query(q), settings(s), ring(q.ring), parts(q.salt), mails(q.salt) {
        const std::size_t n = ring.size();
        place.resize(n);
        for (std::size_t i = 0; i < n; ++i)
            place[static_cast<std::uint32_t>(ring[i]) - 1] = static_cast<std::uint32_t>(i);
        if (!q.attributes.empty()) {
            for (std::uint32_t id = 1; id <= n; ++id) ranks.push_back(plain_rank(Id{id}));
            for (const auto& [id, priority] : q.attributes)
                ranks[static_cast<std::uint32_t>(id) - 1] = make_rank(true, false, priority, id);
        }
        group = {ring, place, ranks, A::card.promises.lowest};
        for (std::uint32_t id = 1; id <= n; ++id) {
            const std::uint32_t priority = group.lowest ? id : static_cast<std::uint32_t>(n) - id;
            upside_down.push_back(make_rank(true, false, priority, Id{id}));
        }
        contrary = {ring, place, upside_down, false};
        fifo = A::card.links == conclave::Links::fifo;
        mails.intern(Mail{});  // number 0: nothing under way
        if (A::card.network == Network::graph)
            graph = make_graph(q.graph, static_cast<std::uint32_t>(n), 1);
        connect(n);
        delays.assign(links.size(), {q.delay_min, q.delay_max});
        for (const LinkDelay& each : q.delays)
            delays[link_of[place_of(each.from)][place_of(each.to)]] = {each.ticks, each.ticks};
    }

    bool takes_time() const {
        return std::all_of(delays.begin(), delays.end(),
                           [](const auto& delay) { return delay.first != 0; });
    }

private:
    std::size_t place_of(Id id) const { return place[static_cast<std::uint32_t>(id) - 1]; }
    // A ring of one goes from its only node to itself.
    bool linked(std::size_t from, std::size_t to) const {
        const std::size_t n = ring.size();
        const bool after = (from + 1) % n == to, before = (to + 1) % n == from;
        switch (A::card.network) {
            case Network::ring: return after;
            case Network::two_way_ring: return after || before;
            case Network::full: return from != to;
            case Network::graph: break;
        }
        return graph.port(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)) !=
               no_port;
    }
    void connect(std::size_t n) {
        link_of.assign(n, std::vector<std::uint8_t>(n, 0xff));
        for (std::size_t from = 0; from < n; ++from)
            for (std::size_t to = 0; to < n; ++to) {
                if (!linked(from, to)) continue;
                link_of[from][to] = static_cast<std::uint8_t>(links.size());
                links.emplace_back(static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to));
            }
        check(links.size() < 0xff, "at most 254 links");
    }
};

}  // namespace conclave::checker
