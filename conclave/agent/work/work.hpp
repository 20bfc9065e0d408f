// What a node does while it leads: a command under a guardian, or nothing but leading.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conclave/core/bytes.hpp"
#include "conclave/core/time.hpp"
#include "conclave/net/address.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::agent {

struct Config;

struct WorkEvent {
    bool by_itself = false;  // the command ended, nobody stopped it
    int code = 0;            // its exit code; 128 + signal where one ended it
    std::string words{};     // how it came to its end
};

struct WorkOrder {
    std::uint64_t token = 0;
    Time deadline{};       // on the boot-time clock: gone by then, whatever happens
    std::string reason{};  // why this node leads
};

class Work {
public:
    // Everything of it is gone.
    using Gone = std::function<void(const WorkEvent&)>;

    virtual ~Work() = default;
    // Empty, or why it cannot be.
    virtual std::string start(const WorkOrder& order) = 0;
    virtual void extend(Time deadline) = 0;
    // The times of the group are these now: a lease is longer or shorter.
    virtual void set_times(const Config&) {}
    // Orderly: asked first, killed after `patience`.
    virtual void stop(Duration patience) = 0;
    // What is to be said to whom when this process dies.
    virtual void death_notice(const Bytes& datagram, const std::vector<net::Address>& to) = 0;
    virtual void pass_signal(int number) = 0;

    virtual std::string_view phase() const = 0;  // none, running, stopping
    virtual std::string containment() const = 0;
    // Why it cannot be started at present: a sentence with its remedy. Empty: it can.
    virtual std::string obstacle() const { return {}; }
    // Is there somebody who ends the work at its deadline?
    virtual bool guarded() const = 0;
    // How late the timers that end it have rung lately, at worst; and how long before the end of
    // the lease it is ended, which is at least twice that.
    virtual Duration lateness() const { return {}; }
    virtual Duration margin() const { return {}; }
};

// For a node that only leads: its work is gone as soon as it shall stop.
std::unique_ptr<Work> make_idle_work(net::Loop& loop, Work::Gone gone);

// What a guarded command needs of its node; all of it outlives the work.
class TreeFile;
class FormerTree;
struct WorkPlace {
    int lock = -1;                       // held by the guardian and the first process as well
    int socket = -1;                     // over which the guardian sends a death notice
    const TreeFile* tree = nullptr;      // where the first process is recorded
    const FormerTree* former = nullptr;  // until it is gone no tree of this life is made
};
std::unique_ptr<Work> make_command_work(net::Loop& loop, const Config& config, WorkPlace place,
                                        Work::Gone gone);

}  // namespace conclave::agent
