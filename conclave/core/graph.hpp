// A network in which each node has links to some of the others: places, and the ports between them.
//
// Places are numbered from 0, as positions along a ring are; which id sits at which place is the
// host's to say. A node's ports are in the order of the places behind them, so that port numbers
// tell nothing about ids, and no array is needed to find a port again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conclave/core/card.hpp"
#include "conclave/core/id.hpp"
#include "conclave/core/ports.hpp"

namespace conclave {

// Which graph: a shape that any number of nodes can have, or a list of links.
struct GraphPlan {
    enum class Shape : std::uint8_t {
        ring,
        line,
        star,      // the first place is in the middle
        complete,  // everybody has a link to everybody
        grid,      // as many rows as the greatest divisor of the nodes up to their root
        torus,     // likewise, and the ends of rows and columns are linked
        hypercube,
        random,  // connected: a random tree, and more links at random
        listed,
    };
    struct Link {
        std::uint32_t a, b;  // places
        auto operator<=>(const Link&) const = default;
    };

    Shape shape = Shape::random;
    std::uint32_t degree = 3;             // random: ports of a node, on average
    std::optional<std::uint64_t> seed{};  // random; none: that of the run
    std::vector<Link> links{};            // listed

    bool operator==(const GraphPlan&) const = default;
};

class Graph {
public:
    Graph() = default;
    // Links in any order and direction; those that repeat another, or lead back, are left out.
    Graph(std::uint32_t nodes, std::vector<GraphPlan::Link> links);

    std::uint32_t size() const { return static_cast<std::uint32_t>(begin_.size()) - 1; }
    std::size_t links() const { return far_.size() / 2; }
    Ports around(std::uint32_t place) const {
        return {{far_.data() + begin_[place], far_.data() + begin_[place + 1]}};
    }
    // The port of `place` that leads to the other; no_port: none does.
    Port port(std::uint32_t place, std::uint32_t other) const;
    // The first place that cannot be reached from the first of all.
    std::optional<std::uint32_t> unreached() const;

private:
    std::vector<std::uint32_t> begin_{0};  // of each place's ports in `far_`, and the end of all
    std::vector<std::uint32_t> far_;
};

// The plan must suit the number of nodes; `seed` is that of the run.
Graph make_graph(const GraphPlan& plan, std::uint32_t nodes, std::uint64_t seed);

// Empty, or what speaks against this graph of so many nodes, and a remedy.
std::string graph_problem(const GraphPlan& plan, std::uint32_t nodes);

// The turn of a node of a graph: it sees ports, and neither neighbours nor senders.
template <class A>
void look_around(const Graph& graph, const Group& group, std::uint32_t place,
                 typename A::Turn& turn) {
    if constexpr (A::card.network != Network::graph) return;
    turn.ports = graph.around(place);
    turn.port = turn.from == nobody ? no_port : graph.port(place, group.position(turn.from));
    turn.from = turn.next = nobody;
}

}  // namespace conclave
