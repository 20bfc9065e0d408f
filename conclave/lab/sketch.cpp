#include "conclave/lab/sketch.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace conclave::cli {

namespace {

constexpr std::size_t margin = 11;  // for the labels on the left

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    std::size_t place(double value, std::size_t steps) const {
        const double share = high > low ? (value - low) / (high - low) : 0.5;
        return std::min(steps - 1, static_cast<std::size_t>(share * static_cast<double>(steps)));
    }
};

std::string label(double value, const std::string& unit) {
    char letters[40];
    std::snprintf(letters, sizeof letters, "%8.4g %s", value, unit.c_str());
    std::string padded = letters;
    padded.resize(std::max(margin, padded.size()), ' ');
    return padded;
}

}  // namespace

std::string sketch(const std::vector<Curve>& curves, std::size_t columns, std::size_t rows,
                   const std::string& unit) {
    Range x, y;
    for (const Curve& curve : curves)
        for (const auto& [at, value] : curve.points) {
            x.include(at);
            y.include(value);
        }
    if (!(x.low <= x.high)) return "nothing to draw\n";
    const std::size_t width = std::max<std::size_t>(columns, margin + 20) - margin - 2;
    std::vector<std::string> canvas(rows, std::string(width, ' '));
    for (const Curve& curve : curves)
        for (const auto& [at, value] : curve.points) {
            char& cell = canvas[rows - 1 - y.place(value, rows)][x.place(at, width)];
            cell = cell == ' ' || cell == curve.mark ? curve.mark : '#';
        }
    std::string text;
    for (std::size_t row = 0; row < rows; ++row) {
        const bool named = row == 0 || row == rows - 1;
        text += named ? label(row == 0 ? y.high : y.low, unit) : std::string(margin, ' ');
        text += "|" + canvas[row] + "\n";
    }
    char axis[80];
    std::snprintf(axis, sizeof axis, "%.4g s", x.low);
    std::string foot = std::string(margin, ' ') + axis;
    std::snprintf(axis, sizeof axis, "%.4g s", x.high);
    const std::string end = axis;
    foot.resize(std::max(foot.size() + 1, margin + width + 1 - end.size()), ' ');
    return text + foot + end + "\n";
}

}  // namespace conclave::cli
