#include "conclave/trace/diagram.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <regex>
#include <sstream>

#include "conclave/trace/columns.hpp"
#include "tests/trace/examples.hpp"
#include "tests/trace/golden.hpp"

namespace conclave::trace {
namespace diagram_test {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::string without_colour(const std::string& text) {
    return std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), "");
}

std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    for (const std::string& line : lines_of(text)) widest = std::max(widest, columns_of(line));
    return widest;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(Diagram, a_ring_election) { expect_golden("ring_election.txt", diagram(ring_election())); }
TEST(Diagram, a_bully_crash) { expect_golden("bully_crash.txt", diagram(bully_crash())); }
TEST(Diagram, a_partition_that_heals) {
    expect_golden("partition_heal.txt", diagram(partition_heal()));
}
TEST(Diagram, a_lost_message) { expect_golden("lost_message.txt", diagram(lost_message())); }
TEST(Diagram, a_broadcast) { expect_golden("broadcast_all.txt", diagram(broadcast_all())); }
TEST(Diagram, a_pause_and_a_zombie) { expect_golden("pause_zombie.txt", diagram(pause_zombie())); }

TEST(Diagram, the_same_in_ascii) {
    const std::string text = diagram(bully_crash(), {.unicode = false});
    for (const char letter : text) EXPECT_TRUE(letter == '\n' || (letter >= ' ' && letter <= '~'));
    expect_golden("bully_crash_ascii.txt", text);
}

TEST(Diagram, many_nodes_become_a_list) { expect_golden("list.txt", diagram(big_broadcast(40))); }

TEST(Diagram, twelve_nodes_still_fit_80_columns_and_forty_do_not) {
    EXPECT_TRUE(has(diagram(random_trace(1, 12, 30)), "──▶"));
    EXPECT_FALSE(has(diagram(random_trace(1, 40, 30)), "──▶"));
}

TEST(Diagram, no_line_is_wider_than_asked_nor_ends_in_a_space) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Trace trace = random_trace(seed, static_cast<std::uint32_t>(1 + seed % 15), 120);
        for (const std::size_t width : {std::size_t{40}, std::size_t{80}, 60 + seed % 80}) {
            const std::string text = diagram(trace, {.width = width});
            ASSERT_LE(widest_line(text), width) << "seed " << seed << "\n" << text;
            ASSERT_FALSE(has(text, " \n")) << "seed " << seed << "\n" << text;
        }
    }
}

TEST(Diagram, colour_comes_only_when_asked_and_changes_nothing_else) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Trace trace = random_trace(seed, static_cast<std::uint32_t>(1 + seed % 20), 100);
        const std::string plain = diagram(trace), colourful = diagram(trace, {.colour = true});
        ASSERT_FALSE(has(plain, "\x1b"));
        ASSERT_TRUE(has(colourful, "\x1b[2m"));
        ASSERT_EQ(without_colour(colourful), plain);
    }
}

TEST(Diagram, leaders_are_green_and_losses_red) {
    const std::string text = diagram(bully_crash(), {.colour = true});
    EXPECT_TRUE(has(text, "\x1b[1;32m★ leads\x1b[0m"));
    EXPECT_TRUE(has(text, "\x1b[1;31m╳ crashed"));
    EXPECT_TRUE(has(text, "✗"));
    EXPECT_TRUE(std::regex_search(text, std::regex("\x1b\\[1;31m[^\x1b]*✗")));
}

TEST(Diagram, every_message_is_told_once) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Trace trace = random_trace(seed, 6, 150);
        for (Record& record : trace.records)
            if (record.kind == Kind::send) record.text = "m";
        std::size_t heads = 0, ends = 0;
        const std::string text = diagram(trace, {.width = 120});
        for (const char* head : {"▶", "◀", "✗", "↺"})
            for (std::size_t at = text.find(head); at != text.npos; at = text.find(head, at + 1))
                ++heads;
        for (const Record& record : trace.records)
            ends += record.kind == Kind::arrive || record.kind == Kind::lose ? 1 : 0;
        const std::string legend = lines_of(text).back();
        heads -= (has(legend, "▶") ? 1 : 0) + (has(legend, "✗") ? 1 : 0);
        ASSERT_EQ(heads, ends) << "seed " << seed << "\n" << text;
    }
}

TEST(Diagram, what_does_not_fit_the_rows_is_left_out_in_the_middle_and_counted) {
    const Trace trace = random_trace(7, 5, 2000);
    const std::vector<std::string> all = lines_of(diagram(trace));
    const std::vector<std::string> few = lines_of(diagram(trace, {.max_rows = 30}));
    std::size_t announced = 0;
    std::smatch match;
    for (const std::string& line : few)
        if (std::regex_search(line, match, std::regex("([0-9,]+) lines left out, from .* to ")))
            announced = std::stoul(std::regex_replace(match[1].str(), std::regex(","), ""));
    ASSERT_GT(announced, 500u);
    EXPECT_EQ(few.size() - 1 + announced, all.size());
    for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(few[i], all[i]);
    // The first line after the gap says its time, which may not be news in the whole picture.
    for (std::size_t i = 1; i < 12; ++i) EXPECT_EQ(few[few.size() - i], all[all.size() - i]);
}

