// One algorithm with its lease, as the rest of the agent sees it: whatever the algorithm is, the
// agent around it compiles once.
//
// The host performs what a turn asks for in the order store, follow, timers, sends. Where the store
// fails, what the turn said behind it does not leave, the lease is told so, and the store is tried
// again at every heartbeat; no turn is ever taken back.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/bytes.hpp"
#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"
#include "conclave/lease/messages.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::agent {

// What the agent does for the algorithm that it hosts. It must not call the host meanwhile.
struct Stage {
    // On disk, for sure, when it returns true; else it may or may not be.
    virtual bool store(Input stored, const lease::Ballot& highest, const lease::Ballot& used) = 0;
    virtual void follow(Id leader) = 0;
    virtual void send(Id to, Input message) = 0;  // to one, or to everyone else
    virtual void report(std::string_view what) = 0;
    virtual void turned() = 0;  // a turn is over: the lease may look different now

protected:
    ~Stage() = default;
};

// How the lease stands, after the last turn.
struct LeaseView {
    lease::Ballot ballot{};  // with which this node stands; nobody's: it does not
    bool acting = false;     // work may be alive under it
    bool leaving = false;    // the work shall stop
    Time ends = -std::chrono::hours(1);
    lease::Ballot promised{};  // the greatest ballot that this node promised
    Time promised_until{};
    lease::Ballot held{};  // by another, as it said last
    bool blank = false;    // its disk was lost: it promises nothing yet
    bool unsure = false;   // nor will it without an operator's word
    Id wished = nobody;    // whom the election wants to lead
    std::string label{};   // as diagrams show it
};

struct HostSettings {
    std::string algorithm = "bully";
    Duration promise{}, lease{}, heartbeat{};
    Duration answer{};  // a live member answers within
    Duration repeat{};  // an ask that is not answered is repeated after
    Duration enough{};  // work starts only with more than this left of the lease
    bool witness = false;
    bool preempt = false;
    std::uint32_t quorum = 0;  // 0: a majority
    lease::Roster roster{};
};

class Host {
public:
    virtual ~Host() = default;

    virtual void start() = 0;
    virtual bool recover(Input stored) = 0;  // false: these are not this algorithm's bytes
    virtual void call() = 0;
    virtual void suspect(Id id) = 0;
    virtual void trust(Id id) = 0;
    // The work, the whole tree of it (R8). Said once after recover(), too: of the former work.
    virtual void gone() = 0;
    // The work ended by itself and is to start again: under a greater token, once that is granted.
    virtual void anew() = 0;
    virtual void resign(Id heir) = 0;  // stop the work, then let somebody else lead (R12)
    virtual void vouch() = 0;          // an operator's word for a member without a memory (R10)
    virtual void forbid(bool standing) = 0;  // to stand, for now
    // Who may not lead for a while and still took part could win, and nobody would lead.
    virtual void excuse(bool from_elections) = 0;

    struct Heard {
        bool understood = false;
        bool release = false;  // its sender gave the lease back ...
        Id heir = nobody;      // ... and named who should be next
        lease::Ballot held{};  // its sender has the lease, under this ballot; nobody's: it says not
    };
    virtual Heard receive(Id from, Input message) = 0;
    // What a guardian says when this agent is dead: the lease is given back.
    virtual Bytes farewell(Id heir) const = 0;
    // Somebody believes that this node leads: unless it does, its last lease is given back to it.
    virtual void disown(Id to) = 0;
    virtual LeaseView view() const = 0;
    // Who promised to this node, while it stands, and is still bound.
    virtual std::vector<Id> promises() const = 0;
    // The attributes of a member changed: <eligible, incumbent, priority>.
    virtual void set_rank(Id id, Rank rank) = 0;
};

struct Place {
    Id me = nobody;
    std::uint32_t members = 0;
    std::uint32_t incarnation = 1;
};

// Nothing if no such algorithm can be hosted.
std::unique_ptr<Host> make_host(const HostSettings& settings, const Place& place, net::Loop& loop,
                                Stage& stage);
std::vector<std::string_view> hosted_algorithms();

}  // namespace conclave::agent
