#include "conclave/core/task.hpp"

#include <gtest/gtest.h>

namespace conclave {
namespace task_test {

TEST(Tasks, deal_every_open_part_to_one_member) {
    Task task = Task::of(5);
    task.finish(1, Id{9});
    task.share(5, {{Id{2}, Id{7}}});
    EXPECT_EQ(task.owners, (std::vector<Id>{Id{2}, nobody, Id{7}, Id{2}, Id{7}}));
    EXPECT_EQ(task.next_of(Id{7}), 2);
    task.finish(2, Id{7});
    EXPECT_EQ(task.next_of(Id{7}), 4);
    EXPECT_EQ(task.next_of(Id{9}), std::nullopt);
}

TEST(Tasks, throw_work_away_that_is_done_already) {
    Task task = Task::of(3);
    EXPECT_TRUE(task.finish(2, Id{1}));
    EXPECT_FALSE(task.finish(2, Id{4}));
    EXPECT_EQ(task.results.size(), 1u);
    EXPECT_EQ(task.results[0].by, Id{1});
    EXPECT_EQ(task.total, 3u);
}

TEST(Tasks, have_no_other_parts_than_their_own) {
    Task task = Task::of(3);
    EXPECT_FALSE(task.finish(3, Id{1}));
    EXPECT_EQ(task.broken(), "");
}

TEST(Tasks, merge_into_one_that_holds_the_work_of_both_once) {
    Task left = Task::of(4), right = Task::of(4);
    left.finish(0, Id{1});
    left.finish(2, Id{1});
    right.finish(2, Id{3});
    right.finish(3, Id{3});
    left.merge(right);
    EXPECT_EQ(left.progress(), ", 3 of 4 parts");
    EXPECT_EQ(left.total, 1u + 3u + 4u);
    EXPECT_EQ(left.broken(), "");
    EXPECT_FALSE(left.complete());
    left.finish(1, Id{1});
    EXPECT_TRUE(left.complete());
}

TEST(Tasks, merge_the_same_whatever_the_order) {
    Task left = Task::of(8), right = Task::of(8);
    for (const int part : {7, 1, 4}) left.finish(static_cast<std::uint16_t>(part), Id{1});
    for (const int part : {6, 4, 0}) right.finish(static_cast<std::uint16_t>(part), Id{2});
    Task first = left, second = right;
    first.merge(right);
    second.merge(left);
    EXPECT_EQ(first.total, second.total);
    EXPECT_EQ(first.results.size(), second.results.size());
    first.merge(second);
    EXPECT_EQ(first.results.size(), 5u);
}

TEST(Tasks, are_taken_over_by_who_knows_nothing_of_them) {
    Task task = Task::of(2), fresh;
    task.finish(1, Id{1});
    fresh.merge(task);
    EXPECT_EQ(fresh.progress(), ", 1 of 2 parts");
    EXPECT_EQ(Task{}.progress(), "");
}

TEST(Tasks, keep_the_shares_that_were_dealt_last) {
    Task task = Task::of(2);
    task.share(2, {{Id{3}}});
    const Task before = task;
    task.share(2, {{Id{4}}});
    Task late = before;
    late.merge(task);
    EXPECT_EQ(late.owners, (std::vector<Id>{Id{4}, Id{4}}));
    task.merge(before);
    EXPECT_EQ(task.owners, (std::vector<Id>{Id{4}, Id{4}}));
}

TEST(Tasks, wait_where_there_is_nobody_to_share_them) {
    Task task;
    task.share(2, {});
    EXPECT_EQ(task.owners, std::vector<Id>(2, nobody));
    task.share(2, {{Id{5}}});
    EXPECT_EQ(task.owners, std::vector<Id>(2, Id{5}));
}

TEST(Tasks, begin_when_they_are_first_shared) {
    Task task;
    task.share(2, {{Id{5}}});
    EXPECT_EQ(task.owners, (std::vector<Id>{Id{5}, Id{5}}));
    task.share(7, {{Id{6}}});
    EXPECT_EQ(task.owners, (std::vector<Id>{Id{6}, Id{6}}));
}

TEST(Tasks, are_worked_on_part_by_part) {
    Task task;
    task.share(3, {{Id{1}, Id{2}}});
    EXPECT_TRUE(task.work(Id{1}));
    EXPECT_TRUE(task.work(Id{1}));
    EXPECT_FALSE(task.work(Id{1}));
    EXPECT_EQ(task.missing(3), "the task is not complete");
    EXPECT_TRUE(task.work(Id{2}));
    EXPECT_EQ(task.missing(3), "");
}

TEST(Tasks, know_who_is_needed) {
    Task task;
    task.share(3, {{Id{1}, Id{2}}});
    EXPECT_FALSE(task.covered_by({{Id{1}}}));
    EXPECT_TRUE(task.covered_by({{Id{1}, Id{2}}}));
    task.work(Id{2});
    EXPECT_TRUE(task.covered_by({{Id{1}}}));
}

TEST(Tasks, tell_when_a_merge_completes_them) {
    Task left, right;
    left.share(2, {{Id{1}}});
    right.share(2, {{Id{2}}});
    left.work(Id{1});
    right.work(Id{2});
    EXPECT_FALSE(left.merge(right));  // both did the same part
    right.work(Id{2});
    EXPECT_TRUE(left.merge(right));
    EXPECT_FALSE(left.merge(right));
}

TEST(Tasks, know_when_they_are_broken) {
    const std::vector<Id> owners{Id{1}, Id{2}};
    EXPECT_EQ((Task{owners, 1, {{0, Id{1}}, {0, Id{2}}}, 2}.broken()), "a part counted twice");
    EXPECT_EQ((Task{owners, 1, {{2, Id{1}}}, 3}.broken()), "a part that the task does not have");
    EXPECT_EQ((Task{owners, 1, {{0, Id{1}}}, 2}.broken()),
              "the total is not that of the finished parts");
    EXPECT_EQ((Task{owners, 1, {{0, Id{1}}, {1, Id{1}}}, 3}.broken()), "");
}

}  // namespace task_test
}  // namespace conclave
