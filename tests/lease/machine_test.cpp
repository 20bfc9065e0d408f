// Agent, guardian and command beside each other, in the simulator: who works when.
#include "conclave/member/machine.hpp"

#include <gtest/gtest.h>

#include "conclave/lease/willing.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/world/world.hpp"

namespace conclave::lease {
namespace machine_test {

using namespace std::chrono_literals;
using Machine = member::Machine<Leased<Willing>>;
using simulator::Scenario;

// Three machines of which 1 stands at once; L = 300 ms, D = 280 ms, a heartbeat every 100 ms.
struct Party {
    Scenario scenario;
    Machine::Turn::Settings settings;

    Party() {
        scenario.algorithm = "lease";
        scenario.nodes = 3;
        scenario.initiators = {simulator::Initiators::Who::listed, {Id{1}}};
        scenario.scope = simulator::LeaderScope::overall;
        settings.agent.formed = true;
    }
    void befall(std::string_view what, std::uint32_t id, Time at) {
        const auto& names = simulator::mishap_names();
        const auto which = std::find(names.begin(), names.end(), what) - names.begin();
        scenario.mishaps.push_back({Id{id}, at, static_cast<std::uint8_t>(which)});
    }
    std::string violation_until(Time time) {
        simulator::Decisions decisions(1);
        simulator::World<Machine> world(scenario, settings, decisions);
        world.run_until(time);
        const auto found = world.finish().violations;
        return found.empty() ? "" : found.front().what;
    }
    Machine at(Time time, std::uint32_t id = 1) {
        simulator::Decisions decisions(1);
        simulator::World<Machine> world(scenario, settings, decisions);
        world.run_until(time);
        for (const auto& violation : world.finish().violations) ADD_FAILURE() << violation.what;
        return world.node(Id{id});
    }
};

TEST(Machine, work_runs_while_the_lease_is_renewed) {
    EXPECT_EQ(Party().at(5s).work, Machine::Work::running);
}

TEST(Machine, a_paused_agent_loses_its_work_when_the_lease_ends_and_learns_it_later) {
    Party party;
    party.befall("agent-pauses", 1, 1050ms);  // the last ask left at 1000 ms
    EXPECT_EQ(party.at(1279ms).work, Machine::Work::running);
    EXPECT_EQ(party.at(1281ms).work, Machine::Work::none);
    EXPECT_TRUE(party.at(1281ms).brain.acting);
    party.befall("agent-resumes", 1, 2s);
    EXPECT_EQ(party.at(2500ms).work, Machine::Work::running);  // under a new ballot
    EXPECT_GT(party.at(2500ms).working.round, 1u);
}

TEST(Machine, a_paused_guardian_is_killed_at_the_deadline_that_it_last_set) {
    Party party;
    party.befall("guardian-pauses", 1, 1050ms);  // it reads no later deadline
    EXPECT_EQ(party.at(1279ms).work, Machine::Work::running);
    EXPECT_NE(party.at(1281ms).working.round, 1u);
}

TEST(Machine, a_guardian_that_goes_on_in_time_reads_what_it_missed) {
    Party party;
    party.befall("guardian-pauses", 1, 1050ms);
    party.befall("guardian-resumes", 1, 1250ms);
    EXPECT_EQ(party.at(2s).working.round, 1u);
    party.befall("agent-dies", 1, 1100ms);  // it finds its agent dead, and stops the work
    EXPECT_EQ(party.at(1240ms).work, Machine::Work::running);
    EXPECT_EQ(party.at(1251ms).work, Machine::Work::stopping);
    EXPECT_EQ(party.at(1300ms).work, Machine::Work::none);
    EXPECT_EQ(party.at(1300ms, 2).brain.voter.until, long_ago);  // it sent a death notice
}

TEST(Machine, a_guardian_that_dies_in_its_sleep_says_no_death_notice) {
    Party party;
    party.befall("guardian-pauses", 1, 1050ms);
    party.befall("agent-dies", 1, 1100ms);
    EXPECT_EQ(party.at(1281ms).work, Machine::Work::none);
    EXPECT_GT(party.at(1285ms, 2).brain.voter.until, Time{1285ms});
}

TEST(Machine, what_comes_for_a_paused_agent_is_read_when_it_goes_on) {
    Party party;
    party.befall("agent-pauses", 2, 1050ms);
    party.befall("agent-resumes", 2, 1150ms);
    EXPECT_EQ(party.at(1140ms, 2).brain.voter.last, 11u);
    EXPECT_EQ(party.at(1151ms, 2).brain.voter.last, 12u);
}

// While it could not stand, nobody should elect it: others wait for whomever they elected.
TEST(Machine, a_member_without_a_memory_takes_no_part_in_elections) {
    Party party;
    party.settings.agent.formed = false;
    EXPECT_FALSE(party.at(200ms).brain.inner.wants);
    EXPECT_TRUE(party.at(400ms).brain.inner.wants);  // the call is not forgotten
    EXPECT_EQ(party.at(400ms).work, Machine::Work::running);
}

// P1 of the attacks: the ballot is on disk, and the member does not know it.
TEST(Machine, a_member_whose_write_is_not_confirmed_promises_nothing_until_the_disk_recovers) {
    Party party;
    party.scenario.checks.agreement = false;  // a paused leader believes what it did
    party.befall("write-unconfirmed", 2, 10ms);
    party.befall("agent-pauses", 1, 50ms);  // its lease ends
    party.scenario.calls = {{Id{2}, 400ms}};
    EXPECT_EQ(party.at(600ms, 2).disk.used.member, Id{2});
    EXPECT_TRUE(party.at(600ms, 2).brain.failing);
    EXPECT_EQ(party.at(600ms, 2).work, Machine::Work::none);
    party.befall("disk-recovers", 2, 700ms);
    party.scenario.calls.push_back({Id{2}, 800ms});
    EXPECT_FALSE(party.at(790ms, 2).brain.failing);
    EXPECT_EQ(party.at(900ms, 2).work, Machine::Work::running);
}

// 3 stands in vain with a ballot that its disk keeps and reports as failed, and renews the leader's
// lease again. Its restart must not free it from what it promised last: 2 would lead beside 1.
TEST(Machine, memory_that_is_taken_back_while_the_disk_moved_on_lets_two_act) {
    Party party;
    party.scenario.checks.agreement = false;
    party.scenario.partitions = {{{{Id{1}, Id{2}}, {Id{3}}}, {400ms, 800ms}},
                                 {{{Id{1}, Id{3}}, {Id{2}}}, {910ms, 1410ms}},
                                 {{{Id{1}}, {Id{2}, Id{3}}}, {1410ms, 2s}}};
    party.befall("write-unconfirmed", 3, 740ms);
    party.befall("disk-recovers", 3, 760ms);
    party.scenario.calls = {{Id{3}, 750ms}, {Id{2}, 1420ms}};
    party.scenario.crashes = {{Id{3}, 1411ms}};
    party.scenario.recoveries = {{Id{3}, 1415ms, true}};
    EXPECT_EQ(party.violation_until(2s), "");
    party.scenario.mutation.rules_off = bit(Rule::memory_never_behind_disk);
    EXPECT_EQ(party.violation_until(2s), "1 and 2 both lead");
}

TEST(Machine, an_agent_that_returns_before_its_former_work_is_gone_neither_releases_nor_stands) {
    Party party;
    party.settings.stop = 100ms;
    party.befall("guardian-dies", 1, 1050ms);
    party.befall("agent-dies", 1, 1060ms);
    party.befall("agent-returns", 1, 1080ms);
    party.scenario.calls = {{Id{1}, 1090ms}};
    EXPECT_TRUE(party.at(1140ms).brain.former);
    EXPECT_EQ(party.at(1140ms).work, Machine::Work::stopping);
    EXPECT_FALSE(party.at(1140ms).brain.candidacy.ballot.stands());
    EXPECT_GT(party.at(1140ms, 2).brain.voter.until, Time{1140ms});
    EXPECT_FALSE(party.at(1200ms).brain.former);
    EXPECT_EQ(party.at(1200ms).work, Machine::Work::running);  // under a new ballot
}

TEST(Machine, a_command_that_starts_again_has_a_greater_token) {
    Party party;
    const std::uint64_t first = party.at(1s).token();
    party.befall("command-ends", 1, 1050ms);
    EXPECT_EQ(party.at(1100ms).work, Machine::Work::running);
    EXPECT_GT(party.at(1100ms).token(), first);
}

}  // namespace machine_test
}  // namespace conclave::lease
