// The protocol between an agent and its guardian: plain structs over a socket that keeps packets
// whole. Both are of one build and on one machine, so there is no encoding.
//
// The guardian is started with its descriptors in these places and its command behind the number of
// this protocol: conclave-guardian PROTOCOL COMMAND [WORD]...
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace conclave::process {

inline constexpr std::uint32_t protocol = 6;

enum Place : int { channel_place = 3, lock_place = 4, agent_place = 5, socket_place = 6 };
inline constexpr std::uint32_t sockets_most = 8;

// How the command's processes are kept together, so that none outlives the lease.
enum class Contain : std::uint8_t {
    pid,    // a PID namespace: the kernel ends all with the first
    user,   // the same inside a user namespace, for whoever is not root
    group,  // none: children are adopted and killed until none is left
    best    // as a wish: the first that the machine allows of those that the kernel ends
};

// A wish that is not required is tried from the first to the last of these. `group` is weaker, so
// nobody gets it who has not named it.
constexpr Contain first_choice(Contain wish) { return wish == Contain::best ? Contain::pid : wish; }
constexpr Contain last_choice(Contain wish, bool required) {
    const bool open = wish == Contain::best || (wish == Contain::pid && !required);
    return open ? Contain::user : wish;
}

// Why `group` is refused where /proc does not show this process; as errno, else not used here.
inline constexpr int no_proc_error = 61;  // ENODATA

// Why the command came to its end.
enum class Cause : std::uint8_t {
    ended,        // by itself
    stopped,      // it was asked to
    deadline,     // the lease was not renewed in time
    agent_died,   // its agent did
    watchdog,     // it gave no sign of life
    not_started,  // it could not be executed: see the error
    refused,      // the machine does not allow the containment that is required: see the error
    too_late,     // the lease was over before the command began
    lost,         // the first process of its containment was killed by somebody else
    unrecorded,   // its first process could not be written down, so it was not started
    guardian_died
};

// Times are on the boot-time clock, in nanoseconds.
enum class Order : std::uint32_t { prepare, begin, extend, retime, death_notice, stop, signal };

// All that takes long is done in advance: the first process is there and waits. Without a Begin
// nothing runs, there is no deadline, and the end of the agent is the end of all.
// A shell line that cleans up after the command; it ends with a zero. Empty: there is none.
inline constexpr std::size_t cleanup_most = 1023;
using CleanupLine = std::array<char, cleanup_most + 1>;

struct Prepare {
    Order order = Order::prepare;
    Contain wish = Contain::best;
    bool required = false;         // no weaker containment than the one wished for
    std::int64_t watchdog_ns = 0;  // 0: no sign of life is asked for
    CleanupLine cleanup{};
};

// Ends with a zero; what is longer is cut.
using Reason = std::array<char, 120>;

// How long before the end of the lease what happens.
struct Margins {
    std::int64_t grace_ns = 0;        // ask the command to stop; 0: do not ask
    std::int64_t margin_ns = 0;       // kill it ...
    std::int64_t margin_most_ns = 0;  // ... or up to this much before, where timers ring late
    std::int64_t cleanup_ns = 0;      // and this much earlier still, to clean up
};

struct Begin {
    Order order = Order::begin;
    Reason reason{};          // for the command's environment, as is
    std::uint64_t token = 0;  // this one
    std::int64_t end_ns = 0;
    std::int64_t stop_ns = 0;  // a command that was asked to stop may take this long while renewed
    Margins margins{};
};

struct Extend {
    Order order = Order::extend;
    std::int64_t end_ns = 0;
};

// The group has other times now, and leases are longer or shorter.
struct Retime {
    Order order = Order::retime;
    Margins margins{};
};

// A datagram that is ready to be sent when the agent is dead and the command is gone.
struct DeathNotice {
    static constexpr std::size_t bytes_most = 256, most = 64;

    Order order = Order::death_notice;
    std::uint32_t place = 0;  // the first, 0, replaces all that were given before
    std::uint32_t socket = 0;
    std::uint32_t interface = 0;  // by which it leaves; 0: as the machine routes it
    std::array<std::byte, 16> source{};
    std::array<std::byte, 28> address{};  // a sockaddr_in or sockaddr_in6
    std::uint32_t address_size = 0;
    std::uint32_t size = 0;
    std::array<std::byte, bytes_most> bytes{};
};

struct Stop {  // orderly: ask, wait, kill
    Order order = Order::stop;
    std::int64_t timeout_ns = 0;
};

struct Signal {
    Order order = Order::signal;
    std::int32_t number = 0;
};

enum class Report : std::uint32_t { prepared, begun, stopping, punctual, gone };

// With the descriptor of the first process, whose end is the end of all; or with an error and none.
struct Prepared {
    Report report = Report::prepared;
    Contain contain = Contain::best;
    std::int32_t error = 0;  // errno: there is no first process
    std::int32_t pid = 0;    // of the first process, in the guardian's PID namespace
};

struct Begun {
    Report report = Report::begun;
};

struct Stopping {
    Report report = Report::stopping;
    Cause cause = Cause::stopped;
};

// How late the timers that end the tree have rung lately, and the margin that follows from it.
struct Punctual {
    Report report = Report::punctual;
    std::int64_t late_ns = 0, margin_ns = 0;
};

// How cleaning up ended.
enum class Cleanup : std::uint8_t { none, done, failed, killed };

struct Gone {
    Report report = Report::gone;
    Cause cause = Cause::ended;
    std::int32_t status = 0;  // of the command, as waitpid gives it
    std::int32_t error = 0;   // errno
    Cleanup cleanup = Cleanup::none;
};

}  // namespace conclave::process
