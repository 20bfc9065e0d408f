// The lease in bad weather: elections, agents, guardians and commands under faults of every kind
// at once. The checker looks at everything that can happen to a few asks; storms look at seconds.
#include "tests/lease/storms.hpp"

#include "conclave/simulator/campaign/shrink.hpp"

namespace conclave::simulator {
namespace storms_test {

using lease::Rule;

TEST(LeaseStorms, no_thousand_storms_let_two_act_or_stop_the_work_for_longer_than_the_bound) {
    expect_calm(stormy("tempo"), {1, 1000});
    expect_calm(stormy("bully"), {1, 1000});
}

TEST(LeaseStorms, nor_do_they_among_five_members) {
    expect_calm(stormy("tempo", 5), {1, 300});
    expect_calm(stormy("bully", 5), {1, 300});
}

TEST(LeaseStorms, nor_do_they_around_any_other_election_that_agents_run) {
    for (const std::string algorithm : {"invitation", "multicast", "nemeth"})
        expect_calm(stormy(algorithm), {1, 500});
}

TEST(LeaseStorms, nor_do_they_while_operators_change_the_members_and_the_times) {
    expect_calm(changing("tempo"), {1, 1000});
    expect_calm(changing("bully"), {1, 1000});
}

TEST(LeaseStorms, storms_with_changes_show_that_their_rules_are_needed) {
    using lease::RosterRule;
    const auto violated = [](RosterRule rule, std::uint64_t seed) {
        Scenario scenario = changing("bully");
        scenario.seed = seed;
        scenario.mutation.rules_off = lease::bit(rule);
        const Outcome outcome = find_engine(scenario.algorithm)->simulate(scenario, {});
        return outcome.violations.empty() ? "" : outcome.violations.front().property;
    };
    EXPECT_EQ(violated(RosterRule::members_alone_count, 33), "one leader");
    EXPECT_EQ(violated(RosterRule::refusal_tells_roster, 2), "progress");
    EXPECT_EQ(violated(RosterRule::former_members_stand, 11), "progress");
    EXPECT_EQ(violated(RosterRule::done_by_stamped_asks, 926), "progress");
    EXPECT_EQ(violated(RosterRule::completed_when_done, 926), "progress");
    EXPECT_EQ(violated(RosterRule::newer_roster_stored, 1262), "progress");
    EXPECT_EQ(violated(RosterRule::silence_before_census, 1043), "one leader");
}

TEST(LeaseStorms, two_act_where_a_rule_is_left_out) {
    const auto found = [](Rule rule, std::uint64_t seeds) {
        return finds("bully", {1, seeds}, {rule}, "one leader");
    };
    EXPECT_TRUE(found(Rule::lease_shorter_than_promise, 300));
    EXPECT_TRUE(found(Rule::quarantine_after_restart, 300));
    EXPECT_TRUE(found(Rule::lease_from_answered_asks, 50));
    EXPECT_TRUE(found(Rule::release_after_work_is_gone, 50));
    EXPECT_TRUE(found(Rule::release_of_own_ballot_only, 50));
    EXPECT_TRUE(found(Rule::former_work_gone, 3000));
}

TEST(LeaseStorms, a_token_falls_where_memory_is_not_kept) {
    EXPECT_TRUE(finds("bully", {1, 500}, {Rule::highest_on_disk}, "token"));
    EXPECT_TRUE(finds("bully", {1, 8000}, {Rule::amnesiac_member_promises_nothing}, "token"));
}

// A nonce covers for it, as the checker says, too.
TEST(LeaseStorms, a_used_ballot_that_is_not_stored_does_no_harm_alone) {
    Scenario scenario = stormy("tempo");
    scenario.mutation.rules_off = lease::bit(Rule::used_on_disk);
    EXPECT_EQ(weather(scenario, {1, 500}).summary.failures, 0u);
}

TEST(LeaseStorms, work_that_nobody_takes_up_is_missed) {
    Scenario scenario = stormy("tempo");
    scenario.mutation.what = Mutation::What::drop_send;
    const auto& messages = find_engine(scenario.algorithm)->messages;
    const auto promise = std::find(messages.begin(), messages.end(), "Promise");
    scenario.mutation.which = static_cast<std::uint8_t>(promise - messages.begin());
    const Summary summary = weather(scenario, {1, 20}).summary;
    EXPECT_EQ(summary.violated.at("progress"), 20u);
}

TEST(LeaseStorms, a_failing_storm_is_recorded_replayed_and_shrunk_like_any_run) {
    Scenario scenario = stormy("bully");
    scenario.mutation.rules_off = lease::bit(Rule::release_after_work_is_gone);
    scenario.seed = weather(scenario, {1, 50}).summary.violating.front();
    const Outcome first = find_engine(scenario.algorithm)->simulate(scenario, {});
    const auto file = read_recording(to_toml(record_run(scenario)), "storm.toml");
    ASSERT_EQ(file.problem, "");
    const Outcome again = replay_run(file.recording);
    ASSERT_FALSE(again.violations.empty());
    EXPECT_EQ(again.digest, first.digest);
    EXPECT_EQ(again.violations.front().what, first.violations.front().what);
    const Shrunk shrunk = shrink(file.recording);
    EXPECT_EQ(shrunk.property, "one leader");
    EXPECT_LE(shrunk.recording.scenario.crashes.size() + shrunk.recording.scenario.mishaps.size() +
                  shrunk.recording.scenario.partitions.size(),
              3u);
}

// The others notice that by their failure detector alone: nothing of the election's own does.
TEST(LeaseStorms, a_leader_that_is_gone_for_good_is_replaced_around_every_election) {
    for (const std::string algorithm : {"bully", "tempo", "invitation", "multicast", "nemeth"})
        for (const std::uint32_t gone : {1u, 2u, 3u}) {
            Scenario scenario = stormy(algorithm);
            scenario.storm = Duration{0};
            scenario.until = std::chrono::seconds(5);
            scenario.crashes = {{Id{gone}, std::chrono::seconds(2)}};
            for (scenario.seed = 1; scenario.seed <= 10; ++scenario.seed) {
                const Outcome outcome = find_engine(scenario.algorithm)->simulate(scenario, {});
                EXPECT_TRUE(outcome.violations.empty())
                    << algorithm << " without " << gone << ", seed " << scenario.seed;
            }
        }
}

// Elected, it could not stand, and as TEMPO's master it would send every other candidate home.
TEST(LeaseStorms, a_witness_that_comes_up_first_never_leads_and_somebody_else_does) {
    for (const std::string algorithm : {"tempo", "bully"}) {
        Scenario scenario = stormy(algorithm);
        scenario.storm = Duration{0};
        scenario.until = std::chrono::seconds(4);
        scenario.settings = {{"witnesses", "1"}};
        scenario.starts = {{Id{2}, std::chrono::seconds(1)}, {Id{3}, std::chrono::seconds(1)}};
        for (scenario.seed = 1; scenario.seed <= 50; ++scenario.seed) {
            const Outcome outcome = find_engine(scenario.algorithm)->simulate(scenario, {});
            EXPECT_TRUE(outcome.violations.empty()) << algorithm << ", seed " << scenario.seed;
            EXPECT_TRUE(outcome.leader == Id{2} || outcome.leader == Id{3});
        }
    }
}

TEST(LeaseStorms, storms_with_a_witness_let_nobody_wait_for_longer_than_the_bound) {
    for (const std::string algorithm : {"tempo", "bully"}) {
        Scenario scenario = stormy(algorithm);
        scenario.settings = {{"witnesses", "1"}};
        expect_calm(scenario, {1, 300});
    }
}

}  // namespace storms_test
}  // namespace conclave::simulator
