#include "conclave/core/graph.hpp"

#include <gtest/gtest.h>

#include <set>

namespace conclave {
namespace graph_test {

using Shape = GraphPlan::Shape;

Graph shaped(Shape shape, std::uint32_t nodes) { return make_graph({.shape = shape}, nodes, 1); }
std::vector<std::uint32_t> behind(const Graph& graph, std::uint32_t place) {
    const Ports ports = graph.around(place);
    return {ports.places.begin(), ports.places.end()};
}
using Places = std::vector<std::uint32_t>;

TEST(Graph, numbers_ports_by_the_places_behind_them) {
    const Graph graph(4, {{2, 0}, {3, 2}, {1, 2}});
    EXPECT_EQ(behind(graph, 2), (Places{0, 1, 3}));
    EXPECT_EQ(graph.port(2, 3), Port{2});
    EXPECT_EQ(graph.port(3, 2), Port{0});
    EXPECT_EQ(graph.port(0, 1), no_port);
    EXPECT_EQ(graph.links(), 3u);
}

TEST(Graph, leaves_out_links_that_repeat_another_or_lead_back) {
    EXPECT_EQ(Graph(3, {{0, 1}, {1, 0}, {1, 1}, {1, 2}}).links(), 2u);
}

TEST(Graph, has_the_shape_it_is_named_after) {
    EXPECT_EQ(behind(shaped(Shape::ring, 5), 0), (Places{1, 4}));
    EXPECT_EQ(behind(shaped(Shape::line, 5), 0), (Places{1}));
    EXPECT_EQ(behind(shaped(Shape::star, 5), 0), (Places{1, 2, 3, 4}));
    EXPECT_EQ(behind(shaped(Shape::star, 5), 3), (Places{0}));
    EXPECT_EQ(shaped(Shape::complete, 7).links(), 21u);
    EXPECT_EQ(behind(shaped(Shape::grid, 6), 4), (Places{1, 3, 5})) << "two rows of three";
    EXPECT_EQ(behind(shaped(Shape::torus, 9), 0), (Places{1, 2, 3, 6}));
    EXPECT_EQ(behind(shaped(Shape::hypercube, 8), 5), (Places{1, 4, 7}));
}

TEST(Graph, of_one_or_two_nodes_has_no_link_to_itself_and_none_twice) {
    for (const Shape shape : {Shape::ring, Shape::line, Shape::star, Shape::complete, Shape::grid,
                              Shape::torus, Shape::hypercube, Shape::random}) {
        EXPECT_EQ(shaped(shape, 1).links(), 0u);
        EXPECT_EQ(shaped(shape, 2).links(), 1u);
    }
}

TEST(Graph, at_random_is_connected_and_has_the_degree_asked_for) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed)
        for (const std::uint32_t nodes : {2u, 3u, 10u, 100u})
            for (const std::uint32_t degree : {1u, 3u, 60u}) {
                const Graph graph = make_graph({.degree = degree}, nodes, seed);
                EXPECT_FALSE(graph.unreached()) << seed << " " << nodes << " " << degree;
                const std::size_t wanted =
                    std::clamp<std::size_t>(nodes * degree / 2, nodes - 1, nodes * (nodes - 1) / 2);
                EXPECT_EQ(graph.links(), wanted) << seed << " " << nodes << " " << degree;
            }
}

TEST(Graph, at_random_depends_on_its_seed_and_nothing_else) {
    std::set<Places> seen;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        seen.insert(behind(make_graph({}, 40, seed), 0));
    EXPECT_GT(seen.size(), 10u);
    const GraphPlan pinned{.seed = 7};
    for (std::uint32_t place = 0; place < 40; ++place)
        EXPECT_EQ(behind(make_graph(pinned, 40, 1), place), behind(make_graph({}, 40, 7), place));
}

TEST(Graph, that_falls_apart_is_noticed) {
    EXPECT_EQ(Graph(4, {{0, 1}, {2, 3}}).unreached(), 2u);
    EXPECT_EQ(Graph(1, {}).unreached(), std::nullopt);
    const GraphPlan apart{.shape = Shape::listed, .links = {{0, 1}, {2, 3}}};
    EXPECT_EQ(graph_problem(apart, 4),
              "no link leads from node 1 to node 3, add one or give fewer --nodes");
}

TEST(Graph, that_does_not_suit_the_number_of_nodes_is_refused) {
    EXPECT_EQ(graph_problem({.shape = Shape::hypercube}, 12),
              "a hypercube has 2, 4, 8, 16 ... nodes, give --nodes 16");
    EXPECT_EQ(graph_problem({.shape = Shape::listed, .links = {{0, 4}}}, 3),
              "it has a node 5, give --nodes 5 or more");
    EXPECT_NE(graph_problem({.shape = Shape::complete}, 1'000'000), "");
    EXPECT_EQ(graph_problem({.shape = Shape::torus}, 1'000'000), "");
}

}  // namespace graph_test
}  // namespace conclave
