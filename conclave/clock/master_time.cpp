// The master decides what time it is: how a network founds its time, when its members outvote it,
// and when it takes over that of another network.
#include "conclave/clock/master.hpp"

namespace conclave::clock {

// Begins a new term: within one, slaves refuse another time.
void Master::shift(Time raw, Duration by) {
    network_ = network_.moved_to(raw);
    network_.offset += by;
    opinion_ -= by;
    agreed_ = never;
    ++term_.number;
}
void Master::change_date(Time raw, Duration by) {
    move(raw, by);
    ++date_changes_;
}

void Master::move(Time raw, Duration by) {
    shift(raw, by);
    established_ = true;
}

// If members were told the time by another master, this one continues with it instead of founding
// another. Sound clocks are asked first.
bool Master::go_on_with_members(Time raw) {
    std::vector<const Member*> told;
    std::vector<Interval> claims;
    const auto ask = [&](bool sound) {
        for (const Member& member : members_) {
            if (!member.report.set || !member.is_known() || member.report.sound != sound) continue;
            told.push_back(&member);
            claims.push_back(claim_of(member, raw));
        }
    };
    ask(true);
    if (told.empty()) ask(false);
    const Agreement best = most_agreed(claims);
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (!claims[i].meets(best.place)) continue;
        adopt(*told[i], raw, true);
        return founded_ = true;
    }
    return false;
}

// Gusella & Zatti's mean of the clocks as their users see them; their rates as they are.
void Master::found(Time raw, const Keeper& keeper) {
    if (raw - since_ < settings_.founding || go_on_with_members(raw)) return;
    std::vector<Duration> offsets{Duration{0}};
    std::vector<Rate> rates{Rate{}};
    const Duration mine = keeper.servo().offset(raw);
    for (const Member& member : members_) {
        if (!member.estimator.knows_rate()) continue;
        const Line& line = member.estimator.estimate().line;
        offsets.push_back(line(raw) + member.report.shown - mine);
        rates.push_back(line.rate);
    }
    const NetworkMean mean = agreed_mean(offsets, settings_.interval);
    std::vector<Vote> votes;
    for (const Rate rate : rates) votes.push_back({rate, likely_rate});
    network_ = {raw, mine + mean.mean, weigh_votes(votes).rate};
    opinion_ = -mean.mean;
    clocks_ = static_cast<std::uint32_t>(mean.count);
    founded_ = true;
}

// Its clock is known and did nothing wrong.
bool Master::counts(const Member& member) const { return member.report.sound && member.is_known(); }

// How far the clock that it came with is from the network's time. What a member reports is against
// the time that it follows, which need not be ours yet.
Duration Master::opinion_of(const Member& member, Time raw) const {
    const Line& line = member.estimator.estimate().line;
    if (!member.report.set) return line(raw) + member.report.shown - network_(raw);
    const Time then = member.reported;
    return member.report.opinion + line(then) + member.report.network - network_(then);
}

void Master::weigh_opinions(Time raw) {
    if (!founded_ || established_) return;
    std::vector<Duration> opinions;
    if (sound_) opinions.push_back(opinion_);
    for (const Member& member : members_)
        if (counts(member)) opinions.push_back(opinion_of(member, raw));
    const NetworkMean mean = agreed_mean(opinions, settings_.interval);
    // Absent members may be of another opinion: nobody moves a network by leaving it.
    const bool decided = mean.majority && mean.count >= 2 && 2 * mean.count > roll_;
    const bool ours = magnitude(mean.mean) <= mean.interval;
    if (decided && !ours) {
        shift(raw, mean.mean);
        ++date_changes_;
        return;
    }
    if (!decided) agreed_ = never;
    if (decided && agreed_ == never) agreed_ = raw;
    established_ = agreed_ != never && raw - agreed_ >= settings_.conviction;
}

// ---------------------------------------------------------------- other networks

// A member's claim of the network's time, against ours, as of its report: by now its raw clock
// has run on, and its claim with it.
Interval Master::claim_of(const Member& member, Time raw) const {
    const Estimator& estimator = member.estimator;
    const Time then = member.reported;
    const Duration theirs = estimator.estimate().line(then) + member.report.network;
    return Interval::around((theirs - network_(then)).count(),
                            (member.report.bound + estimator.bound(raw) + slack).count());
}

bool Master::agrees(const Member& member, Time raw) const {
    return claim_of(member, raw).meets({-slack.count(), slack.count()});
}

// Takes over the time of members that come from another network, if they are more than those that
// follow ours, or if theirs is established and ours is not.
void Master::join_larger_side(Time raw) {
    std::size_t ours = 1;
    std::vector<const Member*> others;
    std::vector<Interval> claims;
    for (const Member& member : members_) {
        if (!member.report.set || !counts(member)) continue;
        const Interval claim = claim_of(member, raw);
        // A follower of an earlier term of this master has not heard of its last move yet.
        const bool mine = member.report.term.master == term_.master;
        if (mine || agrees(member, raw)) {
            ++ours;
        } else if (member.report.established && !established_) {
            return adopt(member, raw, ours == 1);
        } else if (member.report.established == established_) {
            others.push_back(&member);
            claims.push_back(claim);
        }
    }
    const Agreement best = most_agreed(claims);
    if (best.count <= ours) return;
    for (std::size_t i = 0; i < others.size(); ++i)
        if (claims[i].meets(best.place)) return adopt(*others[i], raw, ours == 1);
}

void Master::adopt(const Member& member, Time raw, bool alone) {
    const Line& line = member.estimator.estimate().line;
    const Time then = member.reported;
    shift(raw, line(then) + member.report.network - network_(then));
    // Ours was the rate of this one clock: it goes on at theirs.
    if (alone) network_.rate = vote_of(line.rate, member.report.rate, {}).rate;
    established_ = member.report.established;
    since_ = raw;
}

}  // namespace conclave::clock
