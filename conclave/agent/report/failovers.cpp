#include "conclave/agent/report/failovers.hpp"

#include <algorithm>

namespace conclave::agent {

// A follower hears that the lease was given back, and no reason.
std::optional<Failovers::Case> Failovers::case_of(const member::Change& change) {
    using member::Cause;
    switch (change.cause) {
        case Cause::silent:
        case Cause::expired: return Case::silent;
        case Cause::died: return Case::died;
        case Cause::left:
        case Cause::released:
        case Cause::unhealthy: return Case::handover;
        case Cause::unknown:
            if (change.leader == nobody) return Case::handover;
            break;
        case Cause::parts_met: break;  // two led: nobody was missing
    }
    return std::nullopt;
}

void Failovers::note(const member::Change& change, Time heard, Time now) {
    if (change.former != nobody) {
        gap_.reset();
        if (const auto which = case_of(change)) gap_ = {*which, change.former, heard};
    }
    if (change.leader == nobody || !gap_) return;
    const Gap gap = *std::exchange(gap_, std::nullopt);
    if (gap.former == change.leader) return;  // it was suspected, and is there
    Seen& seen = seen_[static_cast<std::size_t>(gap.which)];
    ++seen.count;
    seen.last = now - gap.since;
    seen.worst = std::max(seen.worst, seen.last);
}

// Members that follow say nothing to each other unasked: only after two detection times has a
// connected node heard from a majority in the meantime, for it asks them to elect somebody.
void Failovers::look(Time now, Duration detect, bool connected) {
    if (gap_ && !connected && now - gap_->since > 2 * detect) gap_.reset();
}

std::vector<FailoverStatus> Failovers::list(const Bound& bound) const {
    std::vector<FailoverStatus> list{
        {"silent", bound.silent_ns}, {"died", bound.died_ns}, {"handover", bound.handover_ns}};
    for (std::size_t i = 0; i < list.size(); ++i) {
        list[i].count = seen_[i].count;
        list[i].worst_ns = seen_[i].worst;
        list[i].last_ns = seen_[i].last;
    }
    return list;
}

}  // namespace conclave::agent
