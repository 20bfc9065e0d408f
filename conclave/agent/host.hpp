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
#include "conclave/member/wish.hpp"
#include "conclave/net/loop.hpp"
#include "conclave/wire/body.hpp"

namespace conclave::agent {

// The part of a member that survives a restart.
struct Memory {
    Input stored{};  // all of it, in a format that the host knows
    lease::Ballot highest{}, used{};
    lease::Roster roster{};  // unknown: as it was formed
};

// The agent's services to the member that it hosts. None of them may call the host.
struct Stage {
    // Begins to write it, and says its number: Host::stored() comes later, never from within.
    virtual std::uint64_t store(const Memory& memory) = 0;
    virtual std::uint8_t version() const = 0;        // of the datagrams that are sent now
    virtual void require(std::uint8_t version) = 0;  // nothing older is sent from now on
    virtual void send(Id to, Input message) = 0;     // of election and lease, to one or to everyone
    virtual void show(Id to) = 0;                    // this node, to one or to everyone
    virtual void report(std::string_view what) = 0;
    virtual void turned(const member::News& news) = 0;  // a turn is over

protected:
    ~Stage() = default;
};

struct HostSettings {
    std::string algorithm = "bully";
    Duration promise{}, lease{}, heartbeat{};
    std::int64_t rho_ppm = 1000;  // clock rates are within this of true
    Duration answer{};            // a live member answers within
    Duration repeat{};            // an ask that is not answered is repeated after
    Duration enough{};            // work starts only with more than this left of the lease
    Duration close{};  // work that is gone this long before its lease ends was ended for that
    std::uint32_t priority = 0;
    bool witness = false;
    bool observer = false;
    bool preempt = false;
    std::uint32_t quorum = 0;  // 0: a majority
    lease::Seal seal{};
    lease::Roster roster{};  // as far as it is known at the start; unknown: it never changes
    bool joins = false;      // this member is not in it yet, and has nothing to remember
};

class Host {
public:
    virtual ~Host() = default;

    virtual void start() = 0;
    // False: these are not this algorithm's bytes. `changed`: stored with a roster of its own.
    virtual bool recover(Input stored, bool changed) = 0;
    // That store, and every one before it, is on disk for sure; or it may or may not be.
    virtual void stored(std::uint64_t number, bool kept) = 0;
    virtual void set_condition(const member::Condition& condition) = 0;
    // The work, the whole tree of it (R8). Said once after recover(), too: of the former work.
    virtual void gone() = 0;
    // The work ended by itself and is to start again: after a pause (View::again), or at once,
    // under a greater token, when that is granted.
    virtual void ended() = 0;
    virtual void anew() = 0;
    virtual void resign(Id successor) = 0;  // stop the work, then let somebody else lead (R12)
    virtual void depart() = 0;              // the same, and do not stand again
    virtual void vouch() = 0;  // an operator's word for a member without a memory (R10)
    // The times in `settings`, from now on; of a roster, or on the way to one.
    virtual void set_times(const HostSettings& settings) = 0;
    // An operator's wish: a leader begins it, if it may begin now.
    virtual void change(const member::Wish& wish) = 0;
    // An operator's word that the other members are gone for good.
    virtual void force(const std::vector<Id>& kept) = 0;
    // A roster that another member has on its disk.
    virtual void learn(const lease::Roster& roster) = 0;

    // Messages of other members. Unless it is heard: why it is dropped.
    virtual std::optional<wire::Drop> receive(Id from, wire::Body message) = 0;
    virtual std::optional<wire::Drop> hear_death(Id from,
                                                 wire::Body release) = 0;  // by its guardian
    virtual void hear_present(Id from, const member::Present& present) = 0;
    virtual void hear_leaving(Id from) = 0;

    // The release of the lease, which the guardian sends if this agent dies.
    virtual Bytes death_notice(Id successor) const = 0;
    virtual member::View view() const = 0;
    virtual const lease::Roster& roster() const = 0;
    // Of a leader.
    virtual member::Outlook outlook(const member::Wish& wish) const = 0;
    // Of a leader: a majority has the roster on disk, and of those before a change, too (M4).
    virtual bool roster_done() const = 0;
    virtual member::Sight sight(Id id) const = 0;
    virtual std::vector<Id> promises() const = 0;
};

struct Place {
    Id me = nobody;
    std::uint32_t members = 0;  // number of ids given so far, this one included
    std::uint32_t incarnation = 1;
};
// Its own place, from which nothing is said.
inline constexpr Id observer_id{lease::last_id + 1};

// Nothing if no such algorithm can be hosted.
std::unique_ptr<Host> make_host(const HostSettings& settings, const Place& place, net::Loop& loop,
                                Stage& stage);
std::vector<std::string_view> hosted_algorithms();

}  // namespace conclave::agent
