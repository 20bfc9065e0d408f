// What "Lecture 9: Coordinator Election" says of the invitation algorithm, sentence by sentence.
#include <gtest/gtest.h>

#include <map>

#include "conclave/election/invitation.hpp"
#include "conclave/simulator/simulation_hosting.hpp"
#include "tests/paper/lecture_storms.hpp"

namespace conclave::simulator {
namespace invitation_lecture_test {

using namespace std::chrono_literals;

Scenario quiet(std::uint32_t nodes, Time until) {
    Scenario scenario;
    scenario.nodes = nodes;
    scenario.initiators.who = Initiators::Who::none;
    scenario.until = until;
    return scenario;
}

std::uint64_t count_of(const Outcome& outcome, std::string_view type) {
    for (const auto& [name, count] : outcome.by_type)
        if (name == type) return count;
    return 0;
}

// A world one can look into.
struct Watched {
    explicit Watched(const Scenario& given, trace::Trace* trace = nullptr)
        : scenario(given),
          decisions(given.seed),
          world(scenario, settings_of<Invitation>(scenario, problem), decisions, trace) {}
    GroupNumber group_of(std::uint32_t id) const { return world.node(Id{id}).group; }
    const Task& task_of(std::uint32_t id) const { return world.node(Id{id}).task; }

