#include "conclave/claims/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace conclave::claims {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double width = 900, height = 560, left = 90, right = 250, top = 56, bottom = 70;
constexpr std::array<const char*, 10> colours{"#1f6feb", "#d1242f", "#1a7f37", "#9a6700",
                                              "#8250df", "#bf3989", "#0a7ea4", "#57606a",
                                              "#e16f24", "#2da44e"};

std::string number(double value) {
    char letters[32];
    std::snprintf(letters, sizeof letters, "%.2f", value);
    return letters;
}

// 1000000 -> "10^6" on a logarithmic axis, else a short decimal.
std::string tick_label(double value, bool log) {
    char letters[32];
    if (log && (value >= 1e4 || value < 1e-2))
        std::snprintf(letters, sizeof letters, "10^%d",
                      static_cast<int>(std::lround(std::log10(value))));
    else
        std::snprintf(letters, sizeof letters, "%g", value);
    return letters;
}

struct Axis {
    bool log = false;
    double low = 0, high = 1, from = 0, to = 1;  // values, and where they stand on the page

    double place(double value) const {
        const double v = log ? std::log10(value) : value;
        const double a = log ? std::log10(low) : low, b = log ? std::log10(high) : high;
        return from + (v - a) / (b - a) * (to - from);
    }
    std::vector<double> ticks() const {
        std::vector<double> list;
        if (log) {
            for (double v = std::pow(10, std::floor(std::log10(low))); v <= high * 1.001; v *= 10)
                if (v >= low * 0.999) list.push_back(v);
            return list;
        }
        const double raw = (high - low) / 6, unit = std::pow(10, std::floor(std::log10(raw)));
        const double step = raw / unit < 1.5   ? unit
                            : raw / unit < 3.5 ? 2 * unit
                            : raw / unit < 7.5 ? 5 * unit
                                               : 10 * unit;
        // By whole multiples: a sum of steps misses zero by a hair, and the label shows it.
        for (double i = std::ceil(low / step); i * step <= high + step / 1000; ++i)
            list.push_back(i == 0 ? 0 : i * step);
        return list;
    }
};

Axis make_axis(const Plot& plot, bool x) {
    Axis axis{.log = x ? plot.log_x : plot.log_y, .low = infinity, .high = -infinity};
    for (const Series& series : plot.series)
        for (const auto& point : series.points) {
            const double value = x ? point.first : point.second;
            if (axis.log && value <= 0) continue;
            axis.low = std::min(axis.low, value);
            axis.high = std::max(axis.high, value);
        }
    if (!std::isfinite(axis.low)) axis.low = axis.log ? 1 : 0, axis.high = axis.log ? 10 : 1;
    // From zero, unless that would leave much of the page empty.
    if (!axis.log && axis.low > 0 && (!x || axis.low < axis.high / 20)) axis.low = 0;
    if (axis.high <= axis.low) axis.high = axis.low + 1;
    axis.from = x ? left : height - bottom;
    axis.to = x ? width - right : top;
    return axis;
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
    return "<line x1='" + number(x1) + "' y1='" + number(y1) + "' x2='" + number(x2) + "' y2='" +
           number(y2) + "' " + style + "/>\n";
}
std::string place_text(double x, double y, std::string_view what, const char* style) {
    return "<text x='" + number(x) + "' y='" + number(y) + "' " + style + ">" +
           escape_markup(what) + "</text>\n";
}

std::string dot(const std::string& x, const std::string& y, const std::string& colour,
                double radius = 4) {
    return "<circle cx='" + x + "' cy='" + y + "' r='" + number(radius) + "' fill='" + colour +
           "'/>\n";
}

// A legend's name in lines that fit beside the plot.
std::vector<std::string> legend_lines(std::string_view name) {
    constexpr std::size_t fits = 27;
    std::vector<std::string> lines;
    while (name.size() > fits) {
        std::size_t cut = name.rfind(' ', fits);
        if (cut == std::string_view::npos || cut == 0) cut = fits;
        lines.emplace_back(name.substr(0, cut));
        name.remove_prefix(name[cut] == ' ' ? cut + 1 : cut);
    }
    lines.emplace_back(name);
    return lines;
}

