// What the command is given, what it owes, and what is refused.
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <filesystem>

#include "tests/guardian/stage.hpp"

#ifndef __has_feature
#define __has_feature(name) 0
#endif

namespace conclave::tests {
namespace guard_test {

using namespace std::chrono_literals;
using agent::Contain;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Guard, the_command_knows_where_it_is_and_nothing_that_is_not_its_business) {
    setenv("NOTIFY_SOCKET", "/our/own", 1);
    setenv("CONCLAVE_TOKEN", "7", 1);
    Stage stage({.manners = {"tell"}, .wish = strongest()});
    stage.await_ticks();
    unsetenv("NOTIFY_SOCKET");
    unsetenv("CONCLAVE_TOKEN");
    const std::string told = "\n" + stage.ticks_text();
    for (const std::string line :
         {"CONCLAVE_GROUP=jobs", "CONCLAVE_NODE=alpha", "CONCLAVE_LEADER=alpha",
          "CONCLAVE_TOKEN=42", "CONCLAVE_REASON=elected", "CONCLAVE_DEADLINE="})
        EXPECT_THAT(told, HasSubstr("\n" + line));
    EXPECT_THAT(told, testing::Not(HasSubstr("NOTIFY_SOCKET")));
    EXPECT_THAT(told, testing::Not(HasSubstr("CONCLAVE_TOKEN=7")));
}

TEST(Guard, the_command_has_no_descriptor_of_ours) {
    Stage stage({.wish = strongest(),
                 .command = {"/bin/sh", "-c", "test $(ls /proc/self/fd | wc -l) -eq 4"}});
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone ended 0"));
}

TEST(Guard, in_a_namespace_the_command_sees_only_its_own_processes) {
    if (agent::probe_containment(beside_tool("conclave-guardian"), Contain::pid))
        GTEST_SKIP() << "this machine refuses it";
    Stage stage({.wish = Contain::pid,
                 .command = {"/bin/sh", "-c", "test $(ls /proc | grep -c '^[0-9]') -lt 8"}});
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone ended 0"));
}

TEST(Guard, a_command_that_gives_no_sign_of_life_is_killed) {
    Stage stage({.manners = {"alive:10"}, .wish = strongest(), .watchdog = 200ms});
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone watchdog"));
    EXPECT_GT(lines_of(stage.ticks_text()).size(), 100u);  // ten signs kept it alive for a while
}

// Sends a sign of life as another user, as everybody on this machine can, until it is ended.
pid_t pretend_to_live(const std::string& name) {
    const pid_t child = fork();
    if (child != 0) return child;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path, sizeof address.sun_path - 1);
    address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    constexpr uid_t stranger = 65534;
    if (setgid(stranger) != 0 || setuid(stranger) != 0) _exit(1);
    for (const int out = socket(AF_UNIX, SOCK_DGRAM, 0);; usleep(10'000))
        sendto(out, "WATCHDOG=1", 10, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&address), size);
}

TEST(Guard, another_user_cannot_give_the_sign_of_life_of_a_command) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
    Stage stage({.manners = {"tell"}, .wish = strongest(), .watchdog = 400ms});
    stage.await_ticks();
    std::string name;
    for (const std::string& line : lines_of(stage.ticks_text()))
        if (line.starts_with("NOTIFY_SOCKET=")) name = line.substr(14);
    ASSERT_THAT(name, StartsWith("@"));
    const pid_t stranger = pretend_to_live(name);
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone watchdog"));
    kill(stranger, SIGKILL);
    waitpid(stranger, nullptr, 0);
}

TEST(Guard, a_command_that_has_become_another_user_gives_its_own_sign_of_life) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
    for (const Contain contain : {Contain::pid, Contain::group}) {
        if (agent::probe_containment(beside_tool("conclave-guardian"), contain)) continue;
        Stage stage({.manners = {"nobody", "alive:60"}, .wish = contain, .watchdog = 200ms});
        stage.await_ticks();
        EXPECT_THAT(stage.hear("gone"), StartsWith("gone watchdog"));
        EXPECT_GT(lines_of(stage.ticks_text()).size(), 500u);  // sixty signs, each after ten ticks
    }
}

#if !__has_feature(address_sanitizer)  // which itself cannot do without a proc
// Runs in a child with a mount namespace of its own; true: it returned 0.
bool apart(int (*run)()) {
    const pid_t child = fork();
    if (child == 0) {
        if (unshare(CLONE_NEWNS) != 0) _exit(77);
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
        _exit(run());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Guard, in_a_group_a_machine_without_a_proc_that_shows_us_is_refused) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
    EXPECT_TRUE(apart([] {
        if (mount("none", "/proc", "tmpfs", 0, nullptr) != 0) return 1;
        const auto refused =
            agent::probe_containment(beside_tool("conclave-guardian"), Contain::group);
        std::printf("%s\n", refused.value_or("it was not refused").c_str());
        std::fflush(stdout);
        return refused && refused->find("mount a proc file system") != std::string::npos ? 0 : 2;
    }));
}
#endif

