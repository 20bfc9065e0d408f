// Watches the promises while a run goes on, and gives the verdict at its end.
#pragma once

#include <string>
#include <vector>

#include "conclave/core/algorithm.hpp"
#include "conclave/simulator/network.hpp"
#include "conclave/simulator/outcome.hpp"
#include "conclave/simulator/scenario.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::simulator {

// What a node believes, as the judge sees it.
struct Belief {
    Id id;
    Id leader;
    bool up;
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

    // Agreement, best elected, everyone informed, all decided alike: among those who can reach each
    // other; and nobody left with work undone.
    void close(const std::vector<Belief>& beliefs, Outcome& outcome, Time now);

private:
    void compare_leaders(Time now);
    void judge_part(const std::vector<Belief>& part, Time now);
    void judge_work(const std::vector<Belief>& part, Time now);

    const Group& group_;
    const Network& network_;
    trace::Trace* trace_;
    LeaderScope scope_;
    bool one_leader_, best_, informed_, agreement_, invariant_;
    std::vector<Id> leading_;  // now, ordered
    std::vector<std::pair<Id, Id>> accused_;
    std::vector<Violation> violations_;
};

}  // namespace conclave::simulator
