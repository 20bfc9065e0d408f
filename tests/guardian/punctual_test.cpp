// The command's tree is gone in time on a machine that does something else: a real-time program has
// the CPU of those who must end it.
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>
#include <tuple>

#include "conclave/core/names.hpp"
#include "conclave/guardian/leash.hpp"
#include "conclave/process/proc.hpp"
#include "tests/guardian/stage.hpp"

namespace conclave::tests {
namespace punctual_test {

using namespace std::chrono_literals;
using agent::Contain;

bool pin(pid_t process, int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return sched_setaffinity(process, sizeof set, &set) == 0;
}

bool may_be_urgent() {
    const pid_t child = fork();
    if (child == 0) {
        const sched_param first{.sched_priority = 1};
        _exit(sched_setscheduler(0, SCHED_FIFO, &first) == 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0 && sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

// Has the first CPU for itself, busy and idle by turns, for so long at most.
class Hog {
public:
    Hog(int priority, Duration busy, Duration idle, Duration span) : pid_(fork()) {
        if (pid_ != 0) return;
        const sched_param first{.sched_priority = priority};
        if (!pin(0, 0) || sched_setscheduler(0, SCHED_FIFO, &first) != 0) _exit(1);
        for (const Time end = boot_time() + span; boot_time() < end;) {
            for (const Time rest = boot_time() + busy; boot_time() < rest;) continue;
            usleep(static_cast<useconds_t>(idle / 1us));
        }
        _exit(0);
    }
    ~Hog() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    Hog(const Hog&) = delete;
    Hog& operator=(const Hog&) = delete;

private:
    pid_t pid_;
};

class Punctual : public testing::TestWithParam<Contain> {
protected:
    void SetUp() override {
        if (agent::probe_containment(beside_tool("conclave-guardian"), GetParam()))
            GTEST_SKIP() << "this machine refuses it";
        if (!may_be_urgent()) GTEST_SKIP() << "needs real-time priority and two CPUs";
    }
    // Guardian and first process can run on the first CPU only, the command on the second.
    static void pin_all(const Stage& stage) {
        const pid_t init = stage.init();
        const std::string name = std::to_string(init);
        const pid_t command =
            std::atoi(read_file("/proc/" + name + "/task/" + name + "/children").c_str());
        EXPECT_TRUE(pin(stage.guardian(), 0) && pin(init, 0) && pin(command, 1));
    }
};
INSTANTIATE_TEST_SUITE_P(InEveryContainment, Punctual,
                         testing::Values(Contain::pid, Contain::user, Contain::group),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(Punctual, a_real_time_program_on_its_cpu_does_not_keep_the_guardian_from_killing_in_time) {
    Stage stage({.manners = {"family"}, .wish = GetParam(), .required = true});
    stage.await_ticks();
    pin_all(stage);
    const Hog hog(50, 1s, 0s, 1s);
    usleep(20'000);
    const Time paused = stage.signal_agent(SIGSTOP);
    const Time last = stage.last_tick();
    std::printf("the last tick was %.2f ms before the lease ended\n", ms(paused + lease - last));
    EXPECT_LT(last, paused + lease);
}

TEST_P(Punctual, the_first_process_ends_the_tree_while_its_guardian_is_stopped) {
    Stage stage({.manners = {"family"}, .wish = GetParam(), .required = true});
    stage.await_ticks();
    const pid_t init = stage.init();
    stage.signal_guardian(SIGSTOP);
    const Time paused = stage.signal_agent(SIGSTOP);
    process::ProcessFacts facts, guardian;
    for (bool ended = false; !ended && boot_time() < paused + lease; usleep(500))
        ended = process::read_process(init, facts) != process::Found::yes || facts.state == 'Z';
    ASSERT_EQ(process::read_process(stage.guardian(), guardian), process::Found::yes);
    EXPECT_EQ(guardian.state, 'T');  // neither it nor the kernel's timer has done anything
    EXPECT_LT(stage.last_tick(), paused + lease);
}

TEST_P(Punctual, the_margin_follows_how_late_the_timers_ring) {
    Stage stage(
        {.manners = {"family"}, .wish = GetParam(), .required = true, .margin_most = 150ms});
    stage.await_ticks();
    const auto ask = [&] {
        stage.tell("p");
        std::istringstream words(stage.hear("punctual ").substr(9));
        std::int64_t late = 0, now = 0;
        words >> late >> now;
        return std::pair(Duration(late), Duration(now));
    };
    EXPECT_EQ(ask().second, margin);
    pin_all(stage);
    const Hog hog(sched_get_priority_max(SCHED_FIFO), 70ms, 5ms, 3s);  // out of step with them
    Duration late{}, now{};
    EXPECT_TRUE(await([&] {
        std::tie(late, now) = ask();
        return now > margin;
    }));
    std::printf("timers rang %.2f ms late, the margin is %.2f ms\n", ms(late), ms(now));
    EXPECT_EQ(now, std::min<Duration>(2 * late, 150ms));
}

TEST(Lateness, is_the_worst_of_the_last_seconds_and_forgotten_after_that) {
    constexpr std::int64_t second = 1'000'000'000;
    guardian::Lateness lateness;
    EXPECT_EQ(lateness.note(100 * second, 100 * second + 7), 7);
    EXPECT_EQ(lateness.note(105 * second, 105 * second + 3), 7);
    EXPECT_EQ(lateness.note(112 * second, 112 * second + 2), 7);  // of the ten seconds before
    EXPECT_EQ(lateness.note(123 * second, 123 * second + 1), 2);
    EXPECT_EQ(lateness.note(150 * second, 150 * second + 1), 1);
}

TEST(Lateness, decides_the_margin_within_its_limits) {
    guardian::Leash leash;
    leash.end_ns = 1000;
    leash.least_ns = 10;
    leash.most_ns = 100;
    EXPECT_EQ(leash.margin(), 10);
    leash.late_ns[guardian::Leash::init] = 20;
    leash.late_ns[guardian::Leash::guardian] = 3;
    EXPECT_EQ(leash.margin(), 40);
    EXPECT_EQ(leash.deadline(), 960);
    leash.late_ns[guardian::Leash::guardian] = 90;
    EXPECT_EQ(leash.margin(), 100);
    leash.most_ns = 0;  // not said
    EXPECT_EQ(leash.margin(), 10);
}

}  // namespace punctual_test
}  // namespace conclave::tests
