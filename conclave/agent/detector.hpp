// Who is silent for too long. Only those are watched who should be heard regularly: the leader
// hears everybody answer its renewals, the others hear the leader, and while nobody leads all call.
#pragma once

#include <vector>

#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"

namespace conclave::agent {

class Detector {
public:
    Detector(std::uint32_t members, Duration patience) : patience_(patience), members_(members) {}

    // A sign of life; true if the member was suspected until now.
    bool hear(Id id, Time now);
    // From now on the member should, or need not, be heard regularly.
    void watch(Id id, bool on, Time now);
    // The member said farewell, or somebody proved that it is gone.
    void lose(Id id) { at(id).suspected = true; }
    // Those who have now been silent for too long, each once.
    std::vector<Id> find_silent(Time now);
    // When somebody may next be found silent.
    Time next() const;

    // Would it be noticed, should the member fall silent?
    bool watches(Id id) const { return at(id).since != never; }
    bool suspects(Id id) const { return at(id).suspected; }
    Time last_heard(Id id) const { return at(id).heard; }  // long ago: never

private:
    static constexpr Time long_ago = -std::chrono::hours(24);
    struct Member {
        Time heard = long_ago;
        Time since = never;  // it should be heard; never: it need not
        bool suspected = true;
    };
    Member& at(Id id) { return members_[static_cast<std::uint32_t>(id) - 1]; }
    const Member& at(Id id) const { return members_[static_cast<std::uint32_t>(id) - 1]; }
    Time due(const Member& member) const;

    Duration patience_;
    std::vector<Member> members_;
};

}  // namespace conclave::agent
