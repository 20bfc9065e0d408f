// Watches the promises while a run goes on, and gives the verdict at its end.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conclave/core/card.hpp"
#include "conclave/simulator/outcome.hpp"
#include "conclave/simulator/scenario/scenario.hpp"
#include "conclave/simulator/world/network.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::simulator {

// The belief of a live node at the end.
struct Belief {
    Id id;
    Id leader;
    std::string_view unfinished = {};  // what it lacks at the end of the run
    std::string_view decision = {};    // empty: none
};

class Judge {
public:
    Judge(const Scenario& scenario, const Card& card, const Group& group, const Network& network,
          trace::Trace* trace);

    // `id` begins or ceases to consider itself the leader.
    void set_leading(Id id, bool leads, Time now);
    // The network or the set of live nodes changed: were two leaders brought together?
    void look_again(Time now) {
        if (leading_.size() > 1) compare_leaders(now);
    }
    void broken(std::string_view invariant, Id id, Time now) {
        if (invariant_) accuse("invariant", now, text(id) + ": " + std::string(invariant));
    }
    void accuse(std::string property, Time now, std::string what);

    // Every live node, when the run has ended; then the verdict. Agreement, best elected, everyone
    // informed, all decided alike: among those who can reach each other; and nobody left with work
    // undone.
    void hear(const Belief& belief);
    void close(Outcome& outcome, Time now);

private:
    // Those who can reach each other: all that matters of what was heard from them.
    struct Part {
        Id member = nobody;  // any
        Id best = nobody;
        std::uint32_t size = 0;
        bool led = false;                      // somebody follows itself
        std::map<Id, std::uint32_t> believed;  // how many follow whom
        std::vector<Id> followed;              // the same, as they were heard of
        std::string decided;
        std::vector<std::pair<std::string, std::string>> faults;  // property, what
    };

    void compare_leaders(Time now);
    Part& part_of(Id id);
    void hear_work(const Belief& belief, Part& part);
    void judge_part(const Part& part, Time now);

    const Group& group_;
    const Network& network_;
    trace::Trace* trace_;
    LeaderScope scope_;
    bool one_leader_, best_, informed_, agreement_, invariant_;
    std::vector<Id> leading_;  // now, ordered
    std::vector<std::pair<Id, Id>> accused_;
    std::vector<Violation> violations_;
    std::vector<Part> parts_;
    std::vector<bool> alive_;  // by id
};

}  // namespace conclave::simulator