TEST(Guard, in_a_group_a_command_that_unmounts_proc_leaves_nobody_behind) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
    for (const bool agent_dies : {true, false}) {
        Stage stage({.manners = {"unmount", "family"}, .wish = Contain::group, .own_mounts = true});
        stage.await_ticks();
        agent_dies ? stage.signal_agent(SIGKILL) : stage.signal_guardian(SIGKILL);
        if (agent_dies) {
            const auto death_notice = stage.await_death_notice(5s);
            ASSERT_TRUE(death_notice);
            EXPECT_LT(stage.last_tick(), *death_notice);
            stage.reap_agent();
        } else {
            EXPECT_THAT(stage.hear("gone"), StartsWith("gone guardian_died"));
            const Time known = boot_time();
            EXPECT_LT(stage.last_tick(), known);
        }
    }
}

TEST(Guard, what_comes_too_late_is_not_begun) {
    Stage stage({.wish = strongest(), .head_start = margin / 2});
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone too_late"));
    EXPECT_EQ(stage.ticks_text(), "");
}

TEST(Guard, when_the_first_process_is_killed_by_somebody_else_the_tree_is_gone) {
    for (const Contain contain : {Contain::pid, Contain::group}) {
        if (agent::probe_containment(beside_tool("conclave-guardian"), contain)) continue;
        Stage stage({.manners = {"family"}, .wish = contain});
        stage.await_ticks();
        stage.signal_init(SIGKILL);
        EXPECT_THAT(stage.hear("gone"), StartsWith("gone lost"));
        stage.last_tick();
    }
}

TEST(Guard, in_a_group_the_agent_sweeps_when_guardian_and_first_process_are_both_killed) {
    Stage stage({.manners = {"family"}, .wish = Contain::group});
    stage.await_ticks();
    EXPECT_EQ(stage.hear("started"), "started group");
    stage.signal_guardian(SIGSTOP);
    stage.signal_init(SIGKILL);
    stage.signal_guardian(SIGKILL);
    EXPECT_THAT(stage.hear("gone"), StartsWith("gone guardian_died"));
    const Time known = boot_time();
    EXPECT_LT(stage.last_tick(), known);
}

TEST(Guard, in_a_group_the_guardian_sweeps_when_agent_and_first_process_are_both_killed) {
    Stage stage({.manners = {"family"}, .wish = Contain::group});
    stage.await_ticks();
    stage.signal_agent(SIGSTOP);
    stage.signal_init(SIGKILL);
    stage.signal_agent(SIGKILL);
    const auto death_notice = stage.await_death_notice(5s);
    ASSERT_TRUE(death_notice);
    EXPECT_LT(stage.last_tick(), *death_notice);
    stage.reap_agent();
}

TEST(Guard, in_a_group_a_first_process_that_is_paused_does_not_save_the_others) {
    const Play play{.manners = {"family"}, .wish = Contain::group};
    Stage guarded(play);
    guarded.await_ticks();
    guarded.signal_init(SIGSTOP);
    guarded.signal_agent(SIGKILL);
    const auto death_notice = guarded.await_death_notice(5s);
    ASSERT_TRUE(death_notice);
    EXPECT_LT(guarded.last_tick(), *death_notice);
    guarded.reap_agent();
    Stage alone(play);
    alone.await_ticks();
    alone.signal_init(SIGSTOP);
    alone.signal_guardian(SIGSTOP);
    alone.signal_agent(SIGKILL);
    alone.signal_guardian(SIGKILL);
    alone.last_tick();
    alone.reap_agent();
}

TEST(Guard, nobody_gets_a_group_who_has_not_named_it) {
    using process::first_choice, process::last_choice;
    EXPECT_EQ(first_choice(Contain::best), Contain::pid);
    for (const bool required : {false, true}) {
        EXPECT_EQ(last_choice(Contain::best, required), Contain::user);
        EXPECT_EQ(last_choice(Contain::pid, required), required ? Contain::pid : Contain::user);
        EXPECT_EQ(last_choice(Contain::user, required), Contain::user);
        EXPECT_EQ(last_choice(Contain::group, required), Contain::group);
    }
}

TEST(Guard, a_guardian_that_is_not_there_is_refused_with_a_sentence) {
    agent::GuardianLink guard({.guardian = "/no/such/guardian"});
    const auto refused = guard.start({{"true"}, "g", "n", "n", "r", 1}, boot_time() + 1s);
    EXPECT_THAT(refused.value_or(""), HasSubstr("/no/such/guardian cannot be started (No such"));
    EXPECT_FALSE(guard.running());
}

