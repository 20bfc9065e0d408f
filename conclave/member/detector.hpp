// Who is silent for too long. Only those are watched who should be heard regularly: the leader
// hears everybody answer its renewals, the others hear the leader, and while nobody leads all call.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "conclave/core/id.hpp"
#include "conclave/lease/ballot.hpp"

namespace conclave::member {

using conclave::operator==;
using lease::long_ago;

struct Detector {
    struct Watched {
        Time heard = long_ago;
        Time since = never;     // it should be heard from then on; never: it need not
        bool suspected = true;  // until it is heard
    };
    std::vector<Watched> members;

    // A sign of life; true if the member was suspected until now.
    bool hear(Id id, Time now) {
        at(id).heard = now;
        return std::exchange(at(id).suspected, false);
    }
    // From now on the member should, or need not, be heard regularly.
    void watch(Id id, bool on, Time now) {
        if (!on)
            at(id).since = never;
        else if (at(id).since == never)
            at(id).since = now;
    }
    // The member said that it is going, or somebody proved that it is gone.
    void lose(Id id) { at(id).suspected = true; }
    // Those who have now been silent for too long, each once.
    std::vector<Id> find_silent(Time now, Duration patience) {
        std::vector<Id> silent;
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (due(members[i], patience) > now) continue;
            members[i].suspected = true;
            silent.push_back(Id{static_cast<std::uint32_t>(i) + 1});
        }
        return silent;
    }
    // When somebody may next be found silent.
    Time next(Duration patience) const {
        Time next = never;
        for (const Watched& member : members) next = std::min(next, due(member, patience));
        return next;
    }

    // Would it be noticed, should the member fall silent?
    bool watches(Id id) const { return at(id).since != never; }
    bool suspects(Id id) const { return at(id).suspected; }

    // For exhaustive search: time passes.
    void age(Duration by, Duration patience) {
        for (Watched& member : members) {
            lease::move_back(member.heard, by, patience);
            if (member.since != never) lease::move_back(member.since, by, patience);
        }
    }

    Watched& at(Id id) { return members[static_cast<std::uint32_t>(id) - 1]; }
    const Watched& at(Id id) const { return members[static_cast<std::uint32_t>(id) - 1]; }

private:
    static Time due(const Watched& member, Duration patience) {
        if (member.since == never || member.suspected) return never;
        return std::max(member.since, member.heard) + patience;
    }
};

}  // namespace conclave::member