TEST(Diagram, rows_that_fit_exactly_are_all_there) {
    const std::string all = diagram(ring_election());
    const std::size_t rows = lines_of(all).size() - 5;  // less title, outcome, legend and air
    EXPECT_EQ(diagram(ring_election(), {.max_rows = rows}), all);
    EXPECT_TRUE(has(diagram(ring_election(), {.max_rows = rows - 1}), "2 lines left out"));
}

TEST(Diagram, a_window_shows_a_part_of_the_time_and_counts_the_rest) {
    const std::string text = diagram(ring_election(), {.first = 5ms, .last = 6ms});
    EXPECT_FALSE(has(text, "Election(1)"));
    EXPECT_TRUE(has(text, "Election(3)"));
    EXPECT_FALSE(has(text, "7ms"));
    EXPECT_TRUE(has(text, "left out: 16 records before 5ms and 6 records after 6ms"));
}

TEST(Diagram, a_leader_elected_before_the_window_leads_in_it) {
    EXPECT_TRUE(has(diagram(ring_election(), {.first = 7ms}), "┃"));
    EXPECT_FALSE(has(diagram(ring_election(), {.last = 4ms}), "┃"));
}

TEST(Diagram, a_loss_without_a_number_belongs_to_the_send_before_it) {
    Trace trace{"", {Id{1}, Id{2}}, {}};
    trace.add(1ms, Kind::send, Id{1}, Id{2}, 0, "Hello");
    trace.add(1ms, Kind::lose, Id{2}, Id{1}, 0, "cut off");
    EXPECT_TRUE(has(diagram(trace), "├╌╌Hello╌╌✗│ cut off"));
    EXPECT_FALSE(has(diagram(trace), "still on the way"));
}

TEST(Diagram, what_a_crashed_sender_sent_says_when) {
    Scribe s("", 2);
    s.at(2ms);
    const auto flight = s.send(1, 2, "Hello");
    s.at(3ms), s.note(1, Kind::crash);
    s.at(4ms), s.arrive(flight);
    EXPECT_TRUE(has(diagram(s.trace), "╶─────────▶│ Hello, sent 2ms")) << diagram(s.trace);
}

TEST(Diagram, a_message_that_takes_no_time_stands_below_its_cause) {
    Scribe s("", 3);
    s.note(1, Kind::state, "asking");
    s.arrive(s.send(1, 2, "Ask"));
    s.arrive(s.send(2, 3, "Pass"));
    const std::vector<std::string> lines = lines_of(diagram(s.trace));
    EXPECT_TRUE(has(lines[1], "asking"));
    EXPECT_TRUE(has(lines[2], "Ask"));
    EXPECT_TRUE(has(lines[3], "Pass"));
}

TEST(Diagram, what_happens_after_a_change_of_the_network_stands_below_it) {
    Scribe s("", 2);
    s.note(1, Kind::state, "first");
    s.world(Kind::network, "heal");
    s.note(1, Kind::state, "second");
    s.note(2, Kind::state, "third");
    const std::vector<std::string> lines = lines_of(diagram(s.trace));
    EXPECT_TRUE(has(lines[1], "first"));
    EXPECT_TRUE(has(lines[2], "heal"));
    EXPECT_TRUE(has(lines[3], "second"));
    EXPECT_TRUE(has(lines[3], "third"));
}

TEST(Diagram, a_note_stands_above_a_message_that_comes_later_in_the_same_instant) {
    Scribe s("", 2);
    const auto flight = s.send(1, 2, "Ask");
    s.at(1ms), s.note(2, Kind::state, "before"), s.arrive(flight);
    const std::vector<std::string> lines = lines_of(diagram(s.trace));
    EXPECT_TRUE(has(lines[1], "before"));
    EXPECT_FALSE(has(lines[1], "Ask"));
    EXPECT_TRUE(has(lines[2], "Ask"));
}

TEST(Diagram, no_note_stands_beside_a_sender_as_if_the_message_had_caused_it) {
    Scribe s("", 2);
    const auto flight = s.send(2, 1, "Ask");
    s.at(1ms), s.arrive(flight), s.note(2, Kind::state, "unrelated");
    for (const std::string& line : lines_of(diagram(s.trace)))
        EXPECT_FALSE(has(line, "Ask") && has(line, "unrelated")) << line;
}

TEST(Diagram, long_notes_of_neighbours_are_all_there) {
    for (const std::uint32_t nodes : {3u, 5u, 6u, 9u, 12u}) {
        Scribe s("", nodes);
        for (std::uint32_t id = 1; id <= nodes; ++id) s.note(id, Kind::state, "participating");
        const std::string text = diagram(s.trace);
        std::size_t count = 0;
        for (std::size_t at = text.find("participating"); at != text.npos;
             at = text.find("participating", at + 1))
            ++count;
        EXPECT_EQ(count, nodes) << text;
    }
}

