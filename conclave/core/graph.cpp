#include "conclave/core/graph.hpp"

#include <algorithm>
#include <bit>

#include "conclave/core/key.hpp"

namespace conclave {

namespace {

using Link = GraphPlan::Link;
using Shape = GraphPlan::Shape;
using LinkList = std::vector<GraphPlan::Link>;

Link in_order(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

void tidy(LinkList& links) {
    for (Link& link : links) link = in_order(link.a, link.b);
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    std::erase_if(links, [](const Link& link) { return link.a == link.b; });
}

std::uint32_t rows_of(std::uint32_t nodes) {
    std::uint32_t rows = 1;
    for (std::uint32_t n = 1; std::uint64_t{n} * n <= nodes; ++n)
        if (nodes % n == 0) rows = n;
    return rows;
}

LinkList make_rows(std::uint32_t nodes, bool closed) {
    const std::uint32_t rows = rows_of(nodes), columns = nodes / rows;
    LinkList links;
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column) {
            const std::uint32_t at = row * columns + column;
            if (closed || column + 1 < columns)
                links.push_back({at, row * columns + (column + 1) % columns});
            if (closed || row + 1 < rows)
                links.push_back({at, (row + 1) % rows * columns + column});
        }
    return links;
}

LinkList make_cube(std::uint32_t nodes) {
    LinkList links;
    for (std::uint32_t at = 0; at < nodes; ++at)
        for (std::uint32_t side = 1; side < nodes; side *= 2)
            if ((at & side) == 0) links.push_back({at, at | side});
    return links;
}

LinkList make_complete(std::uint32_t nodes) {
    LinkList links;
    for (std::uint32_t a = 0; a < nodes; ++a)
        for (std::uint32_t b = a + 1; b < nodes; ++b) links.push_back({a, b});
    return links;
}

class Draws {
public:
    explicit Draws(std::uint64_t seed) : state_(mix(seed)) {}
    std::uint32_t below(std::uint64_t n) {  // n < 2^32
        state_ = mix(state_);
        return static_cast<std::uint32_t>((state_ >> 32) * n >> 32);
    }

private:
    std::uint64_t state_;
};

// Of few possible links each is taken with the chance that leaves `wanted` of them in the end.
LinkList thin_out(std::uint32_t nodes, const LinkList& tree, std::uint64_t wanted, Draws& draws) {
    LinkList links = tree;
    const LinkList all = make_complete(nodes);
    std::uint64_t left = all.size() - tree.size(), missing = wanted - tree.size();
    for (const Link& link : all) {
        if (std::binary_search(tree.begin(), tree.end(), link)) continue;
        if (draws.below(left--) < missing) links.push_back(link), --missing;
    }
    return links;
}

LinkList make_random(std::uint32_t nodes, std::uint32_t degree, Draws draws) {
    LinkList links;
    for (std::uint32_t at = 1; at < nodes; ++at) links.push_back({draws.below(at), at});
    const std::uint64_t possible = std::uint64_t{nodes} * (nodes - 1) / 2;
    const std::uint64_t wanted =
        std::clamp<std::uint64_t>(std::uint64_t{nodes} * degree / 2, links.size(), possible);
    tidy(links);
    if (wanted > possible / 4) return thin_out(nodes, links, wanted, draws);
    while (links.size() < wanted) {  // hardly a link is drawn twice
        for (std::uint64_t missing = wanted - links.size(); missing != 0; --missing) {
            const std::uint32_t a = draws.below(nodes);
            links.push_back({a, draws.below(nodes)});
        }
        tidy(links);
    }
    return links;
}

LinkList links_of(const GraphPlan& plan, std::uint32_t nodes, std::uint64_t seed) {
    LinkList links;
    switch (plan.shape) {
        case Shape::ring: links.push_back({nodes - 1, 0}); [[fallthrough]];
        case Shape::line:
            for (std::uint32_t at = 1; at < nodes; ++at) links.push_back({at - 1, at});
            break;
        case Shape::star:
            for (std::uint32_t at = 1; at < nodes; ++at) links.push_back({0, at});
            break;
        case Shape::complete: return make_complete(nodes);
        case Shape::grid: return make_rows(nodes, false);
        case Shape::torus: return make_rows(nodes, true);
        case Shape::hypercube: return make_cube(nodes);
        case Shape::random: return make_random(nodes, plan.degree, Draws(plan.seed.value_or(seed)));
        case Shape::listed: return plan.links;
    }
    return links;
}

}  // namespace

Graph::Graph(std::uint32_t nodes, LinkList links) : begin_(nodes + 1, 0) {
    tidy(links);
    for (const Link& link : links) ++begin_[link.a + 1], ++begin_[link.b + 1];
    for (std::uint32_t at = 0; at < nodes; ++at) begin_[at + 1] += begin_[at];
    far_.resize(2 * links.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    // LinkList are sorted, so that a place meets first those before it, then those behind it.
    for (const Link& link : links) far_[next[link.b]++] = link.a;
    for (const Link& link : links) far_[next[link.a]++] = link.b;
}

Port Graph::port(std::uint32_t place, std::uint32_t other) const {
    const Ports ports = around(place);
    const auto at = std::lower_bound(ports.places.begin(), ports.places.end(), other);
    if (at == ports.places.end() || *at != other) return no_port;
    return Port{static_cast<std::uint32_t>(at - ports.places.begin())};
}

std::optional<std::uint32_t> Graph::unreached() const {
    if (size() == 0) return std::nullopt;
    std::vector<bool> seen(size());
    std::vector<std::uint32_t> open{0};
    seen[0] = true;
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        for (const std::uint32_t next : around(at).places)
            if (!seen[next]) seen[next] = true, open.push_back(next);
    }
    const auto missed = std::find(seen.begin(), seen.end(), false);
    if (missed == seen.end()) return std::nullopt;
    return static_cast<std::uint32_t>(missed - seen.begin());
}

Graph make_graph(const GraphPlan& plan, std::uint32_t nodes, std::uint64_t seed) {
    return {nodes, links_of(plan, nodes, seed)};
}

std::string graph_problem(const GraphPlan& plan, std::uint32_t nodes) {
    constexpr std::uint32_t complete_max = 5000;
    if (plan.shape == Shape::hypercube && !std::has_single_bit(nodes))
        return "a hypercube has 2, 4, 8, 16 ... nodes, give --nodes " +
               std::to_string(std::bit_ceil(nodes));
    if (plan.shape == Shape::complete && nodes > complete_max)
        return "it would have too many links, give at most --nodes " + std::to_string(complete_max);
    if (plan.shape != Shape::listed) return {};
    for (const Link& link : plan.links)
        if (const std::uint32_t last = std::max(link.a, link.b); last >= nodes)
            return "it has a node " + std::to_string(last + 1) + ", give --nodes " +
                   std::to_string(last + 1) + " or more";
    if (const auto missed = Graph(nodes, plan.links).unreached())
        return "no link leads from node 1 to node " + std::to_string(*missed + 1) +
               ", add one or give fewer --nodes";
    return {};
}

}  // namespace conclave
