// The end of the lease as guardian and first process both see it, in one page of shared memory.
//
// Either of them ends the tree at the deadline by itself, so only one of them has to be scheduled.
// Both note how late their timers ring; the margin before the end of the lease is twice the worst
// of the last ten to twenty seconds, within the limits that the agent gave.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "conclave/process/orders.hpp"

namespace conclave::guardian {

struct Leash {
    enum Who : std::size_t { guardian, init, count };

    std::atomic<std::int64_t> end_ns{0};                // of the lease, on the boot-time clock
    std::atomic<std::int64_t> least_ns{0}, most_ns{0};  // of the margin
    std::array<std::atomic<std::int64_t>, count> late_ns{};
    process::CleanupLine cleanup{};           // after the command; empty: none
    std::atomic<std::int64_t> cleanup_ns{0};  // it may take
    std::atomic<process::Cleanup> cleaned{process::Cleanup::none};

    std::int64_t lateness() const;
    std::int64_t margin() const;
    std::int64_t deadline() const { return end_ns - margin(); }  // the tree is to be killed then
    std::int64_t command_end() const { return deadline() - cleanup_ns; }  // ... the command
};

// Shared with whoever is cloned from this process, until it executes a program; nullptr: no memory.
Leash* make_leash();

// How late a process' timers ring: the worst of the last ten to twenty seconds.
class Lateness {
public:
    // A timer that was due then rang now; the worst of late.
    std::int64_t note(std::int64_t due_ns, std::int64_t now_ns);

private:
    static constexpr std::int64_t span_ns = 10'000'000'000;
    std::int64_t since_ = 0, recent_ = 0, before_ = 0;
};

// A timer rings at least this often, so that lateness is known before it matters.
inline constexpr std::int64_t look_every_ns = 250'000'000;

}  // namespace conclave::guardian
