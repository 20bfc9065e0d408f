#include "conclave/election/invitation.hpp"

#include <gtest/gtest.h>

#include "tests/election/actor.hpp"

namespace conclave {
namespace invitation_test {

using Phase = Invitation::Phase;

// Process `me` of five, alone in its first group.
struct Alone : Actor<Invitation> {
    explicit Alone(std::uint32_t me, Priority priority = Priority::none) : Actor(me, 5) {
        settings.priority = priority;
        after(Start{});
        after(Invitation::Answers{});
    }
    // Finds these coordinators of groups of their own.
    Lines find(const std::vector<std::uint32_t>& ids) {
        after(Invitation::Search{});
        for (const std::uint32_t id : ids) after(Invitation::Answer{{1, Id{id}}, {}}, id);
        return after(Invitation::Answers{});
    }
    void join(GroupNumber group) {
        const auto founder = static_cast<std::uint32_t>(group.founder);
        after(Invitation::Invite{group}, founder);
        after(Invitation::Ready{group, {}}, founder);
    }
};

TEST(Invitation, forms_a_group_of_its_own_when_it_starts_and_searches) {
    Actor<Invitation> three(3, 5);
    EXPECT_EQ(three.after(Start{}),
              (Lines{"Store(GroupNumber(1, 3))", "Follow(3)", "Stop(Answers)", "Stop(Merge)",
                     "Stop(Work)", "Stop(Presence)", "Set(Work, 1ms)", "Set(Search, 20ms)",
                     "Set(Answers, 2ms)", "Broadcast(Query(GroupNumber(1, 3)))"}));
    EXPECT_EQ(three.node.label(), "group 1.3, searching");
}

TEST(Invitation, never_uses_a_group_number_again) {
    Actor<Invitation> three(3, 5);
    three.after(Recover<GroupNumber>{{7, Id{3}}});
    EXPECT_EQ(three.node.group, (GroupNumber{8, Id{3}}));
    three.after(Call{});
    EXPECT_EQ(three.node.group, (GroupNumber{9, Id{3}}));
    three.after(Invitation::Presence{});
    EXPECT_EQ(three.node.group, (GroupNumber{10, Id{3}}));
}

TEST(Invitation, searches_at_times_that_vary) {
    Alone three(3);
    three.chosen = 3;
    EXPECT_EQ(three.after(Invitation::Search{}).front(), "Set(Search, 26ms)");
}

TEST(Invitation, answers_a_query_with_its_group) {
    Alone three(3);
    EXPECT_EQ(three.after(Invitation::Query{{1, Id{2}}}, 2),
              Lines{"Send(2, Answer(GroupNumber(1, 3), Task([], 0, [], 0)))"});
}

TEST(Invitation, does_not_answer_lower_coordinators_where_they_are_ignored) {
    Alone three(3, Priority::ignore_lower);
    EXPECT_EQ(three.after(Invitation::Query{{1, Id{2}}}, 2), Lines{});
    EXPECT_EQ(three.after(Invitation::Query{{1, Id{4}}}, 4).size(), 1u);
    three.join({2, Id{5}});  // as a member it says that it is none
    EXPECT_EQ(three.after(Invitation::Query{{1, Id{2}}}, 2).size(), 1u);
}

TEST(Invitation, hastens_to_search_when_a_lower_coordinator_asks) {
    Alone three(3, Priority::hasten);
    EXPECT_EQ(three.after(Invitation::Query{{1, Id{2}}}, 2).back(),
              "Broadcast(Query(GroupNumber(1, 3)))");
    EXPECT_EQ(three.after(Invitation::Query{{1, Id{1}}}, 1), Lines{});  // it is already searching
}

TEST(Invitation, invites_the_coordinators_that_it_found) {
    Alone three(3);
    EXPECT_EQ(three.find({}), Lines{});
    EXPECT_EQ(three.find({5, 1}), Lines{"Set(Merge, 0s)"});
    EXPECT_EQ(three.after(Invitation::Merge{}),
              (Lines{"Store(GroupNumber(2, 3))", "Follow(3)", "Stop(Answers)", "Stop(Merge)",
                     "Stop(Work)", "Stop(Presence)", "Set(Answers, 4ms)",
                     "Send(1, Invite(GroupNumber(2, 3)))", "Send(5, Invite(GroupNumber(2, 3)))"}));
    EXPECT_EQ(three.node.phase, Phase::merging);
}

TEST(Invitation, invites_only_lower_coordinators_where_that_is_the_way) {
    Alone three(3, Priority::only_lower);
    EXPECT_EQ(three.find({4, 5}), Lines{});
    three.find({1, 5});
    EXPECT_EQ(three.after(Invitation::Merge{}).back(), "Send(1, Invite(GroupNumber(2, 3)))");
}

TEST(Invitation, waits_the_longer_the_more_better_coordinators_it_found) {
    EXPECT_EQ(Alone(5, Priority::delay).find({1, 2}), Lines{"Set(Merge, 0s)"});
    EXPECT_EQ(Alone(3, Priority::delay).find({1, 5}), Lines{"Set(Merge, 2ms)"});
    EXPECT_EQ(Alone(1, Priority::delay).find({2, 3, 5}), Lines{"Set(Merge, 6ms)"});
}

TEST(Invitation, accepts_and_passes_the_invitation_on_to_its_members) {
    Alone three(3);
    three.find({1});
    three.after(Invitation::Merge{});
    three.after(Invitation::Answer{{2, Id{3}}, {}}, 1);
    EXPECT_EQ(three.after(Invitation::Answers{}).back(),
              "Send(1, Ready(GroupNumber(2, 3), Task([], 2, [], 0)))");
    const Lines lines = three.after(Invitation::Invite{{4, Id{5}}}, 5);
    EXPECT_EQ(lines,
              (Lines{"Follow(5)", "Stop(Answers)", "Stop(Merge)", "Stop(Work)", "Stop(Search)",
                     "Set(Presence, 6ms)", "Send(1, Invite(GroupNumber(4, 5)))",
                     "Send(5, Answer(GroupNumber(4, 5), Task([], 2, [], 0)))"}));
    EXPECT_EQ(three.node.phase, Phase::joining);
    EXPECT_EQ(three.after(Invitation::Ready{{4, Id{5}}, {}}, 5),
              (Lines{"Set(Presence, 90ms)", "Set(Work, 1ms)"}));
    EXPECT_EQ(three.node.phase, Phase::normal);
}

TEST(Invitation, stays_where_it_is_while_groups_merge) {
    Alone three(3);
    three.find({1});
    three.after(Invitation::Merge{});
    EXPECT_EQ(three.after(Invitation::Invite{{4, Id{5}}}, 5), Lines{});
    EXPECT_EQ(three.after(Invitation::Search{}), Lines{"Set(Search, 20ms)"});
    Alone two(2);
    two.after(Invitation::Invite{{4, Id{5}}}, 5);
    EXPECT_EQ(two.after(Invitation::Invite{{9, Id{4}}}, 4), Lines{});
}

TEST(Invitation, as_a_member_comes_only_with_its_coordinator) {
    Alone three(3);
    three.join({2, Id{5}});
    EXPECT_EQ(three.after(Invitation::Invite{{4, Id{4}}}, 4), Lines{});
    EXPECT_EQ(three.after(Invitation::Invite{{4, Id{4}}}, 5).front(), "Follow(4)");
}

TEST(Invitation, is_alone_again_when_its_coordinator_goes_on_without_it_or_is_silent) {
    Alone three(3);
    three.join({2, Id{5}});
    EXPECT_EQ(three.after(Invitation::Query{{2, Id{5}}}, 5).front(), "Set(Presence, 90ms)");
    EXPECT_EQ(three.after(Invitation::Query{{1, Id{5}}}, 5).size(), 1u);  // that is old
    EXPECT_EQ(three.after(Invitation::Query{{3, Id{5}}}, 5)[1], "Follow(3)");
    three.join({4, Id{5}});
    EXPECT_EQ(three.after(Invitation::Presence{})[1], "Follow(3)");
}

TEST(Invitation, takes_no_notice_of_messages_about_other_groups) {
    Alone three(3);
    three.after(Invitation::Invite{{2, Id{5}}}, 5);
    EXPECT_EQ(three.after(Invitation::Ready{{1, Id{5}}, {}}, 5), Lines{});
    EXPECT_EQ(three.node.phase, Phase::joining);
    EXPECT_EQ(three.after(Invitation::Answer{{2, Id{5}}, {}}, 1), Lines{});
    EXPECT_TRUE(three.node.members.empty());
}

TEST(Invitation, welcomes_who_accepts_late) {
    Alone three(3);
    three.find({1});
    three.after(Invitation::Merge{});
    three.after(Invitation::Answers{});
    EXPECT_EQ(three.after(Invitation::Answer{{2, Id{3}}, {}}, 1),
              Lines{"Send(1, Ready(GroupNumber(2, 3), Task([], 2, [], 0)))"});
}

TEST(Invitation, tells_a_member_again_that_missed_the_last_news) {
    Alone three(3);
    three.find({1});
    three.after(Invitation::Merge{});
    three.after(Invitation::Answer{{2, Id{3}}, {}}, 1);
    three.after(Invitation::Answers{});
    Task knows;
    knows.deals = 1;
    EXPECT_EQ(three.after(Invitation::Answer{{2, Id{3}}, knows}, 1),
              Lines{"Send(1, Ready(GroupNumber(2, 3), Task([], 2, [], 0)))"});
    knows.deals = 2;
    EXPECT_EQ(three.after(Invitation::Answer{{2, Id{3}}, knows}, 1), Lines{});
}

TEST(Invitation, gives_the_share_of_a_member_that_does_not_answer_to_the_others) {
    Actor<Invitation> two(2, 2);
    two.settings.parts = 4;
    two.after(Start{});
    two.after(Invitation::Answer{{1, Id{1}}, {}}, 1);
    two.after(Invitation::Answers{});
    two.after(Invitation::Merge{});
    two.after(Invitation::Answer{{2, Id{2}}, {}}, 1);
    two.after(Invitation::Answers{});
    EXPECT_EQ(two.node.task.owners, (std::vector<Id>{Id{1}, Id{2}, Id{1}, Id{2}}));
    two.after(Invitation::Search{});
    two.after(Invitation::Answers{});
    EXPECT_EQ(two.node.task.owners, (std::vector<Id>{Id{2}, Id{2}, Id{2}, Id{2}}));
}

TEST(Invitation, merges_the_work_and_throws_duplicates_out) {
    Actor<Invitation> two(2, 2);
    two.settings.parts = 3;
    two.after(Start{});
    two.after(Invitation::Work{});  // part 0
    two.after(Invitation::Work{});  // part 1
    two.after(Invitation::Answer{{1, Id{1}}, {}}, 1);
    two.after(Invitation::Answers{});
    two.after(Invitation::Merge{});
    Task theirs = Task::of(3);
    theirs.finish(0, Id{1});
    theirs.finish(2, Id{1});
    two.after(Invitation::Answer{{2, Id{2}}, theirs}, 1);
    EXPECT_EQ(two.broken, "");
    EXPECT_TRUE(two.node.task.complete());
    EXPECT_EQ(two.node.task.total, 6u);
    EXPECT_EQ(two.after(Invitation::Answers{}).back().substr(0, 14), "Send(1, Ready(");
}

TEST(Invitation, reports_work_while_groups_merge) {
    Alone three(3);
    three.find({1});
    three.after(Invitation::Merge{});
    EXPECT_EQ(three.after(Invitation::Work{}), Lines{"Report(works while merging)"});
}

TEST(Invitation, sends_its_results_to_the_coordinator_and_the_coordinator_tells_when_all_is_done) {
    Actor<Invitation> one(1, 2);
    one.settings.parts = 2;
    one.after(Start{});
    one.after(Invitation::Invite{{5, Id{2}}}, 2);
    Task task = Task::of(2);
    task.share(2, {{Id{1}, Id{2}}});
    task.share(2, {{Id{1}, Id{2}}});
    one.after(Invitation::Ready{{5, Id{2}}, task}, 2);
    EXPECT_EQ(one.after(Invitation::Work{}).back(),
              "Send(2, Answer(GroupNumber(5, 2), Task([1 2], 2, [Result(0, 1)], 1)))");
    EXPECT_EQ(one.after(Invitation::Work{}), Lines{});
}

}  // namespace invitation_test
}  // namespace conclave