TEST(Diagram, a_copy_that_comes_after_something_else_stands_below_it) {
    Scribe s("", 3);
    const auto copies = s.broadcast(1, "All");
    const auto other = s.send(2, 3, "One");
    s.at(1ms), s.arrive(copies[0]), s.arrive(other), s.arrive(copies[1]);
    const std::vector<std::string> lines = lines_of(diagram(s.trace));
    EXPECT_TRUE(has(lines[1], "All"));
    EXPECT_TRUE(has(lines[2], "One"));
    EXPECT_TRUE(has(lines[3], "All"));
}

TEST(Diagram, a_message_passes_where_a_crashed_node_was) {
    Scribe s("", 3);
    const auto before = s.send(1, 3, "Hello"), after = s.send(1, 3, "Hello");
    s.at(1ms), s.arrive(before);
    s.at(2ms), s.note(2, Kind::crash);
    s.at(3ms), s.arrive(after);
    const std::vector<std::string> lines = lines_of(diagram(s.trace));
    EXPECT_TRUE(has(lines[1], "┼"));
    EXPECT_TRUE(has(lines[3], "Hello"));
    EXPECT_FALSE(has(lines[3], "┼"));
}

TEST(Diagram, the_same_state_and_the_same_leader_are_no_news) {
    Scribe s("", 2);
    s.about(1, Kind::follow, 2), s.note(1, Kind::state, "slave");
    s.at(1ms), s.about(1, Kind::follow, 2), s.note(1, Kind::state, "slave");
    EXPECT_FALSE(has(diagram(s.trace), "1ms"));
}

TEST(Diagram, the_first_line_after_a_gap_says_its_time) {
    const std::string text = diagram(crowded_instant(5, 100), {.max_rows = 9});
    EXPECT_TRUE(std::regex_search(text, std::regex("left out, from 0 to 0\n +0 "))) << text;
}

TEST(Diagram, a_list_joins_only_what_is_the_same) {
    Scribe s("", 30);
    std::vector<std::uint64_t> answers;
    for (std::uint32_t id = 2; id < 10; ++id)
        answers.push_back(s.send(id, 1, id < 5 ? "Accept" : "Refuse"));
    s.at(1ms);
    for (const auto answer : answers) s.arrive(answer);
    EXPECT_TRUE(has(diagram(s.trace), "2-4 → 1  Accept\n      5-9 → 1  Refuse\n"));
}

TEST(Diagram, who_scrolls_sees_the_ids_again) {
    const std::vector<std::string> lines = lines_of(diagram(random_trace(3, 3, 1000)));
    std::size_t since = 0;
    for (std::size_t i = 2; i + 8 < lines.size(); ++i) {
        since = std::regex_match(lines[i], std::regex(" *1 +2 +3")) ? 0 : since + 1;
        ASSERT_LT(since, 60u);
    }
}

TEST(Diagram, every_violation_is_repeated_at_the_end_up_to_five) {
    Scribe s("", 2);
    for (int i = 0; i < 7; ++i) s.world(Kind::violation, "no " + std::to_string(i));
    const std::string text = diagram(s.trace, {.max_rows = 4});
    EXPECT_TRUE(has(text, "VIOLATION at 0: no 4\nand 2 more violations\n")) << text;
}

TEST(Diagram, an_empty_trace_has_a_diagram) {
    EXPECT_EQ(diagram(Trace{}), "\n\n\n");
    EXPECT_TRUE(has(diagram(Trace{"title", {Id{1}}, {}}), "title"));
}

TEST(Diagram, a_node_that_the_trace_forgot_to_name_is_there) {
    Trace trace{"", {Id{1}}, {}};
    trace.add(0ms, Kind::suspect, Id{1}, Id{77});
    EXPECT_TRUE(has(lines_of(diagram(trace)).front(), "77"));
}

// Ten times as much takes about ten times as long: far below the hundred of a quadratic one.
TEST(Diagram, a_long_trace_takes_time_in_proportion) {
    const auto seconds = [](const Trace& trace) {
        double best = 1e9;
        for (int i = 0; i < 3; ++i) {
            const std::clock_t begin = std::clock();  // of this process, however busy the machine
            EXPECT_GT(diagram(trace).size(), 1000u);
            best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        }
        return best;
    };
    for (const std::uint32_t nodes : {5u, 40u}) {
        EXPECT_LT(seconds(random_trace(1, nodes, 5'000)),
                  seconds(random_trace(1, nodes, 500)) * 40 + 0.1);
        EXPECT_LT(seconds(crowded_instant(nodes, 10'000)),
                  seconds(crowded_instant(nodes, 1'000)) * 40 + 0.1);
    }
}

}  // namespace diagram_test
}  // namespace conclave::trace