    Scenario scenario;
    std::string problem;
    Decisions decisions;
    World<Invitation> world;
};

// "Ideally all participants would be a member of the same group."
TEST(InvitationLecture, groups_merge_into_one) {
    for (const char* way : {"ignore-lower", "hasten", "only-lower", "delay", "none"})
        for (const std::uint32_t n : {1u, 2u, 5u, 12u}) {
            Scenario scenario = quiet(n, 2s);
            scenario.settings = {{"priority", way}};
            const Outcome outcome = simulate<Invitation>(scenario);
            EXPECT_EQ(outcome.end, Outcome::End::agreed) << way << " " << n;
            EXPECT_TRUE(outcome.violations.empty());
        }
}

// "Groups ... that resulted from network partitioning should be merged once the partition is
// repaired"; "relative consistency -- consistency within each group".
TEST(InvitationLecture, each_part_has_a_group_and_a_healed_network_one) {
    Scenario scenario = quiet(6, 200ms);
    scenario.partitions = {{{{Id{1}, Id{2}}, {Id{3}, Id{4}, Id{5}, Id{6}}}, {0ms, 200ms}}};
    Watched watched(scenario);
    watched.world.run_until(150ms);
    EXPECT_EQ(watched.group_of(1), watched.group_of(2));
    for (const std::uint32_t id : {4u, 5u, 6u})
        EXPECT_EQ(watched.group_of(3), watched.group_of(id));
    EXPECT_NE(watched.group_of(1), watched.group_of(3));
    watched.world.run_until(400ms);
    for (std::uint32_t id = 2; id <= 6; ++id) EXPECT_EQ(watched.group_of(1), watched.group_of(id));
}

// "If a node discovers that its coordinator has failed ... it forms a new group containing only
// itself and becomes the coordinator of this group. It then searches for other groups".
TEST(InvitationLecture, members_of_a_dead_coordinator_find_each_other) {
    Scenario scenario = quiet(5, 1s);
    scenario.crashes = {{Id{5}, 100ms}};
    trace::Trace trace;
    const Outcome outcome = simulate<Invitation>(scenario, {.trace = &trace});
    EXPECT_EQ(outcome.end, Outcome::End::agreed);
    EXPECT_TRUE(outcome.violations.empty());
    std::uint32_t alone = 0;
    for (const trace::Record& r : trace.records)
        alone += r.kind == trace::Kind::timer && r.text == "Presence" && r.time > 100ms;
    EXPECT_GE(alone, 1u);
}

// "... is newly installed, or returns to service after a failure".
TEST(InvitationLecture, who_comes_late_or_back_is_taken_in) {
    Scenario scenario = quiet(4, 600ms);
    scenario.starts = {{Id{4}, 100ms}};
    scenario.crashes = {{Id{2}, 150ms}};
    scenario.recoveries = {{Id{2}, 300ms}};
    const Outcome outcome = simulate<Invitation>(scenario);
    EXPECT_EQ(outcome.end, Outcome::End::agreed);
    EXPECT_TRUE(outcome.violations.empty());
}

// "A new group may be formed to perform a new task".
TEST(InvitationLecture, a_new_task_forms_a_new_group) {
    Scenario scenario = quiet(3, 400ms);
    scenario.calls = {{Id{1}, 200ms}};
    Watched watched(scenario);
    watched.world.run_until(199ms);
    const GroupNumber before = watched.group_of(1);
    watched.world.run_until(200ms);
    EXPECT_EQ(watched.group_of(1).founder, Id{1});
    watched.world.run_until(400ms);
    EXPECT_NE(watched.group_of(1), before);
    EXPECT_EQ(watched.group_of(1), watched.group_of(2));
    EXPECT_EQ(watched.group_of(1), watched.group_of(3));
}

// How often each founder has used a number, by the trace of what it stored.
std::map<std::string, int> numbers_used(const trace::Trace& trace) {
    std::map<std::string, int> used;
    for (const trace::Record& r : trace.records) {
        const bool own = r.kind == trace::Kind::state && r.text.starts_with("group ") &&
                         r.text.find("." + text(r.node) + ", searching") != std::string::npos;
        if (own) used[r.text.substr(0, r.text.find(','))] += 0;
        if (r.kind == trace::Kind::store) ++used[r.text];
    }
    return used;
}

// "The group number is unique among all groups, is changed every time a new group is formed, and is
// never reused."
TEST(InvitationLecture, group_numbers_are_never_reused_even_after_a_crash) {
    Scenario scenario = quiet(4, 500ms);
    for (const std::uint32_t id : {4u, 1u, 3u})
        for (const int round : {0, 1, 2}) {
            scenario.crashes.push_back({Id{id}, 20ms + round * 120ms + id * 3ms});
            scenario.recoveries.push_back({Id{id}, 60ms + round * 120ms + id * 3ms});
        }
    trace::Trace trace;
    simulate<Invitation>(scenario, {.trace = &trace});
    std::size_t stored = 0;
    for (const auto& [number, times] : numbers_used(trace)) {
        EXPECT_LE(times, 1) << number;
        stored += times == 1;
    }
    EXPECT_GE(stored, 13u);
    for (Recovery& recovery : scenario.recoveries) recovery.disk = false;  // no stable store
    trace::Trace forgetful;
    simulate<Invitation>(scenario, {.trace = &forgetful});
    bool reused = false;
    for (const auto& [number, times] : numbers_used(forgetful)) reused = reused || times > 1;
    EXPECT_TRUE(reused);
}

// "To handle this situation, there should be some priority among the coordinators": without it, and
// all in step, every merge meets another.
TEST(InvitationLecture, without_priority_merges_in_step_never_succeed) {
    Scenario scenario = quiet(5, 2s);
    scenario.settings = {{"priority", "none"}, {"jitter", "0"}};
    const Outcome churn = simulate<Invitation>(scenario);
    EXPECT_EQ(churn.believed.size(), 5u);
    EXPECT_EQ(count_of(churn, "Ready"), 0u);
    for (const char* way : {"ignore-lower", "hasten", "only-lower", "delay"}) {
        scenario.settings = {{"priority", way}, {"jitter", "0"}};
        EXPECT_EQ(simulate<Invitation>(scenario).leader, Id{5}) << way;
    }
}

// A finding: a delay by rank alone does not keep two coordinators apart whose searches are out of
// step by just that delay; searches at varying times do.
TEST(InvitationLecture, a_delay_that_equals_the_offset_of_the_searches_never_ends) {
    Scenario scenario = quiet(2, 5s);
    scenario.starts = {{Id{2}, 2ms}};
    scenario.partitions = {{{{Id{1}}, {Id{2}}}, {0ms, 15ms}}};  // until both search every 20ms
    scenario.settings = {{"jitter", "0"}};
    EXPECT_EQ(simulate<Invitation>(scenario).end, Outcome::End::split);
    scenario.settings = {};
    EXPECT_EQ(simulate<Invitation>(scenario).end, Outcome::End::agreed);
}

// "Once the merging of groups begins, processing in the affected groups should be halted".
// "Once this is done, the new coordinator should coordinate the state ... processing re-enabled."
TEST(InvitationLecture, nobody_works_while_its_group_merges_and_then_all_hold_one_state) {
    Scenario scenario = quiet(6, 300ms);
    scenario.partitions = {{{{Id{1}, Id{2}, Id{3}}, {Id{4}, Id{5}, Id{6}}}, {0ms, 100ms}}};
    scenario.settings = {{"parts", "200"}, {"work", "3ms"}};
    trace::Trace trace;
    Watched watched(scenario, &trace);
    watched.world.run_until(100ms);
    EXPECT_GT(watched.task_of(1).results.size(), 9u);
    EXPECT_GT(watched.task_of(4).results.size(), 9u);
    std::map<Id, std::string> state;
    watched.world.run_until(1s);
    for (const trace::Record& r : trace.records) {
        const bool halted = state[r.node].find("ing,") != std::string::npos &&
                            state[r.node].find("searching") == std::string::npos;
        EXPECT_FALSE(halted && r.kind == trace::Kind::timer && r.text == "Work") << text(r.time);
        if (r.kind == trace::Kind::state) state[r.node] = r.text;
    }
    const Outcome outcome = watched.world.finish();
    EXPECT_EQ(outcome.reports, 0u);
    EXPECT_TRUE(outcome.violations.empty());
    for (std::uint32_t id = 1; id <= 6; ++id) {
        EXPECT_TRUE(watched.task_of(id).complete());
        EXPECT_EQ(watched.task_of(id).total, 200u * 201u / 2);
    }
}

// "The merge process would throw out the duplicate work and assemble the partial results."
TEST(InvitationLecture, work_done_twice_counts_once) {
    Scenario scenario = quiet(4, 400ms);
    scenario.partitions = {{{{Id{1}, Id{2}}, {Id{3}, Id{4}}}, {0ms, 60ms}}};
    scenario.settings = {{"parts", "40"}, {"work", "2ms"}};
    trace::Trace trace;
    Watched watched(scenario, &trace);
    watched.world.run_until(400ms);
    std::uint32_t worked = 0;  // each of these changes the progress of the one who works
    for (std::size_t i = 0; i + 1 < trace.records.size(); ++i) {
        const trace::Record &timer = trace.records[i], &next = trace.records[i + 1];
        worked += timer.kind == trace::Kind::timer && timer.text == "Work" &&
                  next.kind == trace::Kind::state && next.node == timer.node;
    }
    EXPECT_GT(worked, 40u);  // the parts of the network have done some parts of the task twice
    EXPECT_EQ(watched.task_of(1).total, 40u * 41u / 2);
    EXPECT_TRUE(watched.world.finish().violations.empty());
}

// "It is possible that some coordinators are unreachable or don't reply before some timeout period
// -- that's okay": partitions, crashes, recoveries and loss; when calm returns, one group is left
// and the task is done.
class InvitationInTheStorm : public testing::TestWithParam<const char*> {};

TEST_P(InvitationInTheStorm, ends_in_one_group_with_the_task_done) {
    each_seed(1, 1000, [](std::uint64_t seed) { weather_invitation(seed, GetParam()); });
}

INSTANTIATE_TEST_SUITE_P(Ways, InvitationInTheStorm, priorities,
                         [](const auto& run) { return name_of(run.param); });

}  // namespace invitation_lecture_test
}  // namespace conclave::simulator
