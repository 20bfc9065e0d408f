// Which clocks are behind a master's time, and whether its own is one of them.
#include "conclave/clock/master.hpp"

namespace conclave::clock {

Time Master::backed() const {
    Time last = never;
    for (const Member& member : members_)
        if (member.report.set && member.report.sound && member.report.term == term_ &&
            member.fault == Fault::none && (last == never || last < member.reported))
            last = member.reported;
    return last;
}

bool Master::follows(const Member& member, Time raw) const {
    const Id master = member.report.term.master;
    const bool came_along = raw - since_ < settling() && master == predecessor_;
    return (master == term_.master || came_along) && agrees(member, raw);
}

// Those who follow this time and were heard lately, and itself.
std::uint32_t Master::count_clocks(Time raw) const {
    std::uint32_t clocks = sound_ ? 1 : 0;
    for (const Member& member : members_) {
        const bool heard = member.reported >= counted_from_ && raw - member.reported < settling();
        const bool agrees = member.report.set && !member.report.complains && counts(member) &&
                            member.fault == Fault::none;
        if (heard && agrees && follows(member, raw)) ++clocks;
    }
    return clocks;
}

void Master::enrol(Time raw) {
    clocks_ = count_clocks(raw);
    if (clocks_ < roll_ && raw - enrolled_ < settings_.conviction) return;
    roll_ = clocks_;
    enrolled_ = raw;
}

// Two have left it at least, this master and a follower: a predecessor that does not know was
// paused, and has not noticed yet. Nor is it obeyed at once if it has no more clocks than this one.
bool Master::disbelieves(Id rival, std::uint32_t clocks, Time raw) {
    const auto follows_me = [&](const Member& member) {
        return member.report.set && member.report.term.master == term_.master &&
               raw - member.reported < settling();
    };
    const bool knows = clocks + 1 < predecessor_clocks_ && clocks != clocks_;
    if (rival != predecessor_ || knows) return false;
    if (std::none_of(members_.begin(), members_.end(), follows_me)) return false;
    if (returned_ == never) returned_ = raw;
    return raw - returned_ < settling() + 2 * settings_.round;
}

bool Master::suspects_itself(Time raw) const {
    std::size_t asked = 0, moved = 0, complain = 0;
    for (const Member& member : members_) {
        if (!member.report.set) continue;
        ++asked;
        moved += raw - member.moved < lately ? 1 : 0;
        // A member from another network complains too, but not about a master that it knew.
        const bool knew = member.report.term.master == term_.master;
        complain += knew && member.report.complains && member.report.about == term_ ? 1 : 0;
    }
    return asked >= 2 && (2 * moved > asked || 2 * complain > asked);
}

// Of two clocks one has gone wrong, and nobody can tell which: the only member that is heard, or
// the master. Neither counts before a third has agreed with the master, or a minute has passed.
void Master::settle_dispute(Time raw) {
    const Duration recent = std::max(lately, 5 * settings_.round / 2);
    std::size_t disputing = 0, agreeing = 0;
    bool confirmed = false;
    for (const Member& member : members_) {
        if (!member.report.set || raw - member.reported >= recent) continue;
        const bool disputes = raw - member.disputes < recent;
        disputing += disputes ? 1 : 0;
        agreeing += disputes ? 0 : 1;
        confirmed = confirmed || (!disputes && counts(member) && member.reported > disputed_ &&
                                  agrees(member, raw));
    }
    if (disputing == 1 && agreeing == 0) disputed_ = counted_from_ = raw;
    if (disputed_ != never && (confirmed || raw - disputed_ >= ClockStanding::probation))
        disputed_ = never;
}

}  // namespace conclave::clock
