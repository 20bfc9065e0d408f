#include <gtest/gtest.h>

#include <sstream>

#include "conclave/trace/exports.hpp"
#include "tests/trace/examples.hpp"
#include "tests/trace/golden.hpp"

namespace conclave::trace {
namespace mermaid_test {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(Mermaid, a_ring_election) { expect_golden("ring_election.mmd", mermaid(ring_election())); }
TEST(Mermaid, a_bully_crash) { expect_golden("bully_crash.mmd", mermaid(bully_crash())); }

TEST(Mermaid, a_lost_message_ends_in_a_cross) {
    EXPECT_TRUE(has(mermaid(lost_message()), "n1-xn2: 1.5ms: Election(1) (loss)\n"));
}

TEST(Mermaid, a_change_of_the_network_concerns_all) {
    EXPECT_TRUE(has(mermaid(partition_heal()), "Note over n1,n4: 10ms: partition 1,2 | 3,4\n"));
}

TEST(Mermaid, signs_with_a_meaning_are_written_as_codes) {
    Scribe s("a;b#c", 1);
    s.note(1, Kind::report, "x; y #1 <br>\nend");
    EXPECT_EQ(mermaid(s.trace),
              "sequenceDiagram\n    title a b c\n    participant n1 as 1\n"
              "    Note over n1: 0: \"x#59; y #35;1 #60;br#62;\ufffdend\"\n");
}

TEST(Mermaid, what_is_too_much_is_left_out_and_counted) {
    const std::string text = mermaid(ring_election(), 4);
    EXPECT_TRUE(has(text, "Election(1)"));
    EXPECT_FALSE(has(text, "Elected"));
    EXPECT_TRUE(has(text, "Note over n1,n3: 13 more events left out\n")) << text;
}

TEST(Mermaid, no_text_is_longer_than_mermaid_takes) {
    for (const std::uint32_t nodes : {5u, 60u})
        EXPECT_LT(mermaid(random_trace(2, nodes, 5000), 100'000).size(), 50'000u);
}

TEST(Mermaid, every_line_is_a_statement_whatever_the_texts) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        std::istringstream in(mermaid(random_trace(seed, 5, 100)));
        std::string line;
        std::getline(in, line);
        EXPECT_EQ(line, "sequenceDiagram");
        while (std::getline(in, line)) {
            const bool known = line.starts_with("    title ") ||
                               line.starts_with("    participant n") ||
                               line.starts_with("    Note over n") || line.starts_with("    n");
            ASSERT_TRUE(known) << line;
        }
    }
}

}  // namespace mermaid_test
}  // namespace conclave::trace
