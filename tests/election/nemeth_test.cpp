// Single turns of a node of Németh's exchange: every cell of the printed table, and every message.
#include "conclave/election/nemeth.hpp"

#include <gtest/gtest.h>

#include "tests/core/stage.hpp"

namespace conclave {
namespace nemeth_test {

using enum Nemeth::State;
using State = Nemeth::State;
using Compare = Nemeth::Compare;

// Node 1 of three, in any state, with clock 5; where it ever was a candidate, at time 3.
struct Node : Stage<Nemeth> {
    explicit Node(State state) {
        node.state = state;
        node.clock = 5;
        node.candidacy = 3;
        node.commit.prepared.coordinator = Id{2};
    }
    // Lets event 1 .. 7 of the paper happen, and says in which state the node then is.
    char happen(int event) {
        switch (event) {
            case 1: last = after(Nemeth::LifeTimer{}); break;
            case 2: last = after(Nemeth::Candidate{2}, Id{2}); break;
            case 3: last = after(Nemeth::Candidate{9}, Id{2}); break;
            case 4: last = after(Nemeth::CandidateTimer{}); break;
            case 5: last = after(Nemeth::ElectionTimer{}); break;
            case 6: last = after(Nemeth::Reorganize{7, 1, 0, {}}, Id{2}); break;
            case 7: last = after(Nemeth::ReorganizingTimer{}); break;
        }
        return letter();
    }
    char letter() const { return "abcde"[static_cast<std::size_t>(node.state)]; }
    bool does(const std::string& line) const {
        return std::find(last.begin(), last.end(), line) != last.end();
    }
    Lines last;
};

// ---------------------------------------------------------------- the printed table, cell for cell

TEST(Nemeth, does_what_each_cell_of_the_printed_table_says) {
    for (const State in : {active, candidate, election, reorganizing, coordinator})
        for (int event = 1; event <= 7; ++event) {
            const auto row = static_cast<std::size_t>(in);
            const char cell = nemeth::printed[row][static_cast<std::size_t>(2 * (event - 1))];
            Node node(in);
            const char before = node.letter();
            const char then = node.happen(event);
            SCOPED_TRACE(std::string("cell (") + before + "," + std::to_string(event) + ")");
            EXPECT_EQ(then, cell == '-' || cell == '!' ? before : cell);
            EXPECT_EQ(!node.effects.reports.empty(), cell == '!');
            if (cell == '-' || cell == '!') {
                EXPECT_TRUE(node.effects.timers.empty());
                EXPECT_FALSE(node.effects.leader);
            }
        }
}

// An agent's failure detector notices first, and the life timer is put off for days there.
TEST(Nemeth, a_call_is_to_miss_the_coordinator_for_a_node_that_has_one) {
    Node called(active), missing(active);
    called.last = called.after(Call{});
    missing.happen(1);
    EXPECT_EQ(called.letter(), 'b');
    EXPECT_TRUE(called.does("Stop(LifeTimer)"));
    std::erase(called.last, "Stop(LifeTimer)");
    EXPECT_EQ(called.last, missing.last);
    for (const State in : {candidate, election, reorganizing, coordinator}) {
        Node other(in);
        EXPECT_TRUE(other.after(Call{}).empty());
        EXPECT_EQ(other.node.state, in);
    }
}

TEST(Nemeth, a_cell_marked_impossible_is_ignored_and_reported) {
    Node b(candidate);
    b.happen(6);
    EXPECT_EQ(b.last, Lines{"Report((b,6): a reorganizing message reached a candidate)"});
    Node d(reorganizing);
    d.happen(3);
    EXPECT_EQ(d.last, (Lines{"Send(2, Acknowledge(11, 9, 0, 0))",
                             "Report((d,3): a greater candidacy reached the reorganizer)"}));
}

TEST(Nemeth, has_the_rows_of_the_printed_table_and_three_more) {
    std::size_t cells = 0;
    for (const auto line : nemeth::printed)
        for (const char cell : line) cells += cell != ' ' && cell != '-';
    EXPECT_EQ(Nemeth::rows().size(), cells + 3);
}

// Every state has one timer, which stops when a message ends the state.
TEST(Nemeth, a_message_that_changes_the_state_stops_its_timer) {
    const std::array names{"LifeTimer", "CandidateTimer", "", "ReorganizingTimer", "LifeInterval"};
    for (const State in : {active, candidate, reorganizing, coordinator}) {
        Node node(in);
        node.happen(2);
        EXPECT_TRUE(node.does("Set(ElectionTimer, 7ms)"));
        const std::string stopped = names[static_cast<std::size_t>(in)];
        EXPECT_TRUE(node.does("Stop(" + stopped + ")")) << stopped;
    }
    Node c(election);
    c.happen(6);
    EXPECT_TRUE(c.does("Stop(ElectionTimer)"));
    EXPECT_TRUE(c.does("Set(LifeTimer, 10ms)"));
}

// ---------------------------------------------------------------- the rules

TEST(Nemeth, rule_1_a_node_that_comes_up_stands_with_timestamp_0) {
    Stage<Nemeth> stage;
    EXPECT_EQ(stage.after(Start{}),
              (Lines{"Follow(0)", "Set(CandidateTimer, 3ms)", "Broadcast(Candidate(0))"}));
    EXPECT_EQ(stage.node.state, candidate);
}

TEST(Nemeth, rule_1_a_node_whose_timer_awakes_stands_with_the_time_of_its_clock) {
    for (const auto& [in, event] : {std::pair{active, 1}, std::pair{election, 5}}) {
        Node node(in);
        node.happen(event);
        EXPECT_EQ(node.last,
                  (Lines{"Follow(0)", "Set(CandidateTimer, 3ms)", "Broadcast(Candidate(5))"}));
        EXPECT_EQ(node.node.candidacy, 5u);
    }
}

TEST(Nemeth, rule_2_lists_those_that_acknowledge_this_candidacy) {
    Node node(candidate);
    EXPECT_EQ(node.after(Nemeth::Acknowledge{8, 3, 0, 0}, Id{2}), Lines{});
    EXPECT_EQ(node.node.acknowledged.ids, std::vector{Id{2}});
    node.after(Nemeth::Acknowledge{9, 2, 0, 0}, Id{3});  // of an older candidacy of mine
    EXPECT_EQ(node.node.acknowledged.ids, std::vector{Id{2}});
    Node late(reorganizing);
    late.after(Nemeth::Acknowledge{8, 3, 0, 0}, Id{2});
    EXPECT_TRUE(late.node.acknowledged.empty());
}

TEST(Nemeth, rule_3_acknowledges_a_candidate_message_in_every_state) {
    for (const State in : {active, candidate, election, reorganizing, coordinator})
        for (const int event : {2, 3}) {
            Node node(in);
            node.happen(event);
            EXPECT_EQ(node.does("Send(2, Acknowledge(6, 2, 0, 0))"), event == 2);
            EXPECT_EQ(node.does("Send(2, Acknowledge(11, 9, 0, 0))"), event == 3);
        }
}

TEST(Nemeth, rule_3a_at_equal_timestamps_the_smaller_identifier_wins) {
    Node smaller_rival(candidate);
    smaller_rival.node.acknowledged.insert(Id{3});
    auto turn = smaller_rival.turn(Id{1});
    turn.me = Id{2};  // meets node 1 at the same timestamp
    smaller_rival.node.on(Nemeth::Candidate{3}, turn);
    EXPECT_EQ(smaller_rival.node.state, election);
    EXPECT_TRUE(smaller_rival.node.acknowledged.empty());

    Node greater_rival(candidate);
    greater_rival.after(Nemeth::Candidate{3}, Id{2});
    EXPECT_EQ(greater_rival.node.state, candidate);
}

TEST(Nemeth, rule_4_the_winner_leads_and_reorganizes_those_on_its_list) {
    Node node(candidate);
    node.node.acknowledged.ids = {Id{2}, Id{3}};
    node.happen(4);
    EXPECT_EQ(node.last, (Lines{"Follow(1)", "Set(ReorganizingTimer, 3ms)",
                                "Send(2, Reorganize(5, 1, 0, [2 3]))",
                                "Send(3, Reorganize(5, 1, 0, [2 3]))"}));
}

TEST(Nemeth, who_is_alone_leads_and_has_nobody_to_wait_for) {
    Node node(candidate);
    node.happen(4);
    EXPECT_EQ(node.node.commit.applied.number, 1u);
    node.happen(7);
    EXPECT_EQ(node.last, Lines{"Set(LifeInterval, 5ms)"});
    EXPECT_EQ(node.after(Nemeth::LifeInterval{}), Lines{"Set(LifeInterval, 5ms)"});
    EXPECT_EQ(node.node.state, coordinator);
}

// ---------------------------------------------------------------- clocks (assumption 9)

TEST(Nemeth, receives_every_message_later_than_it_was_sent) {
    const auto clock_after = [](const auto& message) {
        Node node(active);
        node.after(message, Id{3});
        return node.node.clock;
    };
    EXPECT_GT(clock_after(Nemeth::Candidate{40}), 41u);
    EXPECT_GT(clock_after(Nemeth::Acknowledge{40, 3, 0, 0}), 41u);
    EXPECT_GT(clock_after(Nemeth::Reorganize{40, 1, 0, {}}), 41u);
    EXPECT_GT(clock_after(Nemeth::Prepared{40, 1}), 41u);
    EXPECT_GT(clock_after(Nemeth::Commit{40, 1}), 41u);
    EXPECT_GT(clock_after(Nemeth::Life{40}), 41u);
    EXPECT_GT(clock_after(Nemeth::Alive{40}), 41u);
    EXPECT_GT(clock_after(Nemeth::Life{1}), 5u);  // and never goes back
}

TEST(Nemeth, compares_with_the_winning_message_as_printed_or_with_the_clock) {
    for (const State in : {reorganizing, coordinator})
        for (const Compare compare : {Compare::printed, Compare::current}) {
            Node node(in);
            node.settings.compare = compare;
            node.after(Nemeth::Candidate{4}, Id{2});  // between its candidacy 3 and its clock 5
            EXPECT_EQ(node.node.state, compare == Compare::current ? election : in);
        }
    Node b(candidate);
    b.settings.compare = Compare::current;
    b.after(Nemeth::Candidate{4}, Id{2});
    EXPECT_EQ(b.node.state, candidate);
}

TEST(Nemeth, a_node_that_comes_up_again_begins_at_0_or_keeps_its_clock) {
    const Nemeth::Stored disk{40, {7, Id{2}, {}}};
    Stage<Nemeth> zero;
    zero.after(Recover<Nemeth::Stored>{disk});
    EXPECT_EQ(zero.node.candidacy, 0u);
    EXPECT_EQ(zero.node.commit.applied.number, 7u);
    Stage<Nemeth> kept;
    kept.settings.recovery = Nemeth::Recovery::kept;
    kept.after(Recover<Nemeth::Stored>{disk});
    EXPECT_EQ(kept.node.candidacy, 40u);
}

TEST(Nemeth, a_clock_that_shall_be_kept_is_stored_before_anybody_hears_of_it) {
    Node node(active);
    node.settings.recovery = Nemeth::Recovery::kept;
    EXPECT_EQ(node.after(Nemeth::Life{9}, Id{3}),
              (Lines{"Store(Stored(12, Configuration(0, 0, [])))", "Send(3, Alive(11))"}));
    EXPECT_EQ(node.node.clock, 12u);
}

// ---------------------------------------------------------------- the repair

TEST(Nemeth, repaired_a_candidate_repeats_its_message_to_a_greater_one) {
    Node node(candidate);
    node.settings.repair = true;
    node.happen(3);
    EXPECT_TRUE(node.does("Send(2, Candidate(3))"));
    EXPECT_EQ(node.node.state, candidate);
}

TEST(Nemeth, repaired_any_candidate_message_ends_the_term_of_a_coordinator) {
    for (const State in : {reorganizing, coordinator}) {
        Node node(in);
        node.settings.repair = true;
        node.happen(3);
        EXPECT_EQ(node.node.state, election);
        EXPECT_TRUE(node.effects.reports.empty());
    }
}

// ---------------------------------------------------------------- life messages

TEST(Nemeth, a_life_message_is_acknowledged_in_every_state_but_calms_only_the_active) {
    for (const State in : {active, candidate, election, reorganizing, coordinator}) {
        Node node(in);
        node.last = node.after(Nemeth::Life{5}, Id{2});
        EXPECT_TRUE(node.does("Send(2, Alive(7))"));
        EXPECT_EQ(node.does("Set(LifeTimer, 10ms)"), in == active);
        EXPECT_EQ(node.node.state, in);
    }
}

TEST(Nemeth, the_life_message_of_another_coordinator_calms_nobody) {
    Node node(active);
    EXPECT_EQ(node.after(Nemeth::Life{5}, Id{3}), Lines{"Send(3, Alive(7))"});
}

TEST(Nemeth, a_coordinator_sends_life_messages_to_its_list_as_long_as_all_answer) {
    Node node(coordinator);
    node.node.acknowledged.ids = {Id{2}, Id{3}};
    EXPECT_EQ(node.after(Nemeth::LifeInterval{}),
              (Lines{"Set(LifeInterval, 5ms)", "Send(2, Life(5))", "Send(3, Life(5))"}));
    node.after(Nemeth::Alive{7}, Id{2});
    node.after(Nemeth::Alive{7}, Id{3});
    node.after(Nemeth::LifeInterval{});
    EXPECT_EQ(node.node.state, coordinator);
}

TEST(Nemeth, a_coordinator_that_misses_an_answer_stands_anew) {
    Node node(coordinator);
    node.node.acknowledged.ids = {Id{2}, Id{3}};
    node.after(Nemeth::LifeInterval{});
    node.after(Nemeth::Alive{7}, Id{2});
    node.last = node.after(Nemeth::LifeInterval{});
    EXPECT_EQ(node.node.state, candidate);
    EXPECT_TRUE(node.does("Broadcast(Candidate(9))"));
}

}  // namespace nemeth_test
}  // namespace conclave
