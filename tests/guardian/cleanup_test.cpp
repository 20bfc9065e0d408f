// A clean-up command: it runs when the command is gone, and is over before the lease may pass on.
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>

#include "conclave/core/names.hpp"
#include "tests/guardian/stage.hpp"

namespace conclave::tests {
namespace cleanup_test {

using namespace std::chrono_literals;
using agent::Contain;
using testing::HasSubstr;
using testing::StartsWith;

class CleanUp : public testing::TestWithParam<Contain> {
protected:
    void SetUp() override {
        if (!agent::probe_containment(beside_tool("conclave-guardian"), GetParam())) return;
        ASSERT_NE(GetParam(), Contain::group) << "this is possible everywhere";
        GTEST_SKIP() << "this machine refuses it";
    }
    Play play(const std::string& cleanup, std::vector<std::string> manners = {"family"}) const {
        return {.manners = std::move(manners),
                .wish = GetParam(),
                .required = true,
                .cleanup = cleanup};
    }
    // When it was done, on the boot-time clock to 10 ms; 0: it was not.
    Time done() const {
        double seconds = 0;
        std::ifstream(file()) >> seconds;
        return Time{static_cast<std::int64_t>(seconds * 1e9)};
    }
    std::string file() const { return folder_ / "done"; }
    std::string note() const { return "cat /proc/uptime > " + file(); }

    Folder folder_;
};
INSTANTIATE_TEST_SUITE_P(InEveryContainment, CleanUp,
                         testing::Values(Contain::pid, Contain::user, Contain::group),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(CleanUp, runs_when_the_agent_is_killed_after_the_command_and_before_the_death_notice) {
    Play slow = play("sleep 0.02; " + note());
    slow.cleanup_limit = 120ms;  // of the lease something must be left for the command
    Stage stage(slow);
    stage.await_ticks();
    stage.signal_agent(SIGKILL);
    const auto death_notice = stage.await_death_notice(10s);
    ASSERT_TRUE(death_notice);
    const Time cleaned = done();
    EXPECT_NE(cleaned, Time{0});
    EXPECT_LE(cleaned, *death_notice);
    EXPECT_LT(stage.last_tick(), cleaned + 10ms);
    stage.reap_agent();
}

TEST_P(CleanUp, is_done_before_the_lease_of_a_paused_agent_ends) {
    Stage stage(play(note()));
    stage.await_ticks();
    const Time paused = stage.signal_agent(SIGSTOP);
    EXPECT_LT(stage.last_tick(), paused + lease - margin);
    ASSERT_TRUE(await([&] { return done() != Time{0}; }));
    EXPECT_LT(done(), paused + lease);
    stage.signal_agent(SIGCONT);
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone deadline"));
}

TEST_P(CleanUp, that_takes_too_long_is_killed) {
    Stage stage(play(note() + "; sleep 100; rm " + file()));
    stage.await_ticks();
    stage.tell("s0");
    EXPECT_THAT(stage.hear("gone"), HasSubstr("--on-stopped took too long, and was killed"));
    EXPECT_NE(done(), Time{0});
    stage.tell("d");
    stage.signal_agent(SIGKILL);
    stage.reap_agent();
    EXPECT_TRUE(stage.await_free_lock());  // its processes are gone, too
}

TEST_P(CleanUp, runs_after_a_command_that_ends_by_itself_whose_exit_code_comes_through) {
    Stage stage(play(note() + "; exit 3", {"exit:4"}));
    EXPECT_THAT(stage.hear("gone"),
                testing::AllOf(StartsWith("gone ended " + std::to_string(4 << 8)),
                               HasSubstr("exited with code 4; --on-stopped failed")));
    EXPECT_NE(done(), Time{0});
}

TEST_P(CleanUp, does_not_outlive_its_guardian) {
    Play slow = play(note() + "; sleep 100");
    slow.cleanup_limit = 120ms;
    Stage stage(slow);
    stage.await_ticks();
    stage.tell("s0");
    ASSERT_TRUE(await([&] { return done() != Time{0}; }));
    stage.signal_guardian(SIGKILL);
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone guardian_died"));
}

}  // namespace cleanup_test
}  // namespace conclave::tests
