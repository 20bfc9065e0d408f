#include "conclave/election/itai_rodeh.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace itai_rodeh_test {

using Name = ItaiRodeh::Name;
using Wake = ItaiRodeh::Wake;
using Runner = ItaiRodeh::Runner;
using Phase = ItaiRodeh::Phase;
using Elected = ItaiRodeh::Elected;
using State = ItaiRodeh::State;
using Timing = ItaiRodeh::Timing;
using namespace std::chrono_literals;

struct OfFive : Actor<ItaiRodeh> {  // a process on a ring of five that drew name 2
    OfFive() : Actor<ItaiRodeh>(3, 5) { chosen = 2; }
};

TEST(ItaiRodeh, draws_a_name_and_sends_it_round) {
    OfFive node;
    EXPECT_EQ(node.after(Call{}), (Lines{"Follow(0)", "Send(4, Name(1, 2, 1, yes))"}));
    EXPECT_EQ(node.after(Call{}), Lines{});
}

TEST(ItaiRodeh, draws_from_as_many_names_as_it_is_told) {
    OfFive node;
    node.settings.names = 2;
    EXPECT_EQ(node.after(Call{}).back(), "Send(4, Name(1, 0, 1, yes))");
}

TEST(ItaiRodeh, relays_when_it_has_not_begun) {
    OfFive node;
    EXPECT_EQ(node.after(Name{1, 0, 1, true}, 2),
              (Lines{"Follow(0)", "Send(4, Name(1, 0, 2, yes))"}));
    EXPECT_EQ(node.after(Call{}), Lines{});
    EXPECT_EQ(node.after(Name{1, 0, 1, true}, 2), Lines{"Send(4, Name(1, 0, 2, yes))"});
}

TEST(ItaiRodeh, silences_smaller_names_and_earlier_rounds) {
    OfFive node;
    node.after(Call{});
    EXPECT_EQ(node.after(Name{1, 1, 2, true}, 2), Lines{});
    EXPECT_EQ(node.after(Name{0, 4, 2, true}, 2), Lines{});
    EXPECT_EQ(node.node.state, State::active);
}

TEST(ItaiRodeh, gives_way_to_a_greater_name_or_a_later_round) {
    for (const Name greater : {Name{1, 3, 2, true}, Name{2, 0, 2, true}}) {
        OfFive node;
        node.after(Call{});
        EXPECT_EQ(node.after(greater, 2).size(), 1u);
        EXPECT_EQ(node.node.state, State::passive);
    }
}

TEST(ItaiRodeh, clears_the_bit_of_an_equal_name) {
    OfFive node;
    node.after(Call{});
    EXPECT_EQ(node.after(Name{1, 2, 2, true}, 2), Lines{"Send(4, Name(1, 2, 3, no))"});
    EXPECT_EQ(node.node.state, State::active);
}

TEST(ItaiRodeh, leads_when_its_name_comes_home_alone) {
    OfFive node;
    node.after(Call{});
    EXPECT_EQ(node.after(Name{1, 2, 5, true}, 2), (Lines{"Follow(3)", "Send(4, Elected(3))"}));
    EXPECT_EQ(node.after(Elected{Id{3}}, 2), Lines{});
    EXPECT_EQ(node.node.state, State::idle);
}

TEST(ItaiRodeh, draws_again_when_its_name_comes_home_shared) {
    OfFive node;
    node.after(Call{});
    EXPECT_EQ(node.after(Name{1, 2, 5, false}, 2), Lines{"Send(4, Name(2, 2, 1, yes))"});
}

TEST(ItaiRodeh, passes_the_news_on) {
    OfFive node;
    node.after(Call{});
    EXPECT_EQ(node.after(Elected{Id{1}}, 2), (Lines{"Follow(1)", "Send(4, Elected(1))"}));
    EXPECT_EQ(node.node.state, State::idle);
}

TEST(ItaiRodeh, elects_one_in_a_thousand_random_rings) { expect_good_runs("itai-rodeh"); }

TEST(ItaiRodeh, does_not_care_about_ids_or_ranks) {
    Scenario scenario = ring_of(9, Who::all, How::ascending);
    const Outcome plain = run("itai-rodeh", scenario);
    for (std::uint32_t id = 1; id <= 9; ++id) scenario.attributes.push_back({Id{id}, 10 - id});
    const Outcome ranked = run("itai-rodeh", scenario);
    EXPECT_EQ(plain.digest, ranked.digest);
    EXPECT_EQ(plain.leader, ranked.leader);
}

TEST(ItaiRodeh, without_chance_goes_on_for_ever) {
    Scenario scenario = ring_of(4, Who::all);
    scenario.settings = {{"names", "1"}};
    scenario.until = 1s;
    const Outcome outcome = run("itai-rodeh", scenario);
    EXPECT_EQ(outcome.end, Outcome::End::leaderless);
    EXPECT_EQ(outcome.messages, 4 * 1001u) << "every process sends at every instant";
}

