#include "conclave/simulator/world/layout.hpp"

#include <algorithm>
#include <numeric>

#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

Layout lay_out(const Scenario& scenario, const Decisions& decisions, const Card& card) {
    Layout layout;
    layout.lowest = card.promises.lowest;
    const std::uint32_t n = scenario.nodes;
    layout.ring.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) layout.ring[i] = Id{i + 1};
    switch (scenario.order.how) {
        case Order::How::ascending: break;
        case Order::How::descending: std::reverse(layout.ring.begin(), layout.ring.end()); break;
        case Order::How::listed: layout.ring = scenario.order.ids; break;
        case Order::How::random:
            for (std::uint32_t i = n; i > 1; --i)
                std::swap(
                    layout.ring[i - 1],
                    layout.ring[below(i, decisions.bits({Purpose::order, nobody, nobody, i}))]);
    }
    layout.place.resize(n);
    for (std::uint32_t i = 0; i < n; ++i)
        layout.place[static_cast<std::uint32_t>(layout.ring[i]) - 1] = i;
    if (!scenario.attributes.empty()) {
        for (std::uint32_t id = 1; id <= n; ++id) layout.ranks.push_back(plain_rank(Id{id}));
        for (const Attribute& given : scenario.attributes)
            layout.ranks[static_cast<std::uint32_t>(given.node) - 1] =
                make_rank(true, false, given.priority, given.node);
    }
    if (card.network == conclave::Network::graph)
        layout.graph = make_graph(scenario.graph.value_or(GraphPlan{}), n, scenario.seed);
    return layout;
}

GraphPlan pinned_graph(const Scenario& scenario) {
    GraphPlan plan = scenario.graph.value_or(GraphPlan{});
    if (plan.shape == GraphPlan::Shape::random && !plan.seed) plan.seed = scenario.seed;
    return plan;
}

Id would_be_winner(const Scenario& scenario, const Group& group) {
    Id best = nobody;
    for (const Id id : group.ring) {
        const bool down =
            std::any_of(scenario.crashes.begin(), scenario.crashes.end(),
                        [&](const Crash& c) { return c.node == id && c.at == Time{0}; });
        if (!down && (best == nobody || group.better(id, best))) best = id;
    }
    return best;
}

std::vector<Id> initiators_of(const Scenario& scenario, const Layout& layout) {
    const Group group = layout.group();
    switch (scenario.initiators.who) {
        case Initiators::Who::all: return layout.ring;
        case Initiators::Who::first: return {layout.ring.front()};
        case Initiators::Who::best: return {would_be_winner(scenario, group)};
        case Initiators::Who::last: return {group.after(would_be_winner(scenario, group))};
        case Initiators::Who::listed: return scenario.initiators.ids;
        case Initiators::Who::none: break;
    }
    return {};
}

}  // namespace conclave::simulator
