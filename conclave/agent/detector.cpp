#include "conclave/agent/detector.hpp"

#include <algorithm>
#include <utility>

namespace conclave::agent {

bool Detector::hear(Id id, Time now) {
    Member& member = at(id);
    member.heard = now;
    return std::exchange(member.suspected, false);
}

void Detector::watch(Id id, bool on, Time now) {
    Member& member = at(id);
    if (on && member.since == never) member.since = now;
    if (!on) member.since = never;
}

Time Detector::due(const Member& member) const {
    if (member.since == never || member.suspected) return never;
    return std::max(member.since, member.heard) + patience_;
}

std::vector<Id> Detector::find_silent(Time now) {
    std::vector<Id> silent;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        if (due(members_[i]) > now) continue;
        members_[i].suspected = true;
        silent.push_back(Id{static_cast<std::uint32_t>(i) + 1});
    }
    return silent;
}

Time Detector::next() const {
    Time next = never;
    for (const Member& member : members_) next = std::min(next, due(member));
    return next;
}

}  // namespace conclave::agent
