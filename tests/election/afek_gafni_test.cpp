#include "conclave/election/afek_gafni.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace afek_gafni_test {

using A = AfekGafni;
A::Strength strength(std::uint32_t level, std::uint32_t id) { return {level, plain_rank(Id{id})}; }

TEST(AfekGafni, captures_the_others_one_by_one) {
    Actor<A> two(2, 4);
    EXPECT_EQ(two.after(Call{}), (Lines{"Follow(0)", "Send(3, Capture(0, Strength(0, 2)))"}));
    EXPECT_EQ(two.after(A::Accept{0}, 3), Lines{"Send(4, Capture(0, Strength(1, 2)))"});
    EXPECT_EQ(two.after(A::Accept{0}, 4), Lines{"Send(1, Capture(0, Strength(2, 2)))"});
    EXPECT_EQ(two.after(A::Accept{0}, 1), (Lines{"Follow(2)", "Broadcast(Elected(0))"}));
}

TEST(AfekGafni, a_free_process_belongs_to_the_first_who_asks) {
    Actor<A> two(2, 4);
    EXPECT_EQ(two.after(A::Capture{0, strength(0, 1)}, 1),
              (Lines{"Follow(0)", "Send(1, Accept(0))"}));
    EXPECT_EQ(two.after(Call{}), Lines{}) << "it is captured";
}

TEST(AfekGafni, a_candidate_gives_way_to_a_stronger_one_only) {
    Actor<A> two(2, 4);
    two.after(Call{});
    EXPECT_EQ(two.after(A::Capture{0, strength(0, 1)}, 1), Lines{});
    EXPECT_EQ(two.after(A::Capture{0, strength(0, 3)}, 3), Lines{"Send(3, Accept(0))"});
    EXPECT_EQ(two.after(A::Accept{0}, 3), Lines{}) << "too late";
}

TEST(AfekGafni, the_level_counts_before_the_rank) {
    Actor<A> two(2, 4);
    two.after(Call{});
    EXPECT_EQ(two.after(A::Capture{0, strength(1, 1)}, 1), Lines{"Send(1, Accept(0))"});
}

TEST(AfekGafni, an_owner_is_asked_to_yield_first) {
    Actor<A> two(2, 4);
    two.after(A::Capture{0, strength(0, 1)}, 1);
    EXPECT_EQ(two.after(A::Capture{0, strength(1, 3)}, 3),
              Lines{"Send(1, Query(0, Strength(1, 3)))"});
    EXPECT_EQ(two.after(A::Capture{0, strength(0, 4)}, 4), Lines{}) << "weaker than the claimant";
    EXPECT_EQ(two.after(A::Yield{0}, 3), Lines{}) << "not the owner";
    EXPECT_EQ(two.after(A::Yield{0}, 1), Lines{"Send(3, Accept(0))"});
}

TEST(AfekGafni, an_owner_yields_to_a_stronger_one_and_is_beaten) {
    Actor<A> two(2, 4);
    two.after(Call{});
    two.after(A::Accept{0}, 3);
    EXPECT_EQ(two.after(A::Query{0, strength(0, 4)}, 3), Lines{});
    EXPECT_EQ(two.after(A::Query{0, strength(1, 4)}, 3), Lines{"Send(3, Yield(0))"});
    EXPECT_EQ(two.after(A::Accept{0}, 4), Lines{});
}

TEST(AfekGafni, messages_of_an_election_that_is_over_are_worth_nothing) {
    Actor<A> two(2, 4);
    EXPECT_EQ(two.after(A::Elected{0}, 4), Lines{"Follow(4)"});
    EXPECT_EQ(two.after(A::Capture{0, strength(3, 1)}, 1), Lines{});
    EXPECT_EQ(two.after(Call{}), (Lines{"Follow(0)", "Send(3, Capture(1, Strength(0, 2)))"}));
    EXPECT_EQ(two.after(A::Accept{0}, 3), Lines{});
}

TEST(AfekGafni, elects_somebody_in_a_thousand_random_runs) { expect_good_runs("afek-gafni"); }

TEST(AfekGafni, takes_three_messages_a_process_for_one_caller) {
    for (const std::uint32_t nodes : {1u, 2u, 9u, 100u})
        EXPECT_EQ(run("afek-gafni", ring_of(nodes)).copies, 3 * (nodes - 1));
}

TEST(AfekGafni, never_takes_more_than_its_bound) {
    for (const std::uint32_t nodes : {2u, 5u, 17u, 64u, 200u}) {
        double harmonic = 0;
        for (std::uint32_t i = 1; i <= nodes; ++i) harmonic += 1.0 / i;
        const double bound = 4.0 * nodes * (1 + harmonic) + nodes - 1;
        for (const How how : {How::ascending, How::descending, How::random})
            for (std::uint64_t seed = 1; seed <= 20; ++seed) {
                Scenario scenario = ring_of(nodes, Who::all, how);
                scenario.seed = seed;
                scenario.delay = {simulator::Delay::Shape::exponential, scenario.delay.low, {}};
                EXPECT_LE(static_cast<double>(run("afek-gafni", scenario).copies), bound);
            }
    }
}

}  // namespace afek_gafni_test
}  // namespace conclave
