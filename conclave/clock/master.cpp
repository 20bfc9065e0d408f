#include "conclave/clock/master.hpp"

namespace conclave::clock {

namespace {

constexpr Duration slack = std::chrono::microseconds(2);
// A time that was just inherited or adopted has those clocks behind it that it had there.
constexpr Duration settling = std::chrono::seconds(5);
constexpr Duration lately = std::chrono::milliseconds(2500);

bool before(const Master::Member& member, Id id) { return member.id < id; }

}  // namespace

Master::Master(Id me, Time raw, const Keeper& keeper, MasterSettings settings)
    : settings_(settings),
      since_(raw),
      term_{keeper.term().number + 1, me},
      date_changes_(keeper.date_changes()) {
    founded_ = keeper.is_set();
    network_ = founded_ ? keeper.line() : Line{raw, keeper.servo().offset(raw), {}};
    if (founded_) clocks_ = std::max(keeper.clocks(), 1u);
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
    member.report = report;
    member.reported = exchange.returned;
    const bool known = member.estimator.knows_rate();
    const Estimator::Verdict verdict = member.estimator.add(sample_of(exchange));
    if (verdict != Estimator::Verdict::fits && known) member.moved = exchange.returned;
    if (report.set && report.term != term_) {
        if (founded_ && report.clocks > clocks_) adopt(member, exchange);
        if (report.term > term_) term_.number = report.term.number + 1;
    }
}

// A slave comes from a side that had more clocks than ours: its time is the network's.
void Master::adopt(const Member& member, const Exchange& exchange) {
    const Estimator& estimator = member.estimator;
    if (!estimator.knows_rate() || estimator.in_doubt()) return;
    const Time raw = exchange.returned;
    const Duration theirs = estimator.estimate().line(raw) + member.report.network;
    const Duration apart = theirs - network_(raw);
    const bool alone = clocks_ == 1;
    clocks_ = member.report.clocks;
    since_ = raw;
    if (magnitude(apart) <= member.report.bound + estimator.bound(raw) + slack) return;
    network_ = network_.moved_to(raw);
    network_.offset += apart;
    // Ours was the rate of this one clock: it goes on at theirs.
    if (alone) network_.rate = vote_of(estimator.estimate().line.rate, member.report.rate, {}).rate;
    term_.number = std::max(term_.number, member.report.term.number) + 1;
}

// In a new term, or the slaves would not believe it.
void Master::move(Time raw, Duration by) {
    network_ = network_.moved_to(raw);
    network_.offset += by;
    ++term_.number;
}
void Master::change_date(Time raw, Duration by) {
    move(raw, by);
    ++date_changes_;
}

// Gusella & Zatti's mean of the clocks as their users see them; their rates as they are.
void Master::found(Time raw, const Keeper& keeper) {
    if (raw - since_ < settings_.founding) return;
    std::vector<Duration> offsets{Duration{0}};
    std::vector<Rate> rates{Rate{}};
    const Duration mine = keeper.servo().offset(raw);
    for (const Member& member : members_) {
        if (!member.estimator.knows_rate()) continue;
        const Line& line = member.estimator.estimate().line;
        offsets.push_back(line(raw) + member.report.shown - mine);
        rates.push_back(line.rate);
    }
    const NetworkMean mean = network_mean(offsets, settings_.interval);
    std::vector<Vote> votes;
    for (const Rate rate : rates) votes.push_back({rate, ppm(200)});
    network_ = {raw, mine + mean.mean, weigh_votes(votes).rate};
    clocks_ = static_cast<std::uint32_t>(mean.count);
    founded_ = true;
}

// Who claims another network time than most do, itself included, is not asked about rates.
void Master::judge_offsets(Time raw) {
    std::vector<Interval> intervals;
    const auto claim = [&](const Member& member) {
        const Estimator& estimator = member.estimator;
        // As of its report: by now its raw clock has run on, and its claim with it.
        const Time then = member.reported;
        const Duration theirs = estimator.estimate().line(then) + member.report.network;
        return Interval::around((theirs - network_(then)).count(),
                                (member.report.bound + estimator.bound(raw) + slack).count());
    };
    const auto judged = [&](const Member& member) {
        return member.report.set && member.estimator.knows_rate() && !member.estimator.in_doubt();
    };
    intervals.push_back({-slack.count(), slack.count()});
    for (const Member& member : members_)
        if (judged(member)) intervals.push_back(claim(member));
    const auto place = majority_place(intervals);
    for (Member& member : members_) {
        member.fault = Fault::none;
        if (raw - member.moved < lately)
            member.fault = Fault::moved;
        else if (place && judged(member) && !claim(member).meets(*place))
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
    judge_offsets(raw);
    std::vector<Vote> votes;
    std::vector<Member*> voters;
    if (keeper.holdover().knows_rate()) {
        votes.push_back(vote_of({}, keeper.holdover().rate(), settings_.tolerance));
        voters.push_back(nullptr);
    }
    std::uint32_t clocks = 1;
    for (Member& member : members_) {
        if (member.report.set && member.fault == Fault::none) ++clocks;
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
    if (raw - since_ > settling) clocks_ = clocks;
    network_ = network_.moved_to(raw);
    if (consent.count != 0) network_.rate = consent.rate;
}

Time Master::backed() const {
    Time last = never;
    for (const Member& member : members_)
        if (member.report.set && member.report.term == term_ && member.fault == Fault::none &&
            (last == never || last < member.reported))
            last = member.reported;
    return last;
}

bool Master::suspects_itself(Time raw) const {
    std::size_t asked = 0, moved = 0, complain = 0;
    for (const Member& member : members_) {
        if (!member.report.set) continue;
        ++asked;
        moved += raw - member.moved < lately ? 1 : 0;
        complain += member.report.complains && member.report.term == term_ ? 1 : 0;
    }
    return asked >= 2 && (2 * moved > asked || 2 * complain > asked);
}

std::optional<Correction> Master::correction_for(Id id, Time raw) const {
    const Member* member = find(id);
    if (!founded_ || resigns_ || member == nullptr) return std::nullopt;
    const Estimator& estimator = member->estimator;
    if (!estimator.knows_rate() || estimator.in_doubt()) return std::nullopt;
    const Estimate& estimate = estimator.estimate();
    return Correction{.term = term_,
                      .line = between(estimate.line, network_, raw),
                      .error = estimate.error,
                      .rate_error = estimate.rate_error,
                      .clocks = clocks_,
                      .path = estimate.path,
                      .date_changes = date_changes_};
}

Correction Master::own_correction(Time raw) const {
    return {.term = term_,
            .line = network_.moved_to(raw),
            .rate_error = settings_.tolerance,
            .clocks = clocks_,
            .date_changes = date_changes_};
}

}  // namespace conclave::clock
