// What is recorded of a command's tree, and what the next life of its node concludes from it.
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "conclave/agent/disk/former_tree.hpp"
#include "conclave/agent/disk/lock_file.hpp"
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/process/proc.hpp"
#include "tests/guardian/stage.hpp"

namespace conclave::tests {
namespace former_tree_test {

using namespace std::chrono_literals;
using agent::Contain;
using agent::FormerTree;
using agent::StateFolder;
using agent::TreeFile;
using testing::HasSubstr;

constexpr Duration span = 200ms;

TreeFile file_in(const Folder& folder, bool stood = false) {
    return {StateFolder(folder.path()), "tree", stood};
}

// A process that sleeps; killed at the end.
class Sleeper {
public:
    Sleeper() : pid_(fork()) {
        if (pid_ == 0)
            for (;;) pause();
    }
    ~Sleeper() { end(); }
    pid_t pid() const { return pid_; }
    void end() {
        if (pid_ > 0) kill(pid_, SIGKILL), waitpid(pid_, nullptr, 0);
        pid_ = -1;
    }

private:
    pid_t pid_;
};

rlimit limit_files(rlim_t most) {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit former{};
    getrlimit(RLIMIT_FSIZE, &former);
    const rlimit limit{most, former.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    return former;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, from.size(), to);
}

TEST(FormerTree, a_new_node_has_none) {
    const Folder folder;
    const TreeFile file = file_in(folder);
    EXPECT_TRUE(file.former(span).gone());
    EXPECT_EQ(file.former(span).fd(), -1);
    EXPECT_TRUE(FormerTree().gone());
}

TEST(FormerTree, a_recorded_process_is_not_gone_until_it_has_ended) {
    const Folder folder;
    Sleeper sleeper;
    {
        const TreeFile file = file_in(folder);
        ASSERT_EQ(file.record(sleeper.pid()), std::nullopt);
    }
    kill(sleeper.pid(), SIGSTOP);
    const FormerTree former = file_in(folder).former(span);
    EXPECT_EQ(former.pid(), sleeper.pid());
    EXPECT_THAT(former.remark(), HasSubstr(std::to_string(sleeper.pid())));
    sleeper.end();
    pollfd watched{former.fd(), POLLIN, 0};
    EXPECT_EQ(poll(&watched, 1, 5000), 1);
    EXPECT_TRUE(former.gone());
    EXPECT_TRUE(file_in(folder).former(span).gone());
}

TEST(FormerTree, another_process_of_the_same_id_or_one_before_a_reboot_is_not_taken_for_it) {
    const Folder folder;
    const Sleeper sleeper;
    const std::string path = folder / "tree";
    ASSERT_EQ(file_in(folder).record(sleeper.pid()), std::nullopt);
    const std::string text = read_file(path);
    process::ProcessFacts facts;
    ASSERT_EQ(process::read_process(sleeper.pid(), facts), process::Found::yes);
    write_file(path, replaced(text, " " + std::to_string(facts.start) + " end", " 1 end"));
    EXPECT_TRUE(file_in(folder).former(span).gone());
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    write_file(path, replaced(text, boot, "00000000-0000-0000-0000-000000000000"));
    EXPECT_TRUE(file_in(folder).former(span).gone());
    EXPECT_EQ(kill(sleeper.pid(), 0), 0);  // nobody has killed a stranger
}

TEST(FormerTree, what_cannot_be_known_is_not_believed_gone_until_the_lease_has_run_out) {
    const Folder folder;
    const std::string path = folder / "tree";
    ASSERT_EQ(file_in(folder).record(getpid()), std::nullopt);
    const std::string text = read_file(path);
    for (const std::string& each :
         {replaced(text, "pid:[", "pid:[9"), std::string("garbage"), text.substr(0, 40)}) {
        write_file(path, each);
        const Time began = boot_time();
        const FormerTree former = file_in(folder).former(span);
        EXPECT_FALSE(former.gone()) << each;
        EXPECT_EQ(former.pid(), 0);
        EXPECT_TRUE(await([&] { return former.gone(); }));
        EXPECT_GE(boot_time() - began, span);
    }
}

TEST(FormerTree, a_record_that_is_missing_beside_a_state_that_stood_is_not_believed_gone) {
    const Folder folder;
    for (int life = 0; life < 2; ++life) {  // nor by the life after the one that found it so
        const Time began = boot_time();
        const FormerTree former = file_in(folder, true).former(span);
        EXPECT_FALSE(former.gone()) << life;
        EXPECT_TRUE(await([&] { return former.gone(); }));
        EXPECT_GE(boot_time() - began, span);
    }
    Sleeper sleeper;
    ASSERT_EQ(file_in(folder, true).record(sleeper.pid()), std::nullopt);
    sleeper.end();
    EXPECT_TRUE(file_in(folder, true).former(span).gone());
}

TEST(FormerTree, what_cannot_be_known_is_not_believed_gone_without_descriptors_either) {
    const Folder folder;
    const TreeFile file = file_in(folder);
    ASSERT_EQ(file.record(getpid()), std::nullopt);
    const pid_t child = fork();
    if (child == 0) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_NOFILE, &none);
        _exit(file.former(span).gone() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST(FormerTree, the_record_is_written_in_place_where_the_disk_is_full) {
    const Folder folder;
    const std::string small = folder / "small";
    std::filesystem::create_directory(small);
    if (mount("none", small.c_str(), "tmpfs", 0, "size=16k,mode=700") != 0)
        GTEST_SKIP() << "no file system can be mounted here";
    const Sleeper sleeper;
    {
        const TreeFile file(StateFolder(small), "tree", false);
        std::ofstream(small + "/rest") << std::string(1 << 16, 'x');
        EXPECT_EQ(file.record(sleeper.pid()), std::nullopt);
        EXPECT_FALSE(file.former(span).gone());
        try {
            const TreeFile second(StateFolder(small), "second", false);
            ADD_FAILURE() << "there is no room for it";
        } catch (const agent::ConfigRefusal& refused) {
            EXPECT_THAT(refused.sentence, HasSubstr("No space left on device"));
        }
    }
    umount2(small.c_str(), MNT_DETACH);
}

TEST(FormerTree, a_symbolic_link_is_not_followed) {
    const Folder folder;
    write_file(folder / "precious", "gold");
    std::filesystem::create_symlink(folder / "precious", folder / "tree");
    EXPECT_THROW(file_in(folder), agent::ConfigRefusal);
    EXPECT_EQ(read_file(folder / "precious"), "gold");
}

TEST(FormerTree, a_command_that_cannot_be_recorded_is_not_started) {
    const Folder folder;
    const std::string path = folder / "tree";
    write_file(path, "");
    const std::string ran = folder / "ran";
    const TreeFile file = file_in(folder);
    // A file that grows over this limit cannot be written, whoever writes.
    const rlimit former = limit_files(1);
    agent::GuardianLink guard(
        {.guardian = beside_tool("conclave-guardian"), .wish = strongest(), .tree = &file});
    ASSERT_EQ(guard.start({{"/usr/bin/touch", ran}, "g", "n", "n", "r", 1}, boot_time() + 60s),
              std::nullopt);
    std::optional<agent::GuardianLink::Event> gone;
    EXPECT_TRUE(await([&] {
        while (auto event = guard.next())
            if (event->kind == agent::GuardianLink::Event::Kind::gone) gone = event;
        return gone.has_value();
    }));
    setrlimit(RLIMIT_FSIZE, &former);
    EXPECT_THAT(describe(*gone), HasSubstr("the command is not started: tree file " + path));
    EXPECT_FALSE(guard.running());
    EXPECT_FALSE(std::filesystem::exists(ran));
}

TEST(FormerTree, the_first_process_is_recorded_before_the_command_runs) {
    Stage stage({.manners = {"stubborn"}, .wish = strongest()});
    stage.await_ticks();
    EXPECT_THAT(read_file(stage.tree_path()), HasSubstr(" " + std::to_string(stage.init()) + " "));
}

TEST(Lock, tells_which_live_agent_has_it) {
    Stage stage({.manners = {"stubborn"}, .wish = strongest()});
    stage.await_ticks();
    auto answer = agent::take_lock(stage.place(), "lock");
    ASSERT_TRUE(std::holds_alternative<agent::LockBusy>(answer));
    EXPECT_EQ(std::get<agent::LockBusy>(answer).agent, stage.agent());
    stage.signal_guardian(SIGSTOP);
    stage.signal_agent(SIGKILL);
    stage.reap_agent();
    answer = agent::take_lock(stage.place(), "lock");
    const auto* busy = std::get_if<agent::LockBusy>(&answer);
    EXPECT_TRUE(busy == nullptr || busy->agent == 0);
}

}  // namespace former_tree_test
}  // namespace conclave::tests
