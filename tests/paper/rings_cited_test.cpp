// The rings that Vitányi (1983) cites, with the numbers of messages he and their papers give.
#include <bit>
#include <cmath>

#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace rings_cited_test {

using namespace std::chrono_literals;

std::uint64_t log2_floor(std::uint64_t n) {
    return static_cast<std::uint64_t>(std::bit_width(n)) - 1;
}
std::uint64_t log2_ceil(std::uint64_t n) { return log2_floor(n) + !std::has_single_bit(n); }

// Runs with all and with some initiating, in every order, on rings of many sizes.
template <class Bound>
void expect_at_most(std::string_view algorithm, const Bound& bound) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        Scenario scenario = random_ring(seed);
        scenario.calls.clear();
        if (seed % 2 == 0) scenario = ring_of(scenario.nodes * 7, Who::all, How(seed % 3));
        const std::uint64_t n = scenario.nodes;
        EXPECT_LE(run(algorithm, scenario).messages, bound(n)) << "seed " << seed;
    }
}

TEST(CitedRings, franklin_takes_at_most_2N_floor_log_N_and_3N_messages) {
    expect_at_most("franklin", [](std::uint64_t n) { return 2 * n * log2_floor(n) + 3 * n; });
}

TEST(CitedRings, dolev_klawe_and_rodeh_take_at_most_2N_floor_log_N_and_2N_messages) {
    expect_at_most("dolev-klawe-rodeh",
                   [](std::uint64_t n) { return 2 * n * log2_floor(n) + 2 * n; });
}

TEST(CitedRings, hirschberg_and_sinclair_take_at_most_8N_and_8N_ceil_log_N_messages_and_the_news) {
    expect_at_most("hirschberg-sinclair",
                   [](std::uint64_t n) { return 8 * (n + n * log2_ceil(n)) + n; });
}

// A ring in which every second survives every round: what is left of the ids, written backwards.
Scenario hard_ring(std::uint32_t bits) {
    Scenario scenario = ring_of(1u << bits, Who::all, How::listed);
    for (std::uint32_t at = 0; at < scenario.nodes; ++at) {
        std::uint32_t reversed = 0;
        for (std::uint32_t bit = 0; bit < bits; ++bit)
            reversed |= (at >> bit & 1) << (bits - 1 - bit);
        scenario.order.ids.push_back(Id{reversed + 1});
    }
    return scenario;
}

TEST(CitedRings, franklins_bound_is_reached) {
    for (std::uint32_t bits = 1; bits <= 8; ++bits) {
        const std::uint64_t n = std::uint64_t{1} << bits;
        EXPECT_EQ(run("franklin", hard_ring(bits)).messages, 2 * n * bits + 3 * n);
    }
}

// "This takes O(N^2) message passes in the worst case" [Le].
TEST(CitedRings, le_lann_takes_N_messages_for_each_initiator) {
    for (std::uint32_t initiators = 1; initiators <= 12; ++initiators) {
        Scenario scenario = ring_of(12, Who::listed);
        for (std::uint32_t id = 1; id <= initiators; ++id)
            scenario.initiators.ids.push_back(Id{id});
        EXPECT_EQ(run("le-lann", scenario).messages, initiators * 12);
    }
}

// "If messages of lower indexed processors are not passed on by higher indexed processors then the
// only message returning to its origin is that of the highest indexed processor."
TEST(CitedRings, le_lann_with_the_filter_sends_what_chang_and_roberts_send) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        Scenario scenario = random_ring(seed);
        scenario.calls.clear();
        const Outcome theirs = run("chang-roberts", scenario);
        scenario.settings = {{"filter", "on"}};
        const Outcome ours = run("le-lann", scenario);
        EXPECT_EQ(ours.messages, sent(theirs, "Election")) << "seed " << seed;
        EXPECT_EQ(ours.leader, theirs.leader) << "seed " << seed;
    }
}

// "Probabilistic algorithms have been proposed [IR] for solving the election problem in linear time
// on the average, provided the size of the ring is known and the processes are synchronous."
TEST(CitedRings, itai_and_rodeh_in_step_take_linear_time_and_messages_on_average) {
    for (const std::uint32_t nodes : {2u, 10u, 100u, 400u}) {
        double time = 0, messages = 0;
        for (std::uint64_t seed = 1; seed <= 500; ++seed) {
            Scenario scenario = ring_of(nodes, Who::all);
            scenario.settings = {{"timing", "synchronous"}};
            scenario.seed = seed;
            const Outcome outcome = run("itai-rodeh", scenario);
            time += static_cast<double>(outcome.turnaround / 1us) / 1000;
            messages += static_cast<double>(outcome.messages);
        }
        EXPECT_LT(time / 500 / nodes, 2 + std::exp(1.0)) << nodes;
        EXPECT_LT(messages / 500 / nodes, 2 + std::exp(1.0)) << nodes;
    }
}

TEST(CitedRings, itai_and_rodeh_take_order_of_N_log_N_messages_on_average) {
    for (const std::uint32_t nodes : {4u, 16u, 64u, 256u, 1024u}) {
        double messages = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            Scenario scenario = ring_of(nodes, Who::all);
            scenario.seed = seed;
            messages += static_cast<double>(run("itai-rodeh", scenario).messages);
        }
        EXPECT_LT(messages / 200, 2 * nodes * (1 + std::log2(nodes))) << nodes;
    }
}

}  // namespace rings_cited_test
}  // namespace conclave
