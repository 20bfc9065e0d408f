// Every way in which an agent, a guardian or both can come to harm: the command's tree is gone in
// time, and a death notice is said exactly when the agent is dead.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "conclave/core/names.hpp"
#include "tests/guardian/stage.hpp"

namespace conclave::tests {
namespace guardian_test {

using namespace std::chrono_literals;
using agent::Contain;
using testing::HasSubstr;
using testing::StartsWith;

bool allowed(Contain contain) {
    return !agent::probe_containment(beside_tool("conclave-guardian"), contain);
}

// By the guardian, or by the kernel if the machine was too busy to let the guardian do it.
const auto gone_in_time =
    testing::AnyOf(StartsWith("gone deadline"), StartsWith("gone guardian_died"));

// The same for every way to contain a command that this machine allows.
class Guarded : public testing::TestWithParam<Contain> {
protected:
    void SetUp() override {
        if (allowed(GetParam())) return;
        ASSERT_NE(GetParam(), Contain::group) << "this is possible everywhere";
        GTEST_SKIP() << "this machine refuses it";
    }
    Play play(std::vector<std::string> manners) const {
        return {.manners = std::move(manners), .wish = GetParam(), .required = true};
    }
};
INSTANTIATE_TEST_SUITE_P(InEveryContainment, Guarded,
                         testing::Values(Contain::pid, Contain::user, Contain::group),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(Guarded, starts_as_it_was_wished) {
    Stage stage(play({}));
    EXPECT_EQ(stage.hear("started"), "started " + std::string(name_of(GetParam())));
    stage.await_ticks();
}

TEST_P(Guarded, when_the_agent_is_killed_the_tree_is_gone_and_then_the_death_notice_is_said) {
    Stage stage(play({"family"}));
    stage.await_ticks();
    const Time killed = stage.signal_agent(SIGKILL);
    const auto death_notice = stage.await_death_notice(5s);
    ASSERT_TRUE(death_notice);
    const Time last = stage.last_tick();
    EXPECT_LT(last, *death_notice);
    std::printf("agent killed, last tick after %.2f ms, death notice after %.2f ms\n",
                ms(last - killed), ms(*death_notice - killed));
    stage.reap_agent();
}

TEST_P(Guarded, when_the_agent_is_paused_the_tree_is_gone_before_the_lease_ends_without_a_word) {
    Stage stage(play({"family"}));
    stage.await_ticks();
    const Time paused = stage.signal_agent(SIGSTOP);
    EXPECT_FALSE(stage.await_death_notice(lease + 100ms));
    const Time last = stage.last_tick();
    EXPECT_LT(last, paused + lease);
    EXPECT_GT(last, paused + lease - margin - 150ms);
    stage.signal_agent(SIGCONT);
    EXPECT_THAT(stage.hear("gone"), gone_in_time);
    EXPECT_FALSE(stage.await_death_notice(50ms));
}

TEST_P(Guarded, a_hang_up_is_not_death) {
    Stage stage(play({"family"}));
    stage.await_ticks();
    const Time before = boot_time();
    stage.tell("h");
    EXPECT_FALSE(stage.await_death_notice(lease + 100ms));
    const Time last = stage.last_tick();
    EXPECT_GT(last, before + lease - margin - 60ms);  // until the lease ended
    EXPECT_LT(last, before + lease + 60ms);
    const bool guarded = stage.guardian_lives();  // else the kernel ended it, which was too late
    stage.signal_agent(SIGKILL);
    EXPECT_EQ(stage.await_death_notice(guarded ? 5s : 50ms).has_value(), guarded);
    stage.reap_agent();
}

// As above: a guardian that the machine lets run in time outlives the lease, and tells.
TEST_P(Guarded, a_guardian_in_time_outlives_the_lease_and_speaks_for_its_agent) {
    for (int attempt = 1; attempt <= 10; ++attempt) {
        Stage stage(play({}));
        stage.await_ticks();
        stage.tell("h");
        stage.last_tick();
        if (!stage.guardian_lives()) continue;
        stage.signal_agent(SIGKILL);
        EXPECT_TRUE(stage.await_death_notice(5s));
        stage.reap_agent();
        return;
    }
    FAIL() << "ten guardians in a row were late";
}

TEST_P(Guarded, when_the_guardian_is_killed_the_tree_is_gone_and_the_agent_knows) {
    Stage stage(play({"family"}));
    stage.await_ticks();
    const Time killed = stage.signal_guardian(SIGKILL);
    EXPECT_THAT(stage.hear("guardian_died"), StartsWith("guardian_died"));
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone guardian_died"));
    const Time known = boot_time();
    const Time last = stage.last_tick();
    EXPECT_LT(last, known);
    std::printf("guardian killed, last tick after %.2f ms, known after %.2f ms\n",
                ms(last - killed), ms(known - killed));
    EXPECT_FALSE(stage.await_death_notice(50ms));
}

TEST_P(Guarded, when_the_guardian_is_paused_the_kernel_ends_it_before_the_lease_ends) {
    Stage stage(play({"family"}));
    stage.await_ticks();
    const Time paused = stage.signal_guardian(SIGSTOP);
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone guardian_died"));
    const Time last = stage.last_tick();
    EXPECT_LT(last, paused + lease);
    EXPECT_GT(last, paused + lease - margin - 150ms);
    EXPECT_FALSE(stage.await_death_notice(50ms));
}

TEST_P(Guarded, when_both_are_paused_the_tree_is_gone_before_the_lease_ends) {
    Stage stage(play({"family"}));
    stage.await_ticks();
    stage.signal_guardian(SIGSTOP);
    const Time paused = stage.signal_agent(SIGSTOP);
    EXPECT_LT(stage.last_tick(), paused + lease);
    EXPECT_FALSE(stage.await_death_notice(50ms));
}

TEST_P(Guarded, when_both_are_killed_the_tree_is_gone) {
    Stage stage(play({"family"}));
    stage.await_ticks();
    stage.signal_guardian(SIGSTOP);  // so that neither can do anything about the other
    const Time killed = stage.signal_agent(SIGKILL);
    stage.signal_guardian(SIGKILL);
    const Time last = stage.last_tick();
    EXPECT_LT(last, killed + 5s);
    std::printf("both killed, last tick after %.2f ms\n", ms(last - killed));
    stage.reap_agent();
    EXPECT_TRUE(stage.await_free_lock());
}

TEST_P(Guarded, without_renewals_the_command_is_asked_and_then_killed_before_the_lease_ends) {
    Play forced = play({"stubborn"});
    forced.grace = 200ms;
    Stage stage(forced);
    stage.await_ticks();
    stage.tell("r");
    const Time told = boot_time();
    EXPECT_THAT(stage.hear("stopping"), StartsWith("stopping deadline"));
    EXPECT_THAT(stage.hear("gone"), gone_in_time);
    EXPECT_LT(stage.last_tick(), told + lease + 20ms);  // a renewal may have been on its way
}

TEST_P(Guarded, a_renewal_after_the_command_was_asked_gives_it_the_time_to_stop_in_order) {
    Play forced = play({"polite:500"});  // longer than the lease
    forced.grace = 200ms;
    Stage stage(forced);
    stage.await_ticks();
    stage.tell("r");
    EXPECT_THAT(stage.hear("stopping"), StartsWith("stopping deadline"));
    stage.tell("R");
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone deadline " + std::to_string(5 << 8)));
}

TEST_P(Guarded, a_renewed_command_that_does_not_stop_when_asked_is_killed_after_the_stop_timeout) {
    Play forced = play({"stubborn"});
    forced.grace = 200ms;
    forced.stop = 600ms;
    Stage stage(forced);
    stage.await_ticks();
    stage.tell("r");
    EXPECT_THAT(stage.hear("stopping"), StartsWith("stopping deadline"));
    const Time asked = boot_time();
    stage.tell("R");
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone deadline"));
    const Time last = stage.last_tick();
    EXPECT_GT(last, asked + lease);  // the old deadline
    EXPECT_LT(last, asked + forced.stop + 100ms);
}

TEST_P(Guarded, a_command_that_stops_when_asked_does_so_within_the_grace) {
    Play forced = play({"polite:5"});
    forced.grace = 240ms;
    Stage stage(forced);
    stage.await_ticks();
    stage.tell("r");
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone deadline " + std::to_string(5 << 8)));
}

TEST_P(Guarded, an_orderly_stop_waits_for_the_command_while_renewals_go_on) {
    Stage stage(play({"polite:400"}));  // longer than the lease
    stage.await_ticks();
    stage.tell("s5000");
    EXPECT_THAT(stage.hear("stopping"), StartsWith("stopping stopped"));
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone stopped " + std::to_string(5 << 8)));
}

TEST_P(Guarded, an_orderly_stop_kills_after_its_timeout) {
    Stage stage(play({"family"}));
    stage.await_ticks();
    const Time asked = boot_time();
    stage.tell("s100");
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone stopped"));
    const Time last = stage.last_tick();
    EXPECT_GT(last, asked + 90ms);
    EXPECT_LT(last, asked + 3s);
}

TEST_P(Guarded, the_exit_code_comes_through_and_nothing_is_left) {
    Stage stage(play({"exit:3"}));
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone ended " + std::to_string(3 << 8) +
                                               " 0 | the command exited with code 3"));
    Stage family(play({"family", "exit:4"}));  // the first exits, the others would go on
    EXPECT_THAT(family.hear("gone"), StartsWith("gone ended " + std::to_string(4 << 8)));
    family.last_tick();
}

TEST_P(Guarded, a_command_that_cannot_be_executed_says_why) {
    Play missing = play({});
    missing.command = {"/no/such/command"};
    Stage stage(missing);
    EXPECT_THAT(stage.hear("gone"), HasSubstr("cannot be started (No such file or directory)"));
}

TEST_P(Guarded, signals_are_passed_on) {
    Stage stage(play({}));
    stage.await_ticks();
    stage.tell("S" + std::to_string(SIGUSR1));
    EXPECT_TRUE(await([&] { return stage.ticks_text().find("usr1") != std::string::npos; }));
}

TEST_P(Guarded, the_first_process_holds_the_lock_and_the_command_does_not) {
    Stage stage(play({}));
    stage.await_ticks();
    const auto holds = [&](pid_t process) {
        std::error_code gone;
        for (const auto& each :
             std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/fd", gone))
            if (std::filesystem::read_symlink(each, gone) == stage.lock_path()) return true;
        return false;
    };
    const std::string init = std::to_string(stage.init());
    const std::string command = read_file("/proc/" + init + "/task/" + init + "/children");
    EXPECT_TRUE(holds(stage.init()));
    EXPECT_FALSE(holds(std::atoi(command.c_str())));
}

TEST_P(Guarded, a_second_agent_gets_the_lock_only_when_all_are_gone) {
    Stage stage(play({"stubborn"}));
    stage.await_ticks();
    stage.signal_guardian(SIGSTOP);  // it cannot react until its timer ends it
    stage.signal_agent(SIGKILL);
    stage.reap_agent();
    EXPECT_TRUE(stage.await_free_lock());
    const Time free = boot_time();
    EXPECT_LT(stage.last_tick(), free);
}

TEST_P(Guarded, who_dies_before_it_has_taken_note_of_the_end_is_spoken_for) {
    Stage stage(play({"exit:0"}));
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone ended"));
    EXPECT_FALSE(stage.await_death_notice(50ms));
    stage.signal_agent(SIGKILL);
    EXPECT_TRUE(stage.await_death_notice(5s));
    stage.reap_agent();
}

TEST_P(Guarded, who_has_dismissed_its_guardian_is_not) {
    Stage stage(play({"exit:0"}));
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone ended"));
    stage.tell("d");
    usleep(100'000);
    stage.signal_agent(SIGKILL);
    EXPECT_FALSE(stage.await_death_notice(100ms));
    stage.reap_agent();
}

}  // namespace guardian_test
}  // namespace conclave::tests
