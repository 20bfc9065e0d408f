// Everything that is decided before a run: who, in which network, with which faults.
//
// A scenario is a plain description. The command line and scenario files both end up here, and a
// recorded run is a scenario plus its decisions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conclave/core/effects.hpp"
#include "conclave/core/graph.hpp"
#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"
#include "conclave/trace/decision.hpp"

namespace conclave::simulator {

// A probability as a whole number of 2^-32, so that no fraction takes part in a decision.
struct Odds {
    std::uint64_t of_2_32 = 0;
    bool possible() const { return of_2_32 != 0; }
    bool hit(std::uint64_t bits) const { return (bits >> 32) < of_2_32; }
    bool operator==(const Odds&) const = default;
};

struct Delay {
    enum class Shape : std::uint8_t { constant, uniform, exponential };
    Shape shape = Shape::constant;
    Duration low = std::chrono::milliseconds(1);  // constant: the delay; exponential: the mean
    Duration high{};                              // uniform: the longest
    bool operator==(const Delay&) const = default;
};

struct Reordering {  // by chance a message falls back, and others overtake it
    Odds odds{};
    Duration by = std::chrono::milliseconds(5);  // at most
    bool operator==(const Reordering&) const = default;
};

struct Span {
    Time from{};
    Time until = never;
    bool holds(Time time) const { return from <= time && time < until; }
    bool operator==(const Span&) const = default;
};

struct LinkDelay {
    Id from, to;
    Delay delay;
    bool operator==(const LinkDelay&) const = default;
};
struct Startup {  // the node comes up at this time, not at 0
    Id node;
    Time at;
    bool operator==(const Startup&) const = default;
};
struct Calling {
    Id node;
    Time at;
    bool operator==(const Calling&) const = default;
};
struct Crash {
    Id node;
    Time at;
    bool operator==(const Crash&) const = default;
};
struct Recovery {
    Id node;
    Time at;
    bool disk = true;  // with what it had stored
    bool operator==(const Recovery&) const = default;
};
struct Pause {  // stops and goes on as if nothing had happened
    Id node;
    Span when;
    bool operator==(const Pause&) const = default;
};
struct Mishap {  // what else can befall a node, if its algorithm says so
    Id node;
    Time at;
    std::uint8_t which;  // place in the algorithm's list
    bool operator==(const Mishap&) const = default;
};
struct Partition {  // nothing passes between the parts; nodes not named form one more part
    std::vector<std::vector<Id>> parts;
    Span when;
    bool operator==(const Partition&) const = default;
};
struct Cut {  // nothing passes from one node to the other; back it does
    Id from, to;
    Span when;
    bool operator==(const Cut&) const = default;
};
struct Suspicion {  // a mistake of `observer`'s detector
    Id observer, suspected;
    Span when;
    bool operator==(const Suspicion&) const = default;
};

// Tells nodes of crashes and recoveries. Off: only who initiates an election knows who is down.
struct Detector {
    bool on = false;
    Delay lateness{.low = Duration{0}};  // how long after the fact
    Odds missed{};                       // incomplete: the chance that an observer is never told
    std::uint32_t mistakes = 0;          // inaccurate: so many wrong suspicions at random
    Duration mistaken_for = std::chrono::milliseconds(10);
    bool operator==(const Detector&) const = default;
};

// Clocks: every node's offset and rate error are drawn up to the limits; the rate walks on by up to
// `wander` every second.
struct ClockModel {
    Duration offset{};
    std::int64_t drift_ppb = 0;
    std::int64_t wander_ppb = 0;
    bool operator==(const ClockModel&) const = default;
};
struct NodeClock {  // one node's clock, given outright
    Id node;
    Duration offset{};
    std::int64_t drift_ppb = 0;
    std::uint64_t slowdown = 1;  // its units last so many times longer
    bool operator==(const NodeClock&) const = default;
};

struct Initiators {
    enum class Who : std::uint8_t { all, first, last, best, listed, none };
    Who who = Who::first;
    std::vector<Id> ids;
    bool operator==(const Initiators&) const = default;
};
struct Order {
    enum class How : std::uint8_t { ascending, descending, random, listed };
    How how = How::random;
    std::vector<Id> ids;
    bool operator==(const Order&) const = default;
};
struct Attribute {
    Id node;
    std::uint32_t priority;
    bool operator==(const Attribute&) const = default;
};

enum class LeaderScope : std::uint8_t { connected_part, overall, unchecked };

// The algorithm broken on purpose: one kind of effect left out or done twice, or rows of its table
// or rules of its lease switched off.
struct Mutation {
    enum class What : std::uint8_t {
        nothing,
        drop_send,
        double_send,
        drop_set,
        drop_stop,
        drop_follow,
        drop_store
    };
    What what = What::nothing;
    std::uint8_t which = 0;  // message or timer
    std::uint64_t rows_off = 0;
    std::uint64_t rules_off = 0;

    bool drops(const TimerChange& change) const {
        return what == (change.set ? What::drop_set : What::drop_stop) && which == change.timer;
    }
    bool operator==(const Mutation&) const = default;
};

// Which promises are checked; nothing given: those on the algorithm's card.
struct Checks {
    std::optional<bool> one_leader{}, best{}, informed{}, agreement{}, invariant{};
    bool operator==(const Checks&) const = default;
};

struct Scenario {
    std::string algorithm;
    std::uint32_t nodes = 5;
    Initiators initiators;
    Order order;                     // of ids along the ring, or of the places of a graph
    std::optional<GraphPlan> graph;  // for algorithms of a graph; none: GraphPlan{}
    std::vector<Attribute> attributes;
    std::vector<std::pair<std::string, std::string>> settings;

    Delay delay;
    std::vector<LinkDelay> links;
    bool same_for_all = false;  // a broadcast reaches every receiver after the same delay
    std::optional<bool> fifo;   // per link; nothing given: as the algorithm's card says
    Odds loss, duplication;
    Reordering reordering;
    Time calm = never;  // from then on the odds of the network do nothing any more

    std::vector<Startup> starts;
    std::vector<Calling> calls;
    std::vector<Crash> crashes;
    std::vector<Recovery> recoveries;
    std::vector<Pause> pauses;
    std::vector<Mishap> mishaps;
    std::vector<Partition> partitions;
    std::vector<Cut> cuts;
    std::vector<Suspicion> suspicions;
    Duration storm{};  // so long faults of all kinds come from the seed; see storm.hpp
    Detector detector;
    ClockModel clocks;
    std::vector<NodeClock> node_clocks;

    LeaderScope scope = LeaderScope::connected_part;
    Checks checks;
    Mutation mutation;
    std::uint64_t seed = 1;
    trace::DecisionLog overrides;  // choices that are made otherwise than the seed would
    std::optional<Time> until;
    bool operator==(const Scenario&) const = default;
};

}  // namespace conclave::simulator
