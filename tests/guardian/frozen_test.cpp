// A whole node that is frozen from outside, as `docker pause` and `systemctl freeze` do it, and
// thawed after its lease has ended.
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/mount.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <sstream>

#include "conclave/core/names.hpp"
#include "conclave/process/pidfd.hpp"
#include "tests/guardian/stage.hpp"

namespace conclave::tests {
namespace frozen_test {

using namespace std::chrono_literals;
using agent::Contain;

// A cgroup of version 2 for one test; not there where the machine refuses it.
class Freezer {
public:
    Freezer() {
        std::filesystem::create_directory(mount_);
        if (mount("none", mount_.c_str(), "cgroup2", 0, nullptr) != 0) return;
        mounted_ = true;
        std::error_code error;
        usable_ = std::filesystem::create_directory(group_, error) &&
                  std::filesystem::exists(group_ + "/cgroup.freeze");
    }
    ~Freezer() {
        if (usable_) {
            freeze(false);
            await([&] { return rmdir(group_.c_str()) == 0; });
        }
        if (mounted_) umount2(mount_.c_str(), MNT_DETACH);
    }
    Freezer(const Freezer&) = delete;
    Freezer& operator=(const Freezer&) = delete;

    bool usable() const { return usable_; }
    void freeze(bool on) const { write_file(group_ + "/cgroup.freeze", on ? "1" : "0"); }
    void add_alone(pid_t process) const {
        write_file(group_ + "/cgroup.procs", std::to_string(process));
    }
    void add(pid_t process) const {  // and all of its descendants
        const std::string name = std::to_string(process);
        add_alone(process);
        std::istringstream children(read_file("/proc/" + name + "/task/" + name + "/children"));
        for (pid_t child = 0; children >> child;) add(child);
    }
    std::string events() const { return read_file(group_ + "/cgroup.events"); }

private:
    Folder folder_;
    std::string mount_ = folder_ / "cgroup";
    std::string group_ = mount_ + "/conclave-test-" + std::to_string(getpid());
    bool mounted_ = false, usable_ = false;
};

class Frozen : public testing::Test {
protected:
    void SetUp() override {
        if (!freezer_.usable()) GTEST_SKIP() << "needs root and cgroups of version 2";
    }
    // How long after the thaw the command still ticked; negative: before the freeze.
    Duration thaw_after_the_lease(Stage& stage) const {
        stage.await_ticks();
        freezer_.add(stage.agent());
        freezer_.freeze(true);
        EXPECT_TRUE(await([&] { return freezer_.events().find("frozen 1") != std::string::npos; }));
        usleep(static_cast<useconds_t>((lease + 100ms) / 1us));
        const Time thawed = boot_time();
        freezer_.freeze(false);
        return stage.last_tick() - thawed;
    }
    Freezer freezer_;
};
class FrozenTree : public Frozen, public testing::WithParamInterface<Contain> {
    void SetUp() override {
        Frozen::SetUp();
        if (agent::probe_containment(beside_tool("conclave-guardian"), GetParam()))
            GTEST_SKIP() << "this machine refuses it";
    }
};
INSTANTIATE_TEST_SUITE_P(InEveryContainment, FrozenTree,
                         testing::Values(Contain::pid, Contain::user, Contain::group),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(FrozenTree,
       a_tree_is_dead_before_its_node_is_thawed_unless_nothing_but_a_group_contains_it) {
    Stage stage({.manners = {"family"}, .wish = GetParam(), .required = true});
    const Duration after = thaw_after_the_lease(stage);
    if (GetParam() != Contain::group) {
        EXPECT_LT(after, 0s);
        return;
    }
    std::printf("in a group the command's children ticked up to %.2f ms after the thaw\n",
                ms(after));
    EXPECT_LT(after, 5ms);  // covered by the token only: see docs/guardian.md
}

// A first process that nothing lets run: what it does not end, guardian or agent does, and neither
// says that the tree is gone before it has ended by itself.
TEST_F(Frozen, in_a_group_the_others_end_without_the_first_process_which_outlives_them) {
    for (const bool agent_dies : {true, false}) {
        Stage stage({.manners = {"family"}, .wish = Contain::group});
        stage.await_ticks();
        const int first = process::open_process(stage.init());
        freezer_.add_alone(stage.init());
        freezer_.freeze(true);
        EXPECT_TRUE(await([&] { return freezer_.events().find("frozen 1") != std::string::npos; }));
        const Time killed =
            agent_dies ? stage.signal_agent(SIGKILL) : stage.signal_guardian(SIGKILL);
        EXPECT_FALSE(stage.await_death_notice(lease));
        EXPECT_LT(stage.last_tick(), killed + lease);
        pollfd alive{first, POLLIN, 0};
        EXPECT_EQ(poll(&alive, 1, 0), 0) << "it was killed";
        freezer_.freeze(false);
        if (agent_dies)
            stage.reap_agent();
        else
            EXPECT_THAT(stage.hear("gone"), testing::StartsWith("gone guardian_died"));
        EXPECT_EQ(poll(&alive, 1, 5000), 1) << "it does not end";
        close(first);
    }
}

}  // namespace frozen_test
}  // namespace conclave::tests
