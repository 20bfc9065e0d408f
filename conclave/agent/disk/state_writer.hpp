// Writes the state file in a thread of its own: a disk that takes seconds stops no heartbeat.
//
// The thread touches the file and nothing else. Whoever asks and whoever is answered lives in the
// thread of the loop.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "conclave/agent/disk/state_file.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::agent {

class StateWriter {
public:
    // That state, and so every one before it, is on disk; or a sentence why it may not be.
    using Done = std::function<void(std::uint64_t number, const std::string& problem)>;

    // Loop and file outlive it; the file is the thread's until then.
    StateWriter(net::Loop& loop, StateFile& file, Done done);
    // Waits for the write that has begun, however long it takes; others are not begun.
    ~StateWriter();
    StateWriter(const StateWriter&) = delete;
    StateWriter& operator=(const StateWriter&) = delete;

    // Numbers grow from 1. A state that waits when a later one comes is not written: `done` says
    // the number of the later one only. One that is the same as the last has its number.
    std::uint64_t write(const State& state);

private:
    struct Job {
        std::uint64_t number = 0;
        State state{};
    };
    struct Result {
        std::uint64_t number;
        std::string problem;
    };
    void work();
    void hear();

    net::Loop& loop_;
    StateFile& file_;
    Done done_;
    net::Descriptor finished_;  // an eventfd: there are results
    Job last_;                  // asked for, whether or not it is on disk
    bool under_way_ = false;    // `last_` has no result yet

    std::mutex mutex_;
    std::condition_variable wake_;
    std::optional<Job> next_{};  // guarded by mutex_, as is what follows
    std::vector<Result> results_{};
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace conclave::agent
