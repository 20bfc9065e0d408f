#include "conclave/election/ring_collect.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace ring_collect_test {

using Election = RingCollect::Election;
using Coordinator = RingCollect::Coordinator;
using namespace std::chrono_literals;

std::vector<Id> ids(std::initializer_list<std::uint32_t> numbers) {
    std::vector<Id> list;
    for (const std::uint32_t number : numbers) list.push_back(Id{number});
    return list;
}
IdSet set(std::initializer_list<std::uint32_t> numbers) { return {ids(numbers)}; }

TEST(RingCollect, starts_a_list_with_its_own_number) {
    Actor<RingCollect> three(3, 5);
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Election([3], []))"});
    EXPECT_EQ(three.after(Call{}), Lines{}) << "at most one election of its own at a time";
}

TEST(RingCollect, adds_its_number_to_a_list) {
    Actor<RingCollect> three(3, 5);
    EXPECT_EQ(three.after(Election{ids({1, 2}), {}}, 2), Lines{"Send(4, Election([1 2 3], []))"});
}

TEST(RingCollect, skips_whom_it_knows_to_have_failed_and_tells_it_to_the_next) {
    Actor<RingCollect> three(3, 5);
    three.after(Suspect{Id{4}});
    EXPECT_EQ(three.after(Election{ids({2}), {}}, 2), Lines{"Send(5, Election([2 3], [4]))"});
    three.after(Trust{Id{4}});
    EXPECT_EQ(three.after(Election{ids({2}), {}}, 2), Lines{"Send(4, Election([2 3], []))"});
}

TEST(RingCollect, skips_whom_the_list_says_to_have_failed_but_does_not_remember_it) {
    Actor<RingCollect> three(3, 5);
    EXPECT_EQ(three.after(Election{ids({2}), set({4, 5})}, 2),
              Lines{"Send(1, Election([2 3], [4 5]))"});
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Election([3], []))"});
}

TEST(RingCollect, announces_the_highest_on_the_list_when_it_finds_itself_there) {
    Actor<RingCollect> three(3, 5);
    three.after(Call{});
    EXPECT_EQ(three.after(Election{ids({3, 4, 5, 1, 2}), {}}, 2),
              (Lines{"Follow(5)", "Send(4, Coordinator(5, [3], []))"}));
}

TEST(RingCollect, ends_the_round_of_an_initiator_that_died) {
    Actor<RingCollect> three(3, 5);
    EXPECT_EQ(three.after(Election{ids({2, 3, 4, 5, 1}), set({2})}, 1),
              (Lines{"Follow(5)", "Send(4, Coordinator(5, [3], [2]))"}));
}

TEST(RingCollect, does_not_announce_who_failed_since_it_joined_the_list) {
    Actor<RingCollect> three(3, 5);
    three.after(Suspect{Id{5}});
    EXPECT_EQ(three.after(Election{ids({3, 4, 5, 1, 2}), {}}, 2).front(), "Follow(4)");
}

TEST(RingCollect, passes_the_news_on_once) {
    Actor<RingCollect> three(3, 5);
    EXPECT_EQ(three.after(Coordinator{Id{5}, ids({1, 2}), {}}, 2),
              (Lines{"Follow(5)", "Send(4, Coordinator(5, [1 2 3], []))"}));
    EXPECT_EQ(three.after(Coordinator{Id{5}, ids({3, 4, 5, 1, 2}), {}}, 2), Lines{});
}

TEST(RingCollect, calls_an_election_when_the_coordinator_dies) {
    Actor<RingCollect> three(3, 5);
    three.after(Coordinator{Id{5}, ids({1, 2}), {}}, 2);
    EXPECT_EQ(three.after(Suspect{Id{1}}), Lines{});
    EXPECT_EQ(three.after(Suspect{Id{5}}), Lines{"Send(4, Election([3], [1 5]))"});
}

TEST(RingCollect, starts_again_when_its_successor_dies_during_the_election) {
    Actor<RingCollect> three(3, 5);
    three.after(Call{});
    EXPECT_EQ(three.after(Suspect{Id{4}}), Lines{"Send(5, Election([3], [4]))"});
    EXPECT_EQ(three.after(Suspect{Id{4}}), Lines{}) << "that is no news";
}

TEST(RingCollect, only_notes_a_death_before_the_first_election) {
    Actor<RingCollect> three(3, 5);
    EXPECT_EQ(three.after(Suspect{Id{4}}), Lines{});
}

TEST(RingCollect, alone_it_elects_itself_without_a_message) {
    Actor<RingCollect> one(1, 2);
    one.after(Suspect{Id{2}});
    EXPECT_EQ(one.after(Call{}), Lines{"Follow(1)"});
}

TEST(RingCollect, elects_the_best_in_a_thousand_random_rings) { expect_good_runs("ring-collect"); }

TEST(RingCollect, elects_the_best_survivor_when_nodes_die_before_the_call) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Scenario scenario = ring_of(8, Who::listed);
        scenario.seed = seed;
        scenario.initiators.ids = {Id{1 + static_cast<std::uint32_t>(seed % 3)}};
        for (std::uint32_t id = 4; id <= 8; ++id)
            if (mix(seed, id) % 2 == 0) scenario.crashes.push_back({Id{id}, Time{0}});
        const Outcome outcome = run("ring-collect", scenario);
        expect_good(outcome);
        EXPECT_EQ(outcome.messages, 2 * (8 - scenario.crashes.size()));
    }
}

TEST(RingCollect, survives_a_death_during_the_election_with_a_detector) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Scenario scenario = ring_of(8, Who::first);
        scenario.seed = seed;
        scenario.detector = {.on = true, .lateness = {.low = 2ms}};
        const Id dies{1 + static_cast<std::uint32_t>(mix(seed) % 8)};
        scenario.crashes = {{dies, Time{1 + static_cast<std::int64_t>(mix(~seed) % 20'000'000)}}};
        const Outcome outcome = run("ring-collect", scenario);
        EXPECT_EQ(outcome.end, Outcome::End::agreed) << to_json(outcome);
        EXPECT_EQ(outcome.leader, dies == Id{8} ? Id{7} : Id{8});
    }
}

}  // namespace ring_collect_test
}  // namespace conclave
