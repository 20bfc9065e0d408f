#include "conclave/election/bully.hpp"

#include <gtest/gtest.h>

#include "tests/election/actor.hpp"

namespace conclave {
namespace bully_test {

using Phase = Bully::Phase;

TEST(Bully, asks_all_better_processes_when_it_is_called) {
    Actor<Bully> three(3, 5);
    EXPECT_EQ(three.after(Call{}),
              (Lines{"Set(FirstTimeout, 2ms)", "Send(4, Election)", "Send(5, Election)"}));
    EXPECT_EQ(three.node.phase, Phase::calling);
}

TEST(Bully, asks_those_it_suspects_too) {
    Actor<Bully> three(3, 5);
    three.after(Suspect{Id{5}});
    EXPECT_EQ(three.after(Call{}).size(), 3u);
}

TEST(Bully, leads_at_once_when_it_knows_that_it_is_the_highest) {
    Actor<Bully> four(4, 5);
    EXPECT_EQ(four.after(Suspect{Id{5}}), Lines{});
    EXPECT_EQ(four.after(Call{}),
              (Lines{"Follow(4)", "Stop(FirstTimeout)", "Stop(SecondTimeout)", "Stop(Listen)",
                     "Set(FirstTimeout, 2ms)", "Send(1, Coordinator)", "Send(2, Coordinator)",
                     "Send(3, Coordinator)"}));
    Actor<Bully> five(5, 5);
    EXPECT_EQ(five.after(Call{}).front(), "Follow(5)");
}

TEST(Bully, calls_one_election_at_a_time) {
    Actor<Bully> three(3, 5);
    three.after(Call{});
    EXPECT_EQ(three.after(Call{}), Lines{});
    EXPECT_EQ(three.after(Bully::Election{}, 1), Lines{"Send(1, Disagree)"});
    three.after(Bully::Disagree{}, 4);
    EXPECT_EQ(three.after(Call{}), Lines{});
}

TEST(Bully, disagrees_with_a_lesser_process_and_runs_itself) {
    Actor<Bully> three(3, 5);
    EXPECT_EQ(three.after(Bully::Election{}, 2),
              (Lines{"Set(FirstTimeout, 2ms)", "Send(2, Disagree)", "Send(4, Election)",
                     "Send(5, Election)"}));
}

TEST(Bully, leaves_the_field_to_a_better_process_that_asks) {
    Actor<Bully> three(3, 5);
    EXPECT_EQ(three.after(Bully::Election{}, 4), Lines{});
}

TEST(Bully, leads_when_nobody_answers_in_time) {
    Actor<Bully> four(4, 5);
    four.after(Call{});
    EXPECT_EQ(four.after(Bully::FirstTimeout{}).front(), "Follow(4)");
    EXPECT_EQ(four.node.leader, Id{4});
}

TEST(Bully, waits_for_the_coordinator_once_somebody_answers) {
    Actor<Bully> three(3, 5);
    three.after(Call{});
    EXPECT_EQ(three.after(Bully::Disagree{}, 4),
              (Lines{"Stop(FirstTimeout)", "Set(SecondTimeout, 4ms)"}));
    EXPECT_EQ(three.after(Bully::Disagree{}, 5), Lines{});
    EXPECT_EQ(three.node.phase, Phase::waiting);
}

TEST(Bully, starts_again_when_no_coordinator_comes) {
    Actor<Bully> three(3, 5);
    three.after(Call{});
    three.after(Bully::Disagree{}, 4);
    EXPECT_EQ(three.after(Bully::SecondTimeout{}),
              (Lines{"Set(FirstTimeout, 2ms)", "Send(4, Election)", "Send(5, Election)"}));
}

TEST(Bully, follows_a_better_coordinator) {
    Actor<Bully> three(3, 5);
    three.after(Call{});
    EXPECT_EQ(three.after(Bully::Coordinator{}, 4),
              (Lines{"Follow(4)", "Stop(FirstTimeout)", "Stop(SecondTimeout)", "Stop(Listen)"}));
    EXPECT_EQ(three.node.phase, Phase::idle);
}

TEST(Bully, bullies_a_lesser_coordinator) {
    Actor<Bully> five(5, 5);
    EXPECT_EQ(five.after(Bully::Coordinator{}, 4).front(), "Follow(5)");
}

TEST(Bully, finds_out_about_a_coordinator_whose_failure_was_noticed_before_its_message_came) {
    Actor<Bully> three(3, 5);
    three.after(Suspect{Id{5}});
    EXPECT_EQ(three.after(Bully::Coordinator{}, 5),
              (Lines{"Set(FirstTimeout, 2ms)", "Send(4, Election)", "Send(5, Election)"}));
    EXPECT_EQ(three.node.leader, nobody);
}

TEST(Bully, calls_an_election_when_the_leader_fails_and_takes_all_suspicions_together) {
    Actor<Bully> three(3, 5);
    three.after(Bully::Coordinator{}, 5);
    EXPECT_EQ(three.after(Suspect{Id{4}}), Lines{});
    EXPECT_EQ(three.after(Suspect{Id{5}}), (Lines{"Follow(0)", "Set(Notice, 0s)"}));
    EXPECT_EQ(three.after(Bully::Notice{}).front(), "Follow(3)");
    EXPECT_EQ(three.after(Bully::Notice{}), Lines{});  // that has been seen to
}

TEST(Bully, that_leads_by_mistake_asks_as_soon_as_it_trusts_a_better_process) {
    Actor<Bully> four(4, 5);
    four.after(Suspect{Id{5}});
    four.after(Call{});
    EXPECT_EQ(four.after(Trust{Id{3}}), Lines{});
    EXPECT_EQ(four.after(Trust{Id{5}}), (Lines{"Set(FirstTimeout, 2ms)", "Send(5, Election)"}));
    EXPECT_EQ(four.after(Bully::Disagree{}, 5).front(), "Follow(0)");  // no longer me
}

TEST(Bully, does_not_repeat_an_announcement_that_is_under_way) {
    Actor<Bully> five(5, 5);
    five.after(Call{});
    EXPECT_EQ(five.after(Bully::Election{}, 3), Lines{"Send(3, Disagree)"});
    EXPECT_EQ(five.after(Bully::FirstTimeout{}), Lines{});
    EXPECT_EQ(five.after(Bully::Election{}, 3).size(), 10u);
}

TEST(Bully, that_comes_up_listens_first) {
    Actor<Bully> three(3, 5);
    EXPECT_EQ(three.after(Start{}), Lines{"Set(Listen, 6ms)"});
    EXPECT_EQ(three.after(Bully::Listen{}), (Lines{"Set(FirstTimeout, 4ms)", "Broadcast(Ask)"}));
    EXPECT_EQ(three.after(Bully::FirstTimeout{}).size(), 3u);
    Actor<Bully> patient(3, 5);
    patient.settings.listen = false;
    EXPECT_EQ(patient.after(Start{}), Lines{});
}

TEST(Bully, that_recovers_takes_the_state_and_then_calls_an_election) {
    Actor<Bully> three(3, 5);
    EXPECT_EQ(three.after(Recover<Nothing>{}), (Lines{"Set(FirstTimeout, 4ms)", "Broadcast(Ask)"}));
    EXPECT_EQ(three.after(Bully::Election{}, 1), Lines{"Send(1, Disagree)"});
    Task task = Task::of(2);
    task.finish(0, Id{5});
    EXPECT_EQ(three.after(Bully::State{task}, 5), Lines{"Set(Work, 1ms)"});
    EXPECT_TRUE(three.node.task.finished(0));
    EXPECT_EQ(three.after(Bully::FirstTimeout{}),
              (Lines{"Set(FirstTimeout, 2ms)", "Send(4, Election)", "Send(5, Election)"}));
}

TEST(Bully, tells_the_state_to_one_that_comes_up_only_when_it_leads) {
    Actor<Bully> five(5, 5);
    five.settings.parts = 2;
    EXPECT_EQ(five.after(Bully::Ask{}, 2), Lines{});
    five.after(Call{});
    EXPECT_EQ(five.after(Bully::Ask{}, 2), Lines{"Send(2, State(Task([], 0, [], 0)))"});
}

TEST(Bully, no_longer_suspects_one_that_comes_up) {
    Actor<Bully> four(4, 5);
    four.after(Suspect{Id{5}});
    four.after(Bully::Ask{}, 5);
    EXPECT_EQ(four.after(Call{}), (Lines{"Set(FirstTimeout, 2ms)", "Send(5, Election)"}));
}

TEST(Bully, compares_attributes_before_ids) {
    Actor<Bully> two(2, 3);
    two.set_priorities({0, 7, 7});
    EXPECT_EQ(two.after(Call{}), (Lines{"Set(FirstTimeout, 2ms)", "Send(3, Election)"}));
    Actor<Bully> one(1, 3);
    one.set_priorities({9, 7, 7});
    EXPECT_EQ(one.after(Call{}).front(), "Follow(1)");
}

TEST(Bully, coordinator_gathers_reports_and_hands_out_shares_that_do_not_overlap) {
    Actor<Bully> three(3, 3);
    three.settings.parts = 4;
    three.after(Call{});
    Task known = Task::of(4);
    known.finish(1, Id{2});
    three.after(Bully::Report{known}, 2);
    three.after(Bully::Report{Task{}}, 1);
    const Lines lines = three.after(Bully::FirstTimeout{});
    EXPECT_EQ(lines,
              (Lines{"Set(Work, 1ms)", "Send(1, State(Task([1 0 2 3], 1, [Result(1, 2)], 2)))",
                     "Send(2, State(Task([1 0 2 3], 1, [Result(1, 2)], 2)))"}));
}

TEST(Bully, coordinator_gives_the_share_of_a_failed_process_to_the_others) {
    Actor<Bully> three(3, 3);
    three.settings.parts = 4;
    three.after(Call{});
    three.after(Bully::Report{Task{}}, 2);
    three.after(Bully::Report{Task{}}, 1);
    three.after(Bully::FirstTimeout{});
    EXPECT_EQ(three.after(Suspect{Id{1}}).back(), "Send(2, State(Task([2 3 2 3], 2, [], 0)))");
}

TEST(Bully, works_on_its_share_and_reports) {
    Actor<Bully> two(2, 3);
    two.settings.parts = 3;
    two.after(Bully::Coordinator{}, 3);
    Task task = Task::of(3);
    task.share(3, {{Id{2}, Id{3}}});
    EXPECT_EQ(two.after(Bully::State{task}, 3), Lines{"Set(Work, 1ms)"});
    EXPECT_EQ(two.after(Bully::Work{}),
              (Lines{"Set(Work, 1ms)", "Send(3, Report(Task([2 3 2], 1, [Result(0, 2)], 1)))"}));
    two.after(Bully::Work{});
    EXPECT_EQ(two.after(Bully::Work{}), Lines{});
    EXPECT_EQ(two.node.label(), "idle, 2 of 3 parts");
}

TEST(Bully, tells_everybody_once_the_task_is_complete) {
    Actor<Bully> two(2, 2);
    two.settings.parts = 2;
    two.after(Call{});
    two.after(Bully::Report{Task{}}, 1);
    two.after(Bully::FirstTimeout{});
    two.after(Bully::Work{});
    Task known = Task::of(2);
    known.finish(0, Id{1});
    const std::string complete = "Send(1, State(Task([1 2], 1, [Result(0, 1) Result(1, 2)], 3)))";
    EXPECT_EQ(two.after(Bully::Report{known}, 1), Lines{complete});
    EXPECT_EQ(two.after(Bully::Report{known}, 1), Lines{});
}

TEST(Bully, notices_a_part_that_is_counted_twice) {
    Actor<Bully> two(2, 2);
    two.node.task = {{Id{1}, Id{2}}, 1, {{0, Id{1}}, {0, Id{2}}}, 2};
    two.after(Trust{Id{1}});
    EXPECT_EQ(two.broken, "a part counted twice");
}

}  // namespace bully_test
}  // namespace conclave
