#include "conclave/clock/master.hpp"

namespace conclave::clock {

namespace {

constexpr Duration settled = std::chrono::minutes(1);  // by then a clock that moved is known again

bool before(const Master::Member& member, Id id) { return member.id < id; }

}  // namespace

Master::Master(Id me, Time raw, const Keeper& keeper, MasterSettings settings)
    : settings_(settings),
      since_(raw),
      term_{keeper.term().number + 1, me},
      enrolled_(raw),
      counted_from_(raw),
      date_changes_(keeper.date_changes()) {
    founded_ = keeper.is_set() && !keeper.awaits_measuring();
    network_ = founded_ ? keeper.line() : Line{raw, keeper.servo().offset(raw), {}};
    established_ = keeper.established();
    sound_ = keeper.standing().sound();
    if (!founded_) return;
    predecessor_ = keeper.term().master;
    predecessor_clocks_ = keeper.clocks();
    roll_ = std::max(keeper.clocks(), 1u);
    opinion_ = keeper.standing().opinion();
}

const Master::Member* Master::find(Id id) const {
    const auto at = std::lower_bound(members_.begin(), members_.end(), id, before);
    return at != members_.end() && at->id == id ? &*at : nullptr;
}

Master::Member& Master::enlist(Id id) {
    const auto at = std::lower_bound(members_.begin(), members_.end(), id, before);
    if (at != members_.end() && at->id == id) return *at;
    return *members_.insert(at, Member{id, Estimator(settings_.estimator)});
}

void Master::strike_off(Id id) {
    const auto at = std::lower_bound(members_.begin(), members_.end(), id, before);
    if (at != members_.end() && at->id == id) members_.erase(at);
}

void Master::learn(Id from, const Exchange& exchange, const Report& report) {
    Member& member = enlist(from);
    const Time raw = exchange.returned;
    if (report.epoch != member.report.epoch) member.estimator = Estimator(settings_.estimator);
    // The member left for a later master: this one was away without noticing, and others may have
    // left too.
    const auto is_mine = [&](const Report& said) {
        return said.set && said.term.master == term_.master;
    };
    if (is_mine(member.report) && !is_mine(report) && report.term > term_) counted_from_ = raw;
    member.report = report;
    member.reported = raw;
    if (member.estimator.empty()) member.met = raw;
    const bool known = member.estimator.knows_rate();
    const Estimator::Verdict verdict = member.estimator.add(sample_of(exchange));
    if (verdict != Estimator::Verdict::fits && known) member.moved = raw;
    const bool moved =
        known && (verdict == Estimator::Verdict::moved || member.estimator.doubted());
    if (moved || (report.complains && report.about == term_)) member.disputes = raw;
    if (founded_ && member.moved == raw) resigns_ = resigns_ || suspects_itself(raw);
    if (report.set && report.term > term_) term_.number = report.term.number + 1;
    // Before it is told the time.
    if (!known && member.estimator.knows_rate() && !report.set) weigh_opinions(raw);
    if (founded_) enrol(raw);
}

// ---------------------------------------------------------------- how fast it goes

// A network that is not established may run at the rate of a bad clock that was there first. Most
// oscillators are within the same 200 ppm of each other; if the network's rate is outside, theirs
// is taken.
void Master::weigh_raw_rates(Time raw) {
    if (established_) return;
    std::vector<Vote> votes;
    if (sound_) votes.push_back({Rate{}, likely_rate});
    for (const Member& member : members_)
        if (counts(member) && member.estimator.estimate().rate_error < likely_rate / 10)
            votes.push_back({member.estimator.estimate().line.rate, likely_rate});
    const Consent consent = weigh_votes(votes);
    if (consent.count < 2 || magnitude(consent.rate - network_.rate) <= 2 * likely_rate) return;
    shift(raw, Duration{0});
    network_.rate = consent.rate;
}

// A member that claims another network time than most, the master included, has no vote on the
// rate.
void Master::judge_offsets(Time raw) {
    std::vector<Interval> intervals{{-slack.count(), slack.count()}};
    // A follower of an earlier term of this master has not heard of its last move yet.
    const auto judged = [&](const Member& member) {
        const Term& term = member.report.term;
        const bool behind = term.master == term_.master && term != term_;
        return member.report.set && counts(member) && !behind;
    };
    for (const Member& member : members_)
        if (judged(member)) intervals.push_back(claim_of(member, raw));
    const auto place = majority_place(intervals);
    for (Member& member : members_) {
        member.fault = Fault::none;
        if (raw - member.moved < lately)
            member.fault = Fault::moved;
        else if (place && judged(member) && !claim_of(member, raw).meets(*place))
            member.fault = Fault::offset;
    }
}

Rate Master::reach(const Member& member) const {
    return settings_.tolerance + 3 * member.estimator.estimate().rate_error;
}

void Master::decide(Time raw, const Keeper& keeper) {
    if (!founded_) return found(raw, keeper);
    resigns_ = resigns_ || suspects_itself(raw);
    if (resigns_) return;
    settle_dispute(raw);
    sound_ = keeper.standing().sound() && disputed_ == never;
    join_larger_side(raw);
    weigh_opinions(raw);
    weigh_raw_rates(raw);
    judge_offsets(raw);
    vote_rate(raw, keeper);
    enrol(raw);
}

void Master::vote_rate(Time raw, const Keeper& keeper) {
    std::vector<Vote> votes;
    std::vector<Member*> voters;
    if (keeper.holdover().knows_rate()) {
        votes.push_back(vote_of({}, keeper.holdover().rate(), settings_.tolerance));
        voters.push_back(nullptr);
    }
    for (Member& member : members_) {
        if (member.fault != Fault::none || !member.report.knows_rate) continue;
        if (!member.estimator.knows_rate() || reach(member) > 20 * settings_.tolerance) continue;
        votes.push_back(
            vote_of(member.estimator.estimate().line.rate, member.report.rate, reach(member)));
        voters.push_back(&member);
    }
    const Consent consent = weigh_votes(votes);
    for (std::size_t i = 0; i < voters.size(); ++i)
        if (consent.count != 0 && voters[i] != nullptr && !consent.heard[i])
            voters[i]->fault = Fault::rate;
    network_ = network_.moved_to(raw);
    if (consent.count != 0) network_.rate = consent.rate;
}

std::optional<Correction> Master::correction_for(Id id, Time raw) const {
    const Member* member = find(id);
    if (!founded_ || resigns_ || member == nullptr) return std::nullopt;
    // Measurements from before a silence may be void.
    if (raw - member->reported >= settling()) return std::nullopt;
    const Estimator& estimator = member->estimator;
    if (!estimator.knows_rate() || estimator.in_doubt() || may_be_outvoted(*member, raw))
        return std::nullopt;
    const Estimate& estimate = estimator.estimate();
    const Duration age = std::max(raw - estimate.line.at, Duration{0});
    return Correction{.term = term_,
                      .line = between(estimate.line, network_, raw),
                      .error = estimate.error,
                      .rate_error = estimate.rate_error,
                      .clocks = clocks_,
                      .path = estimate.path + over(estimate.rate_bound, age),
                      .epoch = member->report.epoch,
                      .date_changes = date_changes_,
                      .established = established_,
                      .rate_bound = estimate.rate_bound};
}

// A newcomer that would have to be moved far waits a moment for others of its opinion.
bool Master::may_be_outvoted(const Member& member, Time raw) const {
    return !member.report.set && member.report.sound && !established_ &&
           raw - member.met < settings_.founding &&
           magnitude(opinion_of(member, raw)) > settings_.interval;
}

bool Master::doubts(Id id) const {
    const Member* member = find(id);
    if (member == nullptr) return false;
    const Estimator& estimator = member->estimator;
    if (estimator.knows_rate() || estimator.doubted()) return estimator.doubted();
    // Too little is known to correct it, but enough to see that it follows another time.
    return member->reported - member->moved < settled ||
           (founded_ && member->report.set && !agrees(*member, member->reported));
}

bool Master::is_surprised_by(Id from, const Exchange& exchange) const {
    const Member* member = find(from);
    return member != nullptr && member->estimator.is_surprised_by(sample_of(exchange));
}

bool Master::hurries(Id id) const {
    const Member* member = find(id);
    return member != nullptr && (!member->estimator.knows_rate() || member->estimator.doubted());
}

Correction Master::own_correction(Time raw) const {
    Duration path{};         // of those who would go on with this time
    Rate rate = rate_limit;  // how far that of the one that is known best may be from this one
    for (const Member& member : members_) {
        path = std::max(path, member.estimator.estimate().path);
        if (member.is_known()) rate = std::min(rate, member.estimator.estimate().rate_bound);
    }
    return {.term = term_,
            .line = network_.moved_to(raw),
            .rate_error = settings_.tolerance,
            .clocks = clocks_,
            .path = path,
            .date_changes = date_changes_,
            .established = established_,
            .rate_bound = rate == rate_limit ? Rate{} : rate};
}

}  // namespace conclave::clock
