// A command of the shell beside the loop: one at a time, with a time limit, never waited for.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conclave/core/time.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::agent {

class Script {
public:
    // How it ended; `words` completes "the command ...".
    using Done = std::function<void(bool well, const std::string& words)>;
    using Variables = std::vector<std::pair<std::string, std::string>>;

    explicit Script(net::Loop& loop);
    ~Script();  // ends what runs
    Script(const Script&) = delete;
    Script& operator=(const Script&) = delete;

    // Not while one runs. `done` may start the next.
    void start(const std::string& command, const Variables& variables, Duration limit, Done done);
    bool running() const { return pid_ > 0; }

private:
    void reap();
    void end_late();
    void finish(bool well, const std::string& words);

    net::Loop& loop_;
    net::Alarm limit_;
    pid_t pid_ = -1;
    net::Descriptor process_;
    Duration allowed_{};
    bool late_ = false;
    Done done_;
};

}  // namespace conclave::agent
