// Graphs as people write them: a shape by its name, links in a row (1-2,2-3), or a file of links.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conclave/core/graph.hpp"

namespace conclave::simulator {

// "ring", "random:4", "random:4:7", "1-2,2-3"; `remedy` says what would be right, or nothing.
std::optional<GraphPlan> parse_graph(std::string_view text, std::string& remedy);
std::string format_graph(const GraphPlan& plan);

// A file has one link a line, two different nodes with blanks between them; behind # is a comment.
// `problem` is empty, or one sentence that begins with name and line.
GraphPlan read_graph_file(std::string_view text, std::string_view name, std::string& problem);

}  // namespace conclave::simulator
