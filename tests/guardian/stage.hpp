// One agent in a process of its own, with its guardian and a command, and somebody who listens for
// death notices: everything real.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conclave/agent/disk/state_folder.hpp"
#include "conclave/agent/work/guardian_link.hpp"
#include "tests/support/tool.hpp"

namespace conclave::tests {

inline constexpr Duration lease = std::chrono::milliseconds(300);
inline constexpr Duration margin = std::chrono::milliseconds(60);  // ample on a busy machine

struct Play {
    std::vector<std::string> manners{};
    agent::Contain wish = agent::Contain::pid;
    bool required = false;
    Duration grace{};
    Duration stop = std::chrono::seconds(10);  // for a command that was asked, while renewed
    Duration margin_most{};
    Duration watchdog{};
    bool own_mounts = false;             // the agent, and so all of it, in a mount namespace
    Duration head_start = lease;         // of the deadline at the start
    std::vector<std::string> command{};  // instead of the worker
    std::string cleanup{};               // run after it
    Duration cleanup_limit = std::chrono::milliseconds(60);
};

class Stage {
public:
    explicit Stage(const Play& play);
    ~Stage();  // kills the agent and waits until the lock is free
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    // The next line that the agent says and that starts so; empty if none comes within ten seconds.
    std::string hear(const std::string& start);
    void tell(const std::string& order);
    void await_ticks() const;

    Time signal_agent(int number) const;  // when it was sent
    Time signal_guardian(int number) const;
    void signal_init(int number) const;
    pid_t init() const;  // the first process of the command's containment
    pid_t guardian() const { return guardian_; }
    bool guardian_lives() const;  // the kernel ends one that misses the end of the lease
    pid_t agent() const { return agent_; }
    std::string lock_path() const { return folder_ / "lock"; }
    agent::StateFolder place() const { return agent::StateFolder(folder_.path()); }
    std::string tree_path() const { return folder_ / "tree"; }
    void reap_agent();

    // When a death notice arrived, if one does within that time.
    std::optional<Time> await_death_notice(Duration within) const;
    // Waits until nobody ticks any more.
    Time last_tick() const;
    bool await_free_lock() const;
    std::string ticks_text() const { return read_file(folder_ / "ticks"); }

private:
    Folder folder_;
    int death_notices_ = -1, says_ = -1, hears_ = -1, guardian_fd_ = -1;
    std::uint16_t port_ = 0;
    pid_t agent_ = -1, guardian_ = -1;
    std::string said_;
};

Time boot_time();
std::string beside_tool(const std::string& name);  // another program of this build
agent::Contain strongest();                        // that this machine allows
double ms(Duration duration);
bool await(const std::function<bool()>& happened);

}  // namespace conclave::tests
