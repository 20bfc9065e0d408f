#include <gtest/gtest.h>

#include "conclave/trace/diagram.hpp"
#include "conclave/trace/exports.hpp"
#include "tests/trace/examples.hpp"
#include "tests/trace/golden.hpp"

namespace conclave::trace {
namespace svg_test {

TEST(Svg, a_lost_message) { expect_golden("lost_message.svg", svg(lost_message())); }

TEST(Svg, has_every_line_of_the_diagram) {
    const std::string picture = svg(ring_election());
    std::size_t at = 0, lines = 0;
    for (std::size_t end; (end = picture.find("</text>", at)) != std::string::npos; at = end + 1)
        ++lines;
    const std::string text = diagram(ring_election());
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        drawn += text[i] == '\n' && i != 0 && text[i - 1] != '\n';
    EXPECT_EQ(lines, drawn);
}

TEST(Svg, marks_of_xml_in_a_text_are_escaped) {
    Trace trace = lost_message();
    trace.title = "a < b & c";
    EXPECT_NE(svg(trace).find("a &lt; b &amp; c"), std::string::npos);
    EXPECT_EQ(svg(trace).find("a < b"), std::string::npos);
}

}  // namespace svg_test
}  // namespace conclave::trace
