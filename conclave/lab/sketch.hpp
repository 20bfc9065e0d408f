// Curves over time as text: a plot for the terminal.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace conclave::cli {

struct Curve {
    char mark;
    std::vector<std::pair<double, double>> points;
};

// Each point is drawn as its curve's mark; where marks of several meet stands a '#'.
std::string sketch(const std::vector<Curve>& curves, std::size_t columns, std::size_t rows,
                   const std::string& unit);

}  // namespace conclave::cli
