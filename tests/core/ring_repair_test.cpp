#include "conclave/core/ring_repair.hpp"

#include <gtest/gtest.h>

#include "conclave/election/chang_roberts.hpp"
#include "conclave/election/franklin.hpp"
#include "tests/core/stage.hpp"

namespace conclave {
namespace ring_repair_test {

using OneWay = Repaired<ChangRoberts>;
using TwoWay = Repaired<Franklin>;
using Election = ChangRoberts::Election;
using Elected = ChangRoberts::Elected;

static_assert(Algorithm<OneWay> && Algorithm<TwoWay>);

InRun<Election> election(std::uint32_t run, std::uint32_t id) {
    return {run, Election{plain_rank(Id{id})}};
}
InRun<Elected> elected(std::uint32_t run, std::uint32_t id) {
    return {run, Elected{plain_rank(Id{id})}};
}

// Node 1 stands between 3 and 2.
TEST(RingRepair, is_named_after_what_it_repairs) {
    EXPECT_EQ(OneWay::card.name, "repaired-chang-roberts");
    EXPECT_EQ(OneWay::Turn::Messages::names,
              (std::array<std::string_view, 2>{"Election", "Elected"}));
    EXPECT_EQ(text(election(2, 3)), "Election(3) in run 2");
}

TEST(RingRepair, numbers_the_run) {
    Stage<OneWay> stage;
    EXPECT_EQ(stage.after(Call{}), (Lines{"Follow(0)", "Send(2, Election(1) in run 1)"}));
    EXPECT_EQ(stage.after(Call{}), Lines{});
}

TEST(RingRepair, repairs_the_ring_and_starts_a_new_run_when_a_process_fails) {
    Stage<OneWay> stage;
    stage.after(Call{});
    EXPECT_EQ(stage.after(Suspect{Id{2}}), (Lines{"Follow(0)", "Send(3, Election(1) in run 2)"}));
    EXPECT_EQ(stage.after(Suspect{Id{2}}), Lines{}) << "that is no news";
}

TEST(RingRepair, only_repairs_the_ring_before_the_first_election) {
    Stage<OneWay> stage;
    EXPECT_EQ(stage.after(Suspect{Id{2}}), Lines{});
    EXPECT_EQ(stage.after(Call{}).back(), "Send(3, Election(1) in run 1)");
}

TEST(RingRepair, starts_a_new_run_when_a_process_is_back) {
    Stage<OneWay> stage;
    stage.after(Suspect{Id{2}});
    stage.after(Call{});
    EXPECT_EQ(stage.after(Trust{Id{2}}).back(), "Send(2, Election(1) in run 2)");
    EXPECT_EQ(stage.after(Trust{Id{2}}), Lines{}) << "it was not suspected";
}

TEST(RingRepair, stops_forwarding_the_election_of_the_failed_but_takes_part_itself) {
    Stage<OneWay> stage;
    stage.after(Suspect{Id{3}});
    EXPECT_EQ(stage.after(election(1, 3)), (Lines{"Follow(0)", "Send(2, Election(1) in run 1)"}));
    EXPECT_EQ(stage.after(election(1, 3)), Lines{});
    EXPECT_EQ(stage.after(elected(1, 3)), Lines{});
}

TEST(RingRepair, leaves_an_older_run_for_a_newer_one) {
    Stage<OneWay> stage;
    stage.after(Call{});
    EXPECT_EQ(stage.after(election(2, 3)), (Lines{"Follow(0)", "Send(2, Election(3) in run 2)"}));
    EXPECT_EQ(stage.after(election(1, 3)), Lines{});
    EXPECT_EQ(stage.after(elected(1, 3)), Lines{});
}

TEST(RingRepair, passes_on_whom_the_algorithm_inside_follows) {
    Stage<OneWay> stage;
    stage.after(Call{});
    EXPECT_EQ(stage.after(elected(1, 3)), (Lines{"Follow(3)", "Send(2, Elected(3) in run 1)"}));
}

TEST(RingRepair, alone_it_elects_itself_without_a_message) {
    Stage<OneWay> stage;
    stage.after(Suspect{Id{2}});
    stage.after(Suspect{Id{3}});
    EXPECT_EQ(stage.after(Call{}), Lines{"Follow(1)"});
}

TEST(RingRepair, repairs_both_directions) {
    Stage<TwoWay> stage;
    stage.after(Suspect{Id{3}});
    EXPECT_EQ(stage.after(Call{}), (Lines{"Follow(0)", "Send(2, Candidate(1, 0, yes) in run 1)",
                                          "Send(2, Candidate(1, 0, no) in run 1)"}));
}

TEST(RingRepair, shows_the_run_and_the_state_inside) {
    Stage<OneWay> stage;
    stage.after(Call{});
    EXPECT_EQ(label_of(stage.node), "run 1: participating");
}

}  // namespace ring_repair_test
}  // namespace conclave
