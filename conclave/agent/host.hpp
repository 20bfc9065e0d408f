// One member, as the rest of the agent sees it: whatever its algorithm is, the agent around it
// compiles once.
//
// The host performs a turn's effects in the order store, timers, sends. A store takes its time:
// what was said behind it waits, and everything else goes on. If it fails, or takes too long, that
// is dropped and the member is told; a turn is never undone.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/bytes.hpp"
#include "conclave/member/view.hpp"
#include "conclave/net/loop.hpp"
#include "conclave/wire/body.hpp"

namespace conclave::agent {

// The agent's services to the member that it hosts. None of them may call the host.
struct Stage {
    // Begins to write it, and says its number: Host::stored() comes later, never from within.
    virtual std::uint64_t store(Input stored, const lease::Ballot& highest,
                                const lease::Ballot& used) = 0;
    virtual std::uint8_t version() const = 0;     // of the datagrams that are sent now
    virtual void send(Id to, Input message) = 0;  // of election and lease, to one or to everyone
    virtual void show(Id to) = 0;                 // this node, to one or to everyone
    virtual void report(std::string_view what) = 0;
    virtual void turned(const member::News& news) = 0;  // a turn is over

protected:
    ~Stage() = default;
};

struct HostSettings {
    std::string algorithm = "bully";
    Duration promise{}, lease{}, heartbeat{};
    Duration answer{};  // a live member answers within
    Duration repeat{};  // an ask that is not answered is repeated after
    Duration enough{};  // work starts only with more than this left of the lease
    Duration close{};   // work that is gone this long before its lease ends was ended for that
    std::uint32_t priority = 0;
    bool witness = false;
    bool observer = false;
    bool preempt = false;
    std::uint32_t quorum = 0;  // 0: a majority
    lease::Roster roster{};
};

class Host {
public:
    virtual ~Host() = default;

    virtual void start() = 0;
    virtual bool recover(Input stored) = 0;  // false: these are not this algorithm's bytes
    // That store, and every one before it, is on disk for sure; or it may or may not be.
    virtual void stored(std::uint64_t number, bool kept) = 0;
    virtual void set_condition(const member::Condition& condition) = 0;
    // The work, the whole tree of it (R8). Said once after recover(), too: of the former work.
    virtual void gone() = 0;
    // The work ended by itself and is to start again: after a pause (View::again), or at once,
    // under a greater token, when that is granted.
    virtual void ended() = 0;
    virtual void anew() = 0;
    virtual void resign(Id heir) = 0;  // stop the work, then let somebody else lead (R12)
    virtual void depart() = 0;         // the same, and do not stand again
    virtual void vouch() = 0;          // an operator's word for a member without a memory (R10)

    // Messages of other members. Unless it is heard: why it is dropped.
    virtual std::optional<wire::Drop> receive(Id from, wire::Body message) = 0;
    virtual std::optional<wire::Drop> hear_death(Id from,
                                                 wire::Body release) = 0;  // by its guardian
    virtual void hear_present(Id from, const member::Present& present) = 0;
    virtual void hear_leaving(Id from) = 0;

    // The release of the lease, which the guardian sends if this agent dies.
    virtual Bytes farewell(Id heir) const = 0;
    virtual member::View view() const = 0;
    virtual member::Sight sight(Id id) const = 0;
    virtual std::vector<Id> promises() const = 0;
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
