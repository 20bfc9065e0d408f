// More storms over the lease, and the rules that only rare ones show to be needed.
#include "tests/lease/storms.hpp"

namespace conclave::simulator {
namespace storms_soak {

using lease::Rule;

TEST(LeaseStormsSoak, no_hundred_thousand_storms_let_two_act_or_stop_the_work_for_too_long) {
    for (const std::string algorithm : {"tempo", "bully"}) {
        expect_calm(stormy(algorithm), {1, 100'000});
        expect_calm(stormy(algorithm, 5), {1, 30'000});
        expect_calm(stormy(algorithm, 7), {1, 10'000});
    }
}

TEST(LeaseStormsSoak, nor_do_they_while_operators_change_the_members_and_the_times) {
    for (const char* algorithm : {"bully", "tempo"}) expect_calm(changing(algorithm), {1, 30'000});
}

TEST(LeaseStormsSoak, nor_do_they_around_any_other_election_that_agents_run) {
    for (const std::string algorithm : {"invitation", "multicast", "nemeth"})
        expect_calm(stormy(algorithm), {1, 30'000});
}

TEST(LeaseStormsSoak, a_death_notice_for_a_paused_agent_lets_two_act) {
    EXPECT_TRUE(finds("tempo", {1, 20'000}, {Rule::silence_for_a_paused_agent}, "one leader"));
}

TEST(LeaseStormsSoak, a_round_that_is_used_twice_lets_a_token_fall) {
    EXPECT_TRUE(finds("tempo", {1, 20'000}, {Rule::used_on_disk, Rule::nonce_in_ballots}, "token"));
}

}  // namespace storms_soak
}  // namespace conclave::simulator
