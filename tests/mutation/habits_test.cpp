// Faults of agents that were repaired, planted again, which only machines show that are as slow and
// as disorderly as real ones: an agent whose hooks run for a while before it ends, looks at its
// timers before its work after a pause, whose work takes long to stop, or that hears only some of
// the others. docs/checking.md has them as a table.
#include "tests/mutation/stories.hpp"

namespace conclave {
namespace habits_test {

using namespace stories;
using namespace std::chrono_literals;

// 3 leads, with the greatest id. Its hooks run for longer than it takes to elect another.
Story leader_ends_slowly(std::uint64_t seed) {
    Story story(seed);
    story.settings.hooks = 1ms * (200 + seed * 53 % 900);
    story.befall("agent-leaves", 3, story.at);
    return story;
}
// 2 is the best and comes back, while the work of 3, which was asked to leave and named 1, stops.
Story best_returns_while_leader_stops(std::uint64_t seed) {
    Story story(seed);
    story.settings.stop = 400ms;
    story.scenario.attributes = {{Id{2}, 10}};
    story.scenario.crashes = {{Id{2}, 1200ms}};
    story.befall("asked-to-leave", 3, story.at);
    story.scenario.recoveries = {{Id{2}, story.at + 1ms * (seed * 17 % 350), true}};
    return story;
}
// Of the two best that are left, one does not hear the other.
Story second_best_hears_too_little(std::uint64_t seed) {
    Story story(seed, 5);
    story.scenario.crashes = {{Id{5}, story.at}};
    story.scenario.cuts = {{Id{4}, Id{3}, {story.at - 400ms, story.at + story.span}}};
    return story;
}
Story leader_pauses_and_looks_at_its_timers(std::uint64_t seed) {
    Story story(seed);
    story.settings.timers_first = true;
    story.befall("agent-pauses", 3, story.at);
    story.befall("agent-resumes", 3, story.at + story.span);
    return story;
}

TEST(Habits, a_member_whose_hooks_run_before_it_ends_leads_again) {
    expect_shown(RepairedRule::departing_member_not_eligible, leader_ends_slowly,
                 [](const Course& course) { return course.stays || course.terms > 2; });
}

TEST(Habits, a_leader_that_was_asked_to_leave_and_whose_work_stops_slowly_leads_again) {
    expect_shown(RepairedRule::successor_stays_named, best_returns_while_leader_stops,
                 [](const Course& course) { return course.leader == Id{3}; });
}

// Each candidacy has a round of its own: it happens with the rule, too, but rarely.
TEST(Habits, two_candidates_that_both_repeat_their_asks_outbid_each_other) {
    const auto many = [](const Course& course) { return course.rounds > 4; };
    EXPECT_LE(count_shown(0, second_best_hears_too_little, many), 2);
    const std::uint64_t off = lease::bit(RepairedRule::beaten_repeats_nothing);
    EXPECT_GE(count_shown(off, second_best_hears_too_little, many), 10);
}

TEST(Habits, a_leader_that_was_paused_misleads_members_that_promised_another) {
    expect_shown(RepairedRule::expired_lease_not_claimed, leader_pauses_and_looks_at_its_timers,
                 [](const Course& course) { return course.misled; });
}

}  // namespace habits_test
}  // namespace conclave
