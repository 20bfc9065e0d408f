// The state graph of a tiny system, for Graphviz.
#include <gmock/gmock.h>

#include "tests/checker/asking.hpp"

namespace conclave::checker {
namespace graph_test {

using testing::HasSubstr;

std::string draw(const Query& query, std::uint64_t most = 300) {
    return find_engine(query.algorithm)->draw(query, most);
}

std::size_t count(const std::string& text, std::string_view word) {
    std::size_t found = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

TEST(Graph, has_a_node_for_each_state_and_an_edge_for_each_step) {
    const Query query = worst_ring(3);
    const Verdict verdict = ask(query);
    const std::string dot = draw(query);
    EXPECT_EQ(count(dot, " -> ") + 1, verdict.searched.transitions);  // one is the beginning
    EXPECT_EQ(count(dot, "[label=") - count(dot, " -> "), verdict.searched.states);
    EXPECT_THAT(dot, HasSubstr("digraph {\n  label=\"chang-roberts, 3 nodes, 27 states\""));
    EXPECT_THAT(dot, HasSubstr("[label=\"3 starts\"]"));
    EXPECT_THAT(dot, HasSubstr("3: participating, leads"));
    EXPECT_EQ(count(dot, "penwidth=2"), 1u);     // where it begins
    EXPECT_EQ(count(dot, "peripheries=2"), 1u);  // and where it ends
}

TEST(Graph, draws_faults_dashed) {
    Query query = worst_ring(2);
    query.start_steps = false;
    query.budget.losses = 1;
    EXPECT_THAT(draw(query), HasSubstr("lost\" style=dashed]"));
}

TEST(Graph, is_not_drawn_where_it_is_too_large) {
    EXPECT_EQ(draw(worst_ring(6)), "");  // 842 states
    EXPECT_EQ(draw(worst_ring(3), 26), "");
    EXPECT_NE(draw(worst_ring(3), 27), "");
}

}  // namespace graph_test
}  // namespace conclave::checker
