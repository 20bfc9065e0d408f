#include "conclave/simulator/world/judge.hpp"

#include <algorithm>

namespace conclave::simulator {

namespace {
constexpr std::size_t violations_max = 100;  // a broken run repeats itself
}

Judge::Judge(const Scenario& scenario, const Card& card, const Group& group, const Network& network,
             trace::Trace* trace)
    : group_(group),
      network_(network),
      trace_(trace),
      scope_(scenario.scope),
      one_leader_(scenario.checks.one_leader.value_or(card.promises.one_leader)),
      best_(scenario.checks.best.value_or(card.promises.best)),
      informed_(scenario.checks.informed.value_or(card.promises.informed)),
      agreement_(scenario.checks.agreement.value_or(true)),
      invariant_(scenario.checks.invariant.value_or(true)) {}

void Judge::accuse(std::string property, Time now, std::string what) {
    if (violations_.size() >= violations_max) return;
    if (trace_ != nullptr)
        trace_->add(now, trace::Kind::violation, nobody, nobody, 0, property + ": " + what);
    violations_.push_back({std::move(property), now, std::move(what)});
}

void Judge::set_leading(Id id, bool leads, Time now) {
    const auto at = std::lower_bound(leading_.begin(), leading_.end(), id);
    const bool led = at != leading_.end() && *at == id;
    if (leads && !led) {
        leading_.insert(at, id);
        look_again(now);
    } else if (!leads && led) {
        leading_.erase(at);
        std::erase_if(accused_,
                      [&](const auto& pair) { return pair.first == id || pair.second == id; });
    }
}

void Judge::compare_leaders(Time now) {
    if (!one_leader_ || scope_ == LeaderScope::unchecked) return;
    for (std::size_t i = 0; i < leading_.size(); ++i)
        for (std::size_t j = i + 1; j < leading_.size(); ++j) {
            const std::pair pair{leading_[i], leading_[j]};
            if (scope_ == LeaderScope::connected_part &&
                !network_.same_part(pair.first, pair.second))
                continue;
            if (std::find(accused_.begin(), accused_.end(), pair) != accused_.end()) continue;
            accused_.push_back(pair);
            accuse("one leader", now,
                   text(pair.first) + " and " + text(pair.second) + " both lead");
        }
}

Judge::Part& Judge::part_of(Id id) {
    const auto part = std::find_if(parts_.begin(), parts_.end(),
                                   [&](const Part& p) { return network_.same_part(p.member, id); });
    if (part != parts_.end()) return *part;
    Part& added = parts_.emplace_back();
    added.member = added.best = id;
    return added;
}

void Judge::hear(const Belief& belief) {
    if (alive_.empty()) alive_.resize(group_.size() + 1);
    alive_[static_cast<std::uint32_t>(belief.id)] = true;
    Part& part = part_of(belief.id);
    ++part.size;
    part.led = part.led || belief.leader == belief.id;
    if (group_.better(belief.id, part.best)) part.best = belief.id;
    if (++part.believed[belief.leader] == 1 && belief.leader != nobody)
        part.followed.push_back(belief.leader);
    hear_work(belief, part);
}

void Judge::hear_work(const Belief& belief, Part& part) {
    const std::string decision(belief.decision);
    if (invariant_ && !belief.unfinished.empty() && part.faults.size() < violations_max)
        part.faults.emplace_back("unfinished",
                                 text(belief.id) + ": " + std::string(belief.unfinished));
    if (part.decided.empty()) part.decided = decision;
    if (agreement_ && !decision.empty() && decision != part.decided &&
        part.faults.size() < violations_max)
        part.faults.emplace_back("decision", part.decided + " and " + decision + " are decided");
}

void Judge::judge_part(const Part& part, Time now) {
    const auto ignorant = part.believed.find(nobody);
    if (agreement_ && part.followed.size() > 1)
        accuse("agreement", now,
               text(part.followed[0]) + " and " + text(part.followed[1]) + " are both followed");
    if (informed_ && ignorant != part.believed.end())
        accuse("informed", now,
               std::to_string(ignorant->second) + " of " + std::to_string(part.size) +
                   " live nodes know no leader");
    for (const Id leader : part.followed) {
        const bool alive = group_.contains(leader) && alive_[static_cast<std::uint32_t>(leader)] &&
                           network_.same_part(leader, part.member);
        if (informed_ && !alive)
            accuse("informed", now, text(leader) + " is followed but out of reach");
        if (best_ && alive && leader != part.best)
            accuse("best elected", now,
                   text(leader) + " leads, though " + text(part.best) + " is better");
    }
    for (const auto& [property, what] : part.faults) accuse(property, now, what);
}

void Judge::close(Outcome& outcome, Time now) {
    const std::size_t seen = violations_.size();
    bool led = false;
    for (const Part& part : parts_) {
        judge_part(part, now);
        for (const auto& [leader, count] : part.believed) outcome.believed[leader] += count;
        led = led || part.led;
    }
    const auto& believed = outcome.believed;
    if (believed.empty() || (believed.size() == 1 && believed.contains(nobody)) || !led)
        outcome.end = Outcome::End::leaderless;
    else if (believed.size() == 1)
        outcome.end = Outcome::End::agreed, outcome.leader = believed.begin()->first;
    else
        outcome.end = Outcome::End::split;
    outcome.violations = violations_;
    // A run may be looked at more than once: what was seen on the way stays, the verdict does not.
    violations_.resize(seen);
    parts_.clear();
    alive_.clear();
}

}  // namespace conclave::simulator
