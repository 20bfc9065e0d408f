// Any text is a graph, a file of links or refused with one sentence; a graph that suits some number
// of nodes is connected, and its ports lead there and back.
#include <algorithm>
#include <cstdint>

#include "conclave/core/check.hpp"
#include "conclave/simulator/scenario/graph_words.hpp"

namespace {

using namespace conclave;

void look_at(const GraphPlan& plan, std::uint32_t nodes) {
    if (!graph_problem(plan, nodes).empty()) return;
    const Graph graph = make_graph(plan, nodes, 1);
    check(!graph.unreached(), "a graph that is taken is connected");
    for (std::uint32_t place = 0; place < nodes; ++place)
        for (const std::uint32_t other : graph.around(place).places)
            check(graph.port(other, place) != no_port, "a link leads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::uint32_t nodes = 1 + data[0] % 40u;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::string remedy, again, problem;
    if (const auto plan = simulator::parse_graph(text, remedy)) {
        const auto same = simulator::parse_graph(simulator::format_graph(*plan), again);
        check(same == plan, "what is written is what was read");
        look_at(*plan, nodes);
    }
    const GraphPlan plan = simulator::read_graph_file(text, "g", problem);
    if (problem.empty())
        look_at(plan, nodes);
    else
        check(problem.starts_with("g:"), "a refusal begins with its place");
    return 0;
}
