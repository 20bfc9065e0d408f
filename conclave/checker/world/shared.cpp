#include "conclave/checker/world/shared.hpp"

#include <algorithm>

namespace conclave::checker {

Shared::Shared(const Query& q, const Card& c)
    : query(q), card(c), ring(q.ring), mails(q.salt), absences(q.salt) {
    const std::size_t n = ring.size();
    place.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        place[static_cast<std::uint32_t>(ring[i]) - 1] = static_cast<std::uint32_t>(i);
    if (!q.attributes.empty()) {
        for (std::uint32_t id = 1; id <= n; ++id) ranks.push_back(plain_rank(Id{id}));
        for (const auto& [id, priority] : q.attributes)
            ranks[static_cast<std::uint32_t>(id) - 1] = make_rank(true, false, priority, id);
    }
    group = {ring, place, ranks, card.promises.lowest};
    for (std::uint32_t id = 1; id <= n; ++id) {
        const std::uint32_t priority = group.lowest ? id : static_cast<std::uint32_t>(n) - id;
        upside_down.push_back(make_rank(true, false, priority, Id{id}));
    }
    contrary = {ring, place, upside_down, false};
    fifo = card.links == conclave::Links::fifo;
    mails.intern(Mail{});  // number 0: nothing under way
    absences.intern(0);    // number 0: all are there
    if (card.network == Network::graph)
        graph = make_graph(q.graph, static_cast<std::uint32_t>(n), 1);
    connect();
    delays.assign(links.size(), {q.delay_min, q.delay_max});
    for (const LinkDelay& each : q.delays)
        delays[link_of[place_of(each.from)][place_of(each.to)]] = {each.ticks, each.ticks};
}

bool Shared::takes_time() const {
    return std::all_of(delays.begin(), delays.end(),
                       [](const auto& delay) { return delay.first != 0; });
}

std::string_view Shared::outgrown() const {
    if (too_many)
        return "there are more than 2^20 different messages or 2^28 states of a node: give "
               "--ticks, so that time ends";
    if (too_long) return "a timer takes more than 65533 ticks: give a longer --tick";
    return {};
}

// A ring of one goes from its only node to itself.
bool Shared::linked(std::size_t from, std::size_t to) const {
    const std::size_t n = ring.size();
    const bool after = (from + 1) % n == to, before = (to + 1) % n == from;
    switch (card.network) {
        case Network::ring: return after;
        case Network::two_way_ring: return after || before;
        case Network::full: return from != to;
        case Network::graph: break;
    }
    return graph.port(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)) != no_port;
}

void Shared::connect() {
    const std::size_t n = ring.size();
    link_of.assign(n, std::vector<std::uint8_t>(n, 0xff));
    for (std::size_t from = 0; from < n; ++from)
        for (std::size_t to = 0; to < n; ++to) {
            if (!linked(from, to)) continue;
            link_of[from][to] = static_cast<std::uint8_t>(links.size());
            links.emplace_back(static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to));
        }
    check(links.size() < 0xff, "at most 254 links");
}

}  // namespace conclave::checker
