// A new configuration that all of its members apply, or none: what Németh (1987) takes from
// Garcia-Molina (1982).
//
// The coordinator asks every member to prepare, and once all of them have, to apply. A member that
// has prepared cannot decide alone; should the coordinator fail, the members tell the next one what
// they prepared and applied, and its decision travels with its own configuration: what anybody
// applied, everybody who prepared it applies; the rest is dropped. 3(N-1) messages.
#pragma once

#include "conclave/core/id.hpp"

namespace conclave {

struct Configuration {
    std::uint64_t number = 0;  // 0: none yet
    Id coordinator = nobody;
    IdSet members;  // but for the coordinator
};

struct TwoPhaseCommit {
    // It says
    struct Reorganize {  // prepare this one, and apply the one that was decided
        std::uint64_t stamp, number, decided;
        IdSet members;
    };
    struct Prepared {
        std::uint64_t stamp, number;
    };
    struct Commit {
        std::uint64_t stamp, number;
    };

    // It remembers
    Configuration prepared;     // the last one that this node promised to apply when told to
    Configuration applied;      // the last one that it applied
    std::uint64_t latest = 0;   // a coordinator: the greatest number that anybody has heard of,
    std::uint64_t decided = 0;  // the greatest that anybody has applied,
    IdSet awaited;              // and the members that still owe an answer

    bool in_doubt() const { return prepared.number != applied.number; }

    // The next coordinator
    void ask_around() {
        latest = prepared.number;
        decided = applied.number;
        awaited = {};
    }
    void hear_of(std::uint64_t others_prepared, std::uint64_t others_applied) {
        latest = std::max({latest, others_prepared, others_applied});
        decided = std::max(decided, others_applied);
    }
    bool propose(Id me, const IdSet& members) {
        awaited = members;
        return prepare({latest + 1, me, members}, decided);
    }
    // True when this was the last answer: now all may apply.
    bool count(Id member, std::uint64_t number) {
        return number == prepared.number && in_doubt() && awaited.erase(member) && awaited.empty();
    }

    // Everybody; true when this applied what was in doubt.
    bool prepare(const Configuration& proposed, std::uint64_t others_decided) {
        const bool settled = in_doubt() && prepared.number == others_decided;
        if (settled) apply();
        prepared = proposed;
        return settled;
    }
    bool may_apply(Id coordinator, std::uint64_t number) const {
        return coordinator == prepared.coordinator && number == prepared.number && in_doubt();
    }
    void apply() { applied = prepared; }
};

}  // namespace conclave