TEST(Guard, one_that_was_made_ready_begins_with_token_and_reason_and_runs_nothing_before) {
    const Folder folder;
    agent::GuardianLink guard({.guardian = beside_tool("conclave-guardian"), .wish = strongest()});
    const std::string said = folder / "said";
    const std::string words = "echo $CONCLAVE_TOKEN $CONCLAVE_DEADLINE $CONCLAVE_REASON >" + said;
    agent::GuardianLink::Command command{{"/bin/sh", "-c", words}, "g", "n", "n", {}, 0};
    ASSERT_EQ(guard.prepare(command), std::nullopt);
    ASSERT_TRUE(await([&] { return !guard.next() && guard.containment().has_value(); }));
    const pid_t ready = guard.guardian();
    EXPECT_FALSE(guard.running());
    EXPECT_FALSE(std::filesystem::exists(said));
    command.token = 7;
    command.reason = "'b' died" + std::string(200, '.');  // what is too long is cut
    const Time end = boot_time() + 60s;
    ASSERT_EQ(guard.start(command, end), std::nullopt);
    EXPECT_EQ(guard.guardian(), ready);
    ASSERT_TRUE(await([&] { return guard.next() && !guard.running(); }));
    EXPECT_EQ(read_file(said),
              "7 " + std::to_string(end.count()) + " 'b' died" + std::string(111, '.') + "\n");
}

TEST(Guard, one_that_died_before_it_began_is_replaced) {
    agent::GuardianLink guard({.guardian = beside_tool("conclave-guardian"), .wish = strongest()});
    const agent::GuardianLink::Command command{{"/bin/true"}, "g", "n", "n", "r", 7};
    ASSERT_EQ(guard.prepare(command), std::nullopt);
    const pid_t ready = guard.guardian();
    kill(ready, SIGKILL);
    ASSERT_TRUE(await([&] { return !guard.next() && guard.guardian() < 0; }));
    ASSERT_EQ(guard.start(command, boot_time() + 60s), std::nullopt);
    EXPECT_NE(guard.guardian(), ready);
    EXPECT_TRUE(await([&] { return guard.next() && !guard.running(); }));
}

TEST(Guard, ends_with_its_owner) {
    const Folder folder;
    const Time begin = boot_time();
    {
        agent::GuardianLink guard(
            {.guardian = beside_tool("conclave-guardian"), .wish = strongest()});
        ASSERT_EQ(guard.start({{beside_tool("guardian_worker"), folder / "ticks", "family"},
                               "g",
                               "n",
                               "n",
                               "r",
                               1},
                              boot_time() + 60s),
                  std::nullopt);
        EXPECT_TRUE(await([&] {
            guard.next();  // it begins when its first process is known
            return lines_of(read_file(folder / "ticks")).size() > 20;
        }));
        EXPECT_THAT(guard.start({{"true"}, "g", "n", "n", "r", 1}, boot_time() + 60s).value_or(""),
                    HasSubstr("runs already"));
    }
    const std::string ticks = read_file(folder / "ticks");
    EXPECT_LT(boot_time() - begin, 10s);
    usleep(50'000);
    EXPECT_EQ(read_file(folder / "ticks"), ticks);
}

TEST(Guard, runs_one_command_after_another) {
    agent::GuardianLink guard({.guardian = beside_tool("conclave-guardian"), .wish = strongest()});
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(
            guard.start({{"/bin/sh", "-c", "exit " + std::to_string(i)}, "g", "n", "n", "r", 1},
                        boot_time() + 60s),
            std::nullopt);
        std::optional<agent::GuardianLink::Event> gone;
        EXPECT_TRUE(await([&] {
            while (const auto event = guard.next())
                if (event->kind == agent::GuardianLink::Event::Kind::gone) gone = event;
            return gone.has_value();
        }));
        EXPECT_EQ(gone->status, i << 8);
        EXPECT_FALSE(guard.running());
    }
}

TEST(Guard, the_guardian_explains_itself_to_whoever_starts_it_by_hand) {
    const auto run = [](const std::string& words) {
        const std::string line = beside_tool("conclave-guardian") + words + " 2>&1";
        std::FILE* pipe = popen(line.c_str(), "r");
        char said[256] = {};
        const std::size_t got = std::fread(said, 1, sizeof said - 1, pipe);
        const int status = pclose(pipe);
        return std::string(said, got) + std::to_string(WEXITSTATUS(status));
    };
    EXPECT_EQ(run(""),
              "conclave-guardian: it is started by conclave run and has no use by itself: "
              "see conclave run --help\n2");
    EXPECT_THAT(run(" 99 true"), HasSubstr("of another version"));
    EXPECT_THAT(run(" --probe dungeon"), HasSubstr("choose pid, user or group"));
}

}  // namespace guard_test
}  // namespace conclave::tests
