// The agent's side of the guardian: one guardian process for each time that the command runs. It
// can be made ready in advance, with its containment, so that a start is little more than the
// command's.
//
// The guardian is the command's parent and ends its whole tree when the lease ends, when the agent
// dies, or when it is told to. The agent only extends the deadline. `gone` is said when the kernel
// has said it: the first process of the tree, and with it every other one, is no more. Only then
// may the lease be given back.
//
// The order to begin leaves only when the agent holds the descriptor of the first process and has
// recorded it (former_tree.hpp): whoever dies after that, somebody can tell whether the tree is
// gone.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "conclave/core/bytes.hpp"
#include "conclave/core/time.hpp"
#include "conclave/net/address.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/socket.hpp"
#include "conclave/process/orders.hpp"

namespace conclave::agent {

using process::Cause;
using process::Contain;

class TreeFile;

class GuardianLink {
public:
    struct Margins {                                      // before the end of the lease
        Duration grace{};                                 // ask the command to stop; 0: do not
        Duration margin = std::chrono::milliseconds(10);  // kill it ...
        Duration margin_most{};    // ... or up to this much before, where timers ring late
        Duration cleanup_limit{};  // cleaning up may take
    };
    struct Options {
        std::string guardian;                      // the program; see find_guardian()
        int lock = -1;                             // of take_lock(): guardian and init hold it, too
        std::vector<int> sockets{};                // over which death notices may be sent
        Contain wish = Contain::best;              // how to contain the command
        bool required = false;                     // rather do not run it than contain it less
        Duration stop = std::chrono::seconds(10);  // a command asked so may take, while renewed
        Duration watchdog{};                       // 0: the command need not say it is alive
        std::string cleanup{};  // run after the command, before it is gone; empty: nothing
        Margins margins{};
        const TreeFile* tree = nullptr;  // where the first process is recorded; outlives the guard
    };
    struct Command {
        std::vector<std::string> words;
        std::string group, node, leader, reason;  // CONCLAVE_GROUP and so on; reason and token ...
        std::uint64_t token = 0;                  // ... matter when it starts
    };
    // A sealed datagram that the guardian sends when this process is dead and the command gone.
    struct Addressed {
        std::uint32_t socket = 0;  // place in Options::sockets
        net::Address to{};
        net::Path path{};
        Bytes datagram{};
    };
    struct Event {
        enum class Kind : std::uint8_t {
            started,        // contained so
            stopping,       // the command was asked to stop
            ready,          // the guardian waits to begin, its first process is recorded
            unready,        // it could not be made ready: see the problem
            guardian_died,  // the tree is about to be gone
            gone            // the whole tree
        };
        Kind kind;
        Contain contain = Contain::best;
        Cause cause = Cause::ended;
        int status = 0;  // of the command, as waitpid gives it
        int error = 0;   // errno, of not_started and refused
        process::Cleanup cleanup = process::Cleanup::none;
        std::string problem{};  // of unready and unrecorded: a sentence
    };

    explicit GuardianLink(Options options);
    ~GuardianLink();  // ends the tree, and waits for it
    GuardianLink(const GuardianLink&) = delete;
    GuardianLink& operator=(const GuardianLink&) = delete;

    // A guardian that waits to begin. Nothing, or a sentence.
    std::optional<std::string> prepare(const Command& command);
    // Nothing, or a sentence. The guardian gets nothing but the end of the lease, on the boot-time
    // clock; what is refused later comes as `gone`.
    std::optional<std::string> start(const Command& command, Time end);
    void extend(Time end);
    void set_margins(const Margins& margins);
    // All that are to be said; at most DeathNotice::most, of at most DeathNotice::bytes_most.
    bool prepare_death_notice(std::span<const Addressed> notices);
    void stop(Duration timeout);  // orderly
    void signal(int number);
    // After `gone` was read and the lease given back: until then a death would be told by a death
    // notice.
    void dismiss();

    // Readable when next() has something to say.
    int fd() const { return events_ready_.get(); }
    std::optional<Event> next();

    bool running() const { return guardian_ > 0 && !gone_; }
    std::optional<Contain> containment() const { return contain_; }
    // As the guardian said last: see Work.
    Duration lateness() const { return lateness_; }
    Duration margin() const { return std::max(margin_, options_.margins.margin); }
    pid_t guardian() const { return guardian_; }

private:
    process::Margins margins() const;
    std::optional<std::string> spawn(const Command& command, int channel);
    bool is_prepared(const Command& command) const;
    void watch(int fd) const;
    void read_reports();
    void take_report(const void* packet, std::size_t size, int descriptor);
    void take_prepared(const process::Prepared& prepared, int descriptor);
    void begin();
    void refuse_to_begin(std::string problem);
    void look_after_guardian();
    bool tree_gone();
    bool send(const void* order, std::size_t size);
    void close_all();

    Options options_;
    net::Descriptor events_ready_;  // epoll over all below
    net::Descriptor channel_, pidfd_, init_, ticks_;
    pid_t guardian_ = -1;
    bool dead_ = false;  // the guardian is
    bool gone_ = true;
    bool ready_ = false;                          // its first process waits, and is recorded
    bool begun_ = false;                          // it is to begin as soon as it is ready ...
    bool heard_ = false;                          // ... and said that it did
    std::optional<process::Begin> pending_{};     // until it is ready ...
    std::vector<std::vector<std::byte>> held_{};  // ... with what was said after that
    Duration lateness_{}, margin_{};
    Time begun_at_{};
    Command prepared_{};  // what it was started for
    Time died_{};         // the guardian did ...
    Time help_at_{};      // ... so long ago that the first process should have ended all
    pid_t first_ = -1;    // process of the tree
    std::optional<Contain> contain_{};
    std::deque<Event> events_{};
};

// Beside this program, or where CONCLAVE_GUARDIAN says.
std::string find_guardian();

Contain contain_of(const std::string& name);

// Does this machine allow it? Nothing, or why not. `best` is either of pid and user.
std::optional<std::string> probe_containment(const std::string& guardian, Contain contain,
                                             bool required = true);

// "the command exited with code 3", "was killed at the deadline": for people.
std::string describe(const GuardianLink::Event& gone);

}  // namespace conclave::agent
