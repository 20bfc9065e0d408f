#include "conclave/clock/master.hpp"

namespace conclave::clock {

namespace {

constexpr Duration settled = std::chrono::minutes(1);  // by then a clock that moved is known again
// Oscillators that are in order are no further from each other.
constexpr Rate likely_rate = ppm(200);

bool before(const Master::Member& member, Id id) { return member.id < id; }

bool is_known(const Master::Member& member) {
    return member.estimator.knows_rate() && !member.estimator.in_doubt();
}

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
    // It left for a later master: this one was away and did not notice, so others may have left
    // too.
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
    if (report.set && report.term > term_) term_.number = report.term.number + 1;
    // Before it is told the time.
    if (!known && member.estimator.knows_rate() && !report.set) weigh_opinions(raw);
    if (founded_) enrol(raw);
}

// ---------------------------------------------------------------- what time it is

// In a new term, or the slaves would not believe it.
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

// Members were told the time by another master, so it is not founded anew: sound ones are asked, or
// where there are none, any.
bool Master::go_on_with_members(Time raw) {
    std::vector<const Member*> told;
    std::vector<Interval> claims;
    const auto ask = [&](bool sound) {
        for (const Member& member : members_) {
            if (!member.report.set || !is_known(member) || member.report.sound != sound) continue;
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
bool Master::counts(const Member& member) const { return member.report.sound && is_known(member); }

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
    // Who is away may be of another opinion: nobody moves a network by leaving it.
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

// ---------------------------------------------------------------- other networks

// What a member says the network's time is, against ours, as of its report: by now its raw clock
// has run on, and its claim with it.
Interval Master::claim_of(const Member& member, Time raw) const {
    const Estimator& estimator = member.estimator;
    const Time then = member.reported;
    const Duration theirs = estimator.estimate().line(then) + member.report.network;
    return Interval::around((theirs - network_(then)).count(),
                            (member.report.bound + estimator.bound(raw) + slack).count());
}

// Members come from another side: more of them than follow our time, or from an established one.
void Master::join_larger_side(Time raw) {
    std::size_t ours = 1;
    std::vector<const Member*> others;
    std::vector<Interval> claims;
    for (const Member& member : members_) {
        if (!member.report.set || !counts(member)) continue;
        const Interval claim = claim_of(member, raw);
        // Who follows this master under an earlier term has not heard of its last move yet.
        const bool mine = member.report.term.master == term_.master;
        if (mine || claim.meets({-slack.count(), slack.count()})) {
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

// Who claims another network time than most do, itself included, is not asked about rates.
void Master::judge_offsets(Time raw) {
    std::vector<Interval> intervals{{-slack.count(), slack.count()}};
    const auto judged = [&](const Member& member) { return member.report.set && counts(member); };
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

// ---------------------------------------------------------------- how fast it goes

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
    // What was measured before it was away need not hold any more.
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
    return !member.report.set && !established_ && raw - member.met < settings_.founding &&
           magnitude(opinion_of(member, raw)) > settings_.interval;
}

bool Master::doubts(Id id) const {
    const Member* member = find(id);
    if (member == nullptr) return false;
    const Estimator& estimator = member->estimator;
    return estimator.doubted() ||
           (!estimator.knows_rate() && member->reported - member->moved < settled);
}

bool Master::hurries(Id id) const {
    const Member* member = find(id);
    return member != nullptr && (!member->estimator.knows_rate() || member->estimator.doubted());
}

Correction Master::own_correction(Time raw) const {
    Duration path{};  // of those who would go on with this time
    for (const Member& member : members_) path = std::max(path, member.estimator.estimate().path);
    return {.term = term_,
            .line = network_.moved_to(raw),
            .rate_error = settings_.tolerance,
            .clocks = clocks_,
            .path = path,
            .date_changes = date_changes_,
            .established = established_};
}

}  // namespace conclave::clock
