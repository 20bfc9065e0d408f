// Commands of the operator's, run when something changes: one at a time, in order, each within a
// time limit.
//
// Two changes in quick succession are two runs, one after the other: a hook never overtakes an
// earlier one, so what the last one said is what is true.
#pragma once

#include <sys/types.h>

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conclave/core/time.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::agent {

class Hooks {
public:
    using Variables = std::vector<std::pair<std::string, std::string>>;
    // Told when a hook fails or takes too long.
    using Complain = std::function<void(const std::string& sentence)>;

    Hooks(net::Loop& loop, Duration limit, Complain complain);
    ~Hooks();  // ends the one that runs
    Hooks(const Hooks&) = delete;
    Hooks& operator=(const Hooks&) = delete;

    // `command` is for the shell; an empty one is none.
    void run(const std::string& name, const std::string& command, Variables variables);
    bool idle() const { return !running_ && waiting_.empty(); }

private:
    struct Job {
        std::string name, command;
        Variables variables;
    };
    void start_next();
    void look_after();
    void end_late();

    net::Loop& loop_;
    Duration limit_;
    Complain complain_;
    std::deque<Job> waiting_;
    net::Descriptor running_;  // its pidfd
    pid_t pid_ = -1;
    bool late_ = false;
    std::string name_;
    net::Alarm deadline_;
};

}  // namespace conclave::agent
