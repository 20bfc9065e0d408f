// A whole node that is frozen from outside, as `docker pause` and `systemctl freeze` do it, and
// thawed after its lease has ended.
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <sstream>

#include "conclave/core/names.hpp"
#include "tests/guardian/stage.hpp"

namespace conclave::tests {
namespace {

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
    void add(pid_t process) const {  // and all of its descendants
        const std::string name = std::to_string(process);
        write_file(group_ + "/cgroup.procs", name);
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

class Frozen : public testing::TestWithParam<Contain> {
protected:
    void SetUp() override {
        if (!freezer_.usable()) GTEST_SKIP() << "needs root and cgroups of version 2";
        if (agent::probe_containment(beside_tool("conclave-guardian"), GetParam()))
            GTEST_SKIP() << "this machine refuses it";
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
INSTANTIATE_TEST_SUITE_P(InEveryContainment, Frozen,
                         testing::Values(Contain::pid, Contain::user, Contain::group),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(Frozen, a_command_of_one_process_is_dead_before_its_node_is_thawed) {
    Stage stage({.manners = {"stubborn"}, .wish = GetParam(), .required = true});
    EXPECT_LT(thaw_after_the_lease(stage), 0s);
}

TEST_P(Frozen, a_tree_is_dead_before_its_node_is_thawed_unless_nothing_but_a_group_contains_it) {
    Stage stage({.manners = {"family"}, .wish = GetParam(), .required = true});
    const Duration after = thaw_after_the_lease(stage);
    if (GetParam() != Contain::group) {
        EXPECT_LT(after, 0s);
        return;
    }
    std::printf("in a group the command's children ticked up to %.2f ms after the thaw\n",
                ms(after));
    EXPECT_LT(after, 1s);  // covered by the token only: see docs/guardian.md
}

}  // namespace
}  // namespace conclave::tests