// ---------------------------------------------------------------- synchronous

struct InStep : OfFive {
    InStep() { settings.timing = Timing::synchronous; }
};

TEST(ItaiRodehInStep, wakes_the_others_and_waits_until_all_know_when_it_began) {
    InStep node;
    EXPECT_EQ(node.after(Call{}), (Lines{"Follow(0)", "Set(Phase, 5.5ms)", "Send(4, Wake(1))"}));
    EXPECT_EQ(node.after(Call{}), Lines{});
}

TEST(ItaiRodehInStep, counts_from_the_beginning_that_the_wake_tells) {
    InStep node;
    EXPECT_EQ(node.after(Wake{2}, 2),
              (Lines{"Follow(0)", "Set(Phase, 3.5ms)", "Send(4, Wake(3))"}));
}

TEST(ItaiRodehInStep, does_not_wake_the_one_that_began) {
    InStep node;
    EXPECT_EQ(node.after(Wake{4}, 2), (Lines{"Follow(0)", "Set(Phase, 1.5ms)"}));
}

TEST(ItaiRodehInStep, the_earliest_beginning_counts) {
    InStep node;
    node.after(Call{});
    node.now = 2ms;
    EXPECT_EQ(node.after(Wake{2}, 2), Lines{}) << "as early as its own";
    EXPECT_EQ(node.after(Wake{1}, 2), Lines{}) << "later";
    EXPECT_EQ(node.after(Wake{3}, 2), (Lines{"Set(Phase, 2.5ms)", "Send(4, Wake(4))"}));
}

TEST(ItaiRodehInStep, runs_with_a_chance_of_one_in_the_number_of_rivals) {
    InStep runner, idler;
    runner.chosen = 0;
    for (InStep* node : {&runner, &idler}) node->after(Call{});
    EXPECT_EQ(runner.after(Phase{}), (Lines{"Set(Phase, 5ms)", "Send(4, Runner(1))"}));
    EXPECT_EQ(idler.after(Phase{}), Lines{"Set(Phase, 5ms)"});
}

TEST(ItaiRodehInStep, passes_runners_on_until_they_are_home) {
    InStep node;
    EXPECT_EQ(node.after(Runner{4}, 2), Lines{"Send(4, Runner(5))"});
    EXPECT_EQ(node.after(Runner{5}, 2), Lines{});
    EXPECT_EQ(node.node.runners, 2u);
}

TEST(ItaiRodehInStep, leads_when_it_was_the_only_runner) {
    InStep node;
    node.chosen = 0;
    node.after(Call{});
    node.after(Phase{});
    node.after(Runner{5}, 2);
    EXPECT_EQ(node.after(Phase{}), (Lines{"Follow(3)", "Send(4, Elected(3))"}));
}

TEST(ItaiRodehInStep, waits_for_the_news_when_another_was_the_only_runner) {
    InStep node;
    node.after(Call{});
    node.after(Phase{});
    node.after(Runner{2}, 2);
    EXPECT_EQ(node.after(Phase{}), Lines{});
}

TEST(ItaiRodehInStep, several_runners_go_on_alone) {
    InStep runner, idler;
    runner.chosen = 0;
    for (InStep* node : {&runner, &idler}) {
        node->after(Call{});
        node->after(Phase{});
        node->after(Runner{2}, 2);
        node->after(Runner{5}, 2);
    }
    idler.chosen = 0;
    EXPECT_EQ(runner.after(Phase{}), (Lines{"Set(Phase, 5ms)", "Send(4, Runner(1))"}));
    EXPECT_EQ(runner.node.rivals, 2u);
    EXPECT_EQ(idler.after(Phase{}), Lines{"Set(Phase, 5ms)"});
    EXPECT_EQ(idler.node.state, State::passive);
}

TEST(ItaiRodehInStep, a_phase_without_runners_is_repeated) {
    InStep node;
    node.after(Call{});
    node.after(Phase{});
    node.chosen = 0;
    EXPECT_EQ(node.after(Phase{}), (Lines{"Set(Phase, 5ms)", "Send(4, Runner(1))"}));
    EXPECT_EQ(node.node.rivals, 5u);
}

TEST(ItaiRodehInStep, elects_one_in_a_thousand_random_rings) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Scenario scenario = random_ring(seed);
        scenario.delay = {};
        scenario.settings = {{"timing", "synchronous"}};
        for (auto& call : scenario.calls)
            call.at = std::chrono::ceil<std::chrono::milliseconds>(call.at);
        expect_good(run("itai-rodeh", scenario));
    }
}

}  // namespace itai_rodeh_test
}  // namespace conclave