std::string draw_axes(const Plot& plot, const Axis& x, const Axis& y) {
    std::string svg;
    for (const double tick : x.ticks()) {
        svg += line(x.place(tick), y.from, x.place(tick), y.to, "stroke='#eaeef2'");
        svg +=
            place_text(x.place(tick), y.from + 20, tick_label(tick, x.log), "text-anchor='middle'");
    }
    for (const double tick : y.ticks()) {
        svg += line(x.from, y.place(tick), x.to, y.place(tick), "stroke='#eaeef2'");
        svg += place_text(x.from - 10, y.place(tick) + 5, tick_label(tick, y.log),
                          "text-anchor='end'");
    }
    svg += line(x.from, y.from, x.to, y.from, "stroke='#24292f'");
    svg += line(x.from, y.from, x.from, y.to, "stroke='#24292f'");
    svg += place_text((x.from + x.to) / 2, height - 20, plot.x_axis, "text-anchor='middle'");
    const std::string turn =
        "text-anchor='middle' transform='rotate(-90 24 " + number((y.from + y.to) / 2) + ")'";
    svg += place_text(24, (y.from + y.to) / 2, plot.y_axis, turn.c_str());
    return svg + place_text(left, 32, plot.title, "font-size='19' font-weight='bold'");
}

std::string draw_series(const Series& series, const Axis& x, const Axis& y,
                        const std::string& colour) {
    std::string svg, path;
    const double radius = series.points.size() > 40 ? 1.5 : 4;  // many must not hide their line
    for (const auto& [px, py] : series.points) {
        if ((x.log && px <= 0) || (y.log && py <= 0)) continue;
        const std::string at_x = number(x.place(px)), at_y = number(y.place(py));
        path += (path.empty() ? "M" : "L") + at_x + " " + at_y;
        if (!series.line) svg += dot(at_x, at_y, colour, radius);
    }
    const std::string style = series.line ? "stroke-width='1.5' stroke-dasharray='6 4'"
                                          : "stroke-width='2' opacity='0.6'";
    return "<path d='" + path + "' fill='none' stroke='" + colour + "' " + style + "/>\n" + svg;
}

std::string draw_marks(const Plot& plot, const Axis& x, const Axis& y) {
    std::string svg;
    double height_of = y.to + 14;
    for (const auto& [at, what] : plot.marks) {
        if (at < x.low || at > x.high) continue;
        svg += line(x.place(at), y.from, x.place(at), y.to,
                    "stroke='#d1242f' stroke-width='1.5' stroke-dasharray='2 3'");
        const bool late = x.place(at) > (x.from + x.to) / 2;
        svg += place_text(x.place(at) + (late ? -6 : 6), height_of, what,
                          late ? "text-anchor='end' font-size='12' fill='#d1242f'"
                               : "font-size='12' fill='#d1242f'");
        height_of += 15;
    }
    return svg;
}

}  // namespace

std::string to_svg(const Plot& plot) {
    const Axis x = make_axis(plot, true), y = make_axis(plot, false);
    std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + number(width) +
                      " " + number(height) +
                      "' font-family='Helvetica, Arial, sans-serif' font-size='14'>\n" +
                      "<rect width='100%' height='100%' fill='white'/>\n" + draw_axes(plot, x, y);
    double key = top + 10;
    std::size_t i = 0;
    // Formulas last, so that no point hides them.
    for (const bool formula : {false, true})
        for (std::size_t each = 0; each < plot.series.size(); ++each)
            if (plot.series[each].line == formula)
                svg += draw_series(plot.series[each], x, y, colours[each % colours.size()]);
    svg += draw_marks(plot, x, y);
    for (const Series& series : plot.series) {
        const std::string colour = colours[i++ % colours.size()];
        const std::string mark = "stroke='" + colour + "' stroke-width='2' " +
                                 (series.line ? "stroke-dasharray='6 4'" : "opacity='0.6'");
        svg += line(width - right + 18, key, width - right + 46, key, mark.c_str());
        if (!series.line) svg += dot(number(width - right + 32), number(key), colour);
        for (const std::string& part : legend_lines(series.name)) {
            svg += place_text(width - right + 54, key + 5, part, "font-size='13'");
            key += 17;
        }
        key += 6;
    }
    return svg + "</svg>\n";
}

std::string escape_markup(std::string_view from) {
    std::string to;
    for (const char c : from) {
        if (c == '<')
            to += "&lt;";
        else if (c == '>')
            to += "&gt;";
        else if (c == '&')
            to += "&amp;";
        else
            to += c;
    }
    return to;
}

}  // namespace conclave::claims
