// The nodes of a system as the search sees them: states and messages are numbers, and only what is
// asked here is known of them. So the search is compiled once, whatever algorithm the nodes run;
// nodes_of.hpp is the other side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/checker/world/event.hpp"
#include "conclave/checker/world/intern.hpp"
#include "conclave/checker/world/links.hpp"
#include "conclave/core/effects.hpp"
#include "conclave/core/id.hpp"

namespace conclave::checker {

enum class Life : std::uint8_t { unborn, up, down };

// The part of a node's state that the search reads without asking its algorithm.
struct NodeState {
    Life life = Life::unborn;
    bool acts = false;          // by the word of an algorithm that knows better than its belief
    bool timed = false;         // some timer is set
    Id leader = nobody;         // in whom it believes
    std::uint64_t news = 0;     // nodes whose crash is not yet noticed: bits
    std::uint64_t doubted = 0;  // nodes that are suspected: bits
    std::uint64_t due = 0;      // timers that expire before time goes on: bits
};

struct Outgoing {
    std::uint8_t to;      // position
    std::uint16_t group;  // copies of one broadcast share it
    std::uint32_t message;
    bool operator==(const Outgoing&) const = default;
};

// One way in which a turn can go.
struct Way {
    std::uint32_t local;  // the node's new state
    bool visible;         // it made the node a leader, or ended that
    std::uint64_t rows;   // of the table that fired
    std::uint64_t token;  // under which the node began to act; 0: it did not
    std::string_view broken;
    std::vector<Outgoing> sends;
    std::vector<std::uint64_t> choices;
    std::vector<TimerChange> timers;
    std::optional<Id> followed;
};

// Abilities that one algorithm has, and others have not.
struct NodeTraits {
    std::span<const std::string_view> timers;  // their names
    std::span<const std::string_view> faults;  // those that only its nodes can have
    std::uint64_t reliefs = 0;                 // of these, those that end an earlier one: bits
    std::vector<std::string> rows;             // of its table; empty: it has none
    std::uint64_t stale_rules = 0;  // without one of these rules no message is ever stale
    bool ages = false;              // it keeps times as spans from now, and may read its clock
    bool knows_better = false;      // it knows whether it acts; its belief is only a hint
    bool suspects = false;          // it is told who is down
    bool tokens = false;            // it acts under tokens that only grow
    bool invariant = false;         // it says when it is broken
    bool work = false;              // it says what work it lacks at the end
    bool staleness = false;         // it knows messages that can do nothing any more
    bool recounts = false;          // numbers that only grow can be counted anew
    bool majority = false;          // it acts only while a majority can promise
    bool anonymous = false;         // no decision depends on an id or a rank
};

// For groups in which a majority of members must be able to promise.
struct Ability {
    bool votes = true, rests = false, eligible = true;
};

// Shared by all threads.
class Nodes {
public:
    static constexpr std::uint32_t stuck = 0xfffffffe;  // no tick passes while a timer is due

    explicit Nodes(std::uint64_t salt) : numbers_(salt) {}
    virtual ~Nodes() = default;
    Nodes(const Nodes&) = delete;
    Nodes& operator=(const Nodes&) = delete;

    const NodeState& operator[](std::uint32_t local) const { return entries_[local].state; }
    std::uint64_t key(std::uint32_t local) const { return entries_[local].key; }

    virtual const NodeTraits& traits() const = 0;
    virtual std::uint32_t unborn() = 0;
    // The event, for every outcome of its choices.
    virtual std::vector<Way> take(std::size_t at, std::uint32_t local, const Event& event) = 0;
    // One tick of real time in which the node's clock advances by `units`, or stuck.
    virtual std::uint32_t age(std::uint32_t local, std::uint32_t units) = 0;
    virtual std::uint32_t add_news(std::uint32_t local, std::uint64_t nodes) = 0;
    // The work that it lacks at the end of a run; empty: none.
    virtual std::string_view unfinished(std::uint32_t local, std::size_t at) const = 0;
    virtual Ability ability(std::uint32_t local, Id id) const = 0;
    virtual bool listens(std::uint32_t local) const = 0;  // messages for it are read now

    virtual std::string label(std::uint32_t local) const = 0;
    virtual std::string message_text(std::uint32_t message) const = 0;

    // Every id within it moves on by this many places of the ring.
    virtual std::uint32_t turn_local(std::uint32_t local, std::size_t by) = 0;
    virtual std::uint32_t turn_message(std::uint32_t message, std::size_t by) = 0;
    // The message can do nothing any more at a node in that state. `for_good`: the node will
    // neither crash nor suffer anything else.
    virtual bool is_stale(std::uint32_t local, std::uint32_t message, Id from,
                          bool for_good) const = 0;
    // Counts numbers that only grow from one again, in a whole world.
    virtual void recount(std::span<std::uint32_t> locals, std::span<Mail> mails,
                         std::uint32_t& token) = 0;

protected:
    struct Entry {
        NodeState state;
        std::uint64_t key = 0;
    };
    Numbers numbers_;
    Chunks<Entry> entries_;
};

}  // namespace conclave::checker
