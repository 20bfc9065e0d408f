// Faults of agents that were repaired, planted again, which break no promise: somebody stands in
// vain, a leader is deposed without a reason, or goes on with a promise less. A cluster in peace
// shows them, to which one thing happens. docs/checking.md has them as a table.
#include "tests/mutation/stories.hpp"

namespace conclave {
namespace one_fault_test {

using namespace stories;
using namespace std::chrono_literals;

// 3 leads, with the greatest id.
Story leader_pauses(std::uint64_t seed) {
    Story story(seed);
    story.befall("agent-pauses", 3, story.at);
    story.befall("agent-resumes", 3, story.at + story.span);
    return story;
}
Story leader_is_cut_off(std::uint64_t seed) {
    Story story(seed);
    story.scenario.partitions.push_back({{{Id{3}}}, {story.at, story.at + story.span}});
    return story;
}
// To 1, which is asked to leave, too, after a while that may be short.
Story leader_hands_over_twice(std::uint64_t seed) {
    Story story(seed);
    story.befall("asked-to-leave", 3, story.at);
    story.befall("asked-to-leave", 1, story.at + story.span);
    return story;
}
// Its command ends, and to start it again takes a ballot on disk.
Story leader_cannot_start_again(std::uint64_t seed) {
    Story story(seed);
    story.befall("disk-fills", 3, story.at);
    story.befall("command-ends", 3, story.at + 5ms);
    story.befall("disk-recovers", 3, story.at + story.span);
    return story;
}

TEST(OneFault, a_leader_that_was_paused_stands_in_vain_unless_it_asks_the_others) {
    expect_shown(RepairedRule::deposed_asks_others, leader_pauses,
                 [](const Course& course) { return course.rounds > 2; });
}

TEST(OneFault, a_leader_that_was_cut_off_stands_in_vain_unless_it_backs_off) {
    expect_shown(RepairedRule::deposed_backs_off, leader_is_cut_off,
                 [](const Course& course) { return course.rounds > 2; });
}

TEST(OneFault, others_stand_beside_a_named_successor_unless_it_goes_first) {
    expect_shown(RepairedRule::successor_goes_first, leader_hands_over_twice,
                 [](const Course& course) { return course.rounds > 4; });
}

TEST(OneFault, a_candidate_that_gave_up_deposes_a_leader) {
    expect_shown(RepairedRule::closed_by_own_release, leader_hands_over_twice,
                 [](const Course& course) { return course.terms > 3; });
}

TEST(OneFault, a_vote_for_a_candidacy_that_came_to_nothing_is_lost_to_the_leader) {
    expect_shown(RepairedRule::vain_vote_taken_back, leader_hands_over_twice,
                 [](const Course& course) { return course.unsupported; });
}

TEST(OneFault, a_candidate_beside_a_leader_goes_on_asking) {
    expect_shown(RepairedRule::rival_makes_way, leader_hands_over_twice,
                 [](const Course& course) { return course.stands_at_the_end; });
}

TEST(OneFault, a_candidate_that_gives_up_believes_that_it_leads) {
    expect_shown(RepairedRule::withdrawn_follows_nobody, leader_cannot_start_again,
                 [](const Course& course) { return course.claims; });
}

// In a storm it comes to stand beside a leader that the others kept.
TEST(OneFault, a_member_that_stood_in_vain_never_follows_the_leader_again) {
    const auto unsupported = [](std::uint64_t rules_off) {
        Story story(227);
        Scenario storm;
        storm.algorithm = story.scenario.algorithm;
        storm.nodes = 3;
        storm.seed = 227;
        storm.storm = 10s;
        storm.mutation.rules_off = rules_off;
        story.scenario = simulator::brew(storm);
        return story.run().unsupported;
    };
    EXPECT_FALSE(unsupported(0));
    EXPECT_TRUE(unsupported(lease::bit(RepairedRule::rival_falls_in)));
}

}  // namespace one_fault_test
}  // namespace conclave
