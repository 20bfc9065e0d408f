// Vitányi (1983), section 3: "A closer look".
#include "conclave/claims/archimedean/archimedean_runs.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace archimedean_closer_look_test {

using namespace std::chrono_literals;
using claims::archimedes::escaping_ring;
using claims::archimedes::halving_ring;
using claims::archimedes::in_step;
using claims::archimedes::out_of_step;
using claims::archimedes::ratio_of;
using claims::archimedes::time_bound;
using claims::archimedes::units;

Outcome elect(const Scenario& scenario) { return run("archimedean", scenario); }

// "The worst what can happen by adversary scheduling both the unit delays of all processors and the
// processor placement around the ring is square in N."
TEST(CloserLook, the_adversary_forces_N_N_plus_1_by_2_passes_of_election_messages) {
    for (std::uint32_t nodes = 1; nodes <= 40; ++nodes) {
        const Outcome outcome = elect(halving_ring(nodes));
        EXPECT_EQ(sent(outcome, "Election"), nodes * (nodes + 1) / 2);
        EXPECT_EQ(outcome.leader, Id{1});
    }
}

// "The message pass complexity was shown to be 2N + 3Nu/m under the timer function f(i) = 2^i."
TEST(CloserLook, powers_of_two_keep_to_2N_and_3N_u_by_m) {
    for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
        const Scenario scenario = out_of_step(2 + seed % 30, 1 + seed % 6, seed % 2 == 0, seed, {});
        EXPECT_LE(static_cast<double>(elect(scenario).messages),
                  scenario.nodes * (2 + 3 * ratio_of(scenario)));
    }
}

// "Setting f(i) to u2^i/m yields a number of messages < 5N": it does not.
TEST(CloserLook, scaling_the_powers_by_u_by_m_does_not_keep_to_5N) {
    EXPECT_GT(elect(escaping_ring(12, 16, {{"scale", "16"}})).messages, 60u);
    EXPECT_GT(elect(escaping_ring(24, 4, {{"scale", "4"}})).messages, 120u);
    EXPECT_GT(elect(escaping_ring(1000, 1.25, {{"scale", "2"}})).messages, 5000u);
    EXPECT_GT(elect(escaping_ring(1000, 16, {{"scale", "16"}, {"first", "f"}})).messages, 5000u);
}

TEST(CloserLook, powers_of_2u_by_m_do_keep_to_5N) {
    for (const std::uint32_t ratio : {1u, 2u, 4u, 16u, 64u})
        for (const std::uint32_t nodes : {4u, 12u, 24u, 100u, 1000u})
            EXPECT_LT(
                elect(escaping_ring(nodes, ratio, {{"base", std::to_string(2 * ratio)}})).messages,
                5 * nodes);
}

// "The time complexity given above is, for f(i) = 2^i, no more than Nu(2^l + 2)."
TEST(CloserLook, the_election_keeps_to_its_time) {
    for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
        const Scenario scenario = out_of_step(1 + seed % 20, 1 + seed % 5, seed % 2 == 0, seed,
                                              {{"lowest", std::to_string(1 + seed % 3)}});
        EXPECT_LE(units(elect(scenario).ended), time_bound(scenario, 2)) << seed;
    }
}

TEST(CloserLook, that_time_is_nearly_used_up_when_every_message_just_misses_a_unit) {
    Scenario scenario = in_step(100, Who::all, How::ascending, 1, {});
    scenario.delay.low = 1us;
    EXPECT_GT(units(elect(scenario).ended), 0.99 * time_bound(scenario, 2));
}

// "The number of passed bits is linear": with a first wait of f; not as printed.
TEST(CloserLook, bits_are_linear_only_when_the_first_wait_is_f) {
    const auto bits = [](std::uint32_t nodes, const char* first) {
        const Scenario scenario = in_step(nodes, Who::all, How::random, 1, {{"first", first}});
        return static_cast<double>(elect(scenario).bits) / nodes;
    };
    EXPECT_LT(bits(100, "f"), 8);
    EXPECT_LT(bits(10'000, "f"), 8);
    EXPECT_GT(bits(10'000, "one"), bits(100, "one") + 5);
}

// "Choose f ... as f(i,j) = floor(2^(j-i)) in the Protocol."
TEST(CloserLook, the_variant_as_printed_elects_nobody) {
    for (const std::uint32_t nodes : {2u, 3u, 10u, 100u}) {
        const Outcome outcome =
            elect(in_step(nodes, Who::all, How::random, 1, {{"f", "pair"}, {"zero", "printed"}}));
        EXPECT_EQ(outcome.end, Outcome::End::leaderless);
        EXPECT_TRUE(outcome.quiet);
    }
}

TEST(CloserLook, the_variant_that_sends_at_once_takes_three_walks_and_chang_and_roberts_passes) {
    for (const std::uint32_t nodes : {2u, 5u, 10u, 50u}) {
        // Lowest wins here and highest there, so their worst orders are each other's mirror.
        Scenario scenario = in_step(nodes, Who::all, How::ascending, 1, {{"f", "pair"}});
        scenario.delay.low = 1ms;
        const Outcome outcome = elect(scenario);
        EXPECT_EQ(sent(outcome, "Election"), nodes * (nodes + 1) / 2);
        EXPECT_EQ(
            sent(outcome, "Election"),
            sent(run("chang-roberts", ring_of(nodes, Who::all, How::descending)), "Election"));
        EXPECT_LE(outcome.ended, (3 * nodes + 1) * 1ms);
    }
}

// "The resulting message pass complexity is less than 7N + 3εN/m": while links take a unit or two.
TEST(CloserLook, slow_links_break_the_bound_for_near_equal_clocks) {
    Scenario scenario = in_step(12, Who::all, How::ascending, 1, {});
    scenario.delay.low = 1ms;
    EXPECT_LT(elect(scenario).messages, 7 * 12u);
    scenario.delay.low = 256ms;
    EXPECT_GT(elect(scenario).messages, 7 * 12u);
}

}  // namespace archimedean_closer_look_test
}  // namespace conclave
