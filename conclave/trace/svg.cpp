// The text diagram as a picture. Every line has the width of its columns, whichever font a browser
// has, and lines are so close that the vertical strokes touch.
#include <string>
#include <string_view>

#include "conclave/trace/columns.hpp"
#include "conclave/trace/diagram.hpp"
#include "conclave/trace/exports.hpp"

namespace conclave::trace {

namespace {

constexpr std::size_t column = 8, row = 16, margin = 12;  // in pixels

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char letter : text) {
        if (letter == '&')
            safe += "&amp;";
        else if (letter == '<')
            safe += "&lt;";
        else
            safe += letter;
    }
    return safe;
}

std::string attribute(std::string_view name, std::size_t number) {
    return " " + std::string(name) + "=\"" + std::to_string(number) + "\"";
}

std::string text_line(std::string_view text, std::size_t number) {
    const bool wrong = text.find("VIOLATION") != std::string_view::npos;
    return "<text" + attribute("x", margin) + attribute("y", margin + row * (number + 1) - 4) +
           attribute("textLength", column * columns_of(text)) +
           (wrong ? " class=\"wrong\">" : ">") + escaped(text) + "</text>\n";
}

}  // namespace

std::string svg(const Trace& trace) {
    const std::string picture = diagram(trace);
    std::string lines;
    std::size_t count = 0, widest = 0;
    for (std::string_view rest = picture; !rest.empty(); ++count) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        widest = std::max(widest, columns_of(line));
        if (!line.empty()) lines += text_line(line, count);
    }
    const std::size_t width = 2 * margin + column * widest, height = 2 * margin + row * count;
    return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
           attribute("height", height) +
           ">\n<style>text { font: 14px 'DejaVu Sans Mono', monospace; white-space: pre; fill: "
           "#222 } .wrong { fill: #b00020 }</style>\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
           lines + "</svg>\n";
}

}  // namespace conclave::trace
