#include "conclave/simulator/judge.hpp"

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

void Judge::judge_part(const std::vector<Belief>& part, Time now) {
    std::vector<Id> followed;
    Id best = nobody;
    std::uint32_t ignorant = 0;
    for (const Belief& belief : part) {
        if (best == nobody || group_.rank(belief.id) > group_.rank(best)) best = belief.id;
        if (belief.leader == nobody)
            ++ignorant;
        else if (std::find(followed.begin(), followed.end(), belief.leader) == followed.end())
            followed.push_back(belief.leader);
    }
    if (agreement_ && followed.size() > 1)
        accuse("agreement", now,
               text(followed[0]) + " and " + text(followed[1]) + " are both followed");
    if (informed_ && ignorant != 0)
        accuse("informed", now,
               std::to_string(ignorant) + " of " + std::to_string(part.size()) +
                   " live nodes know no leader");
    for (const Id leader : followed) {
        const bool alive =
            std::any_of(part.begin(), part.end(), [&](const Belief& b) { return b.id == leader; });
        if (informed_ && !alive)
            accuse("informed", now, text(leader) + " is followed but out of reach");
        if (best_ && alive && leader != best)
            accuse("best elected", now,
                   text(leader) + " leads, though " + text(best) + " is better");
    }
}

void Judge::judge_work(const std::vector<Belief>& part, Time now) {
    std::string_view decided;
    for (const Belief& belief : part) {
        if (invariant_ && !belief.unfinished.empty())
            accuse("unfinished", now, text(belief.id) + ": " + std::string(belief.unfinished));
        if (agreement_ && !decided.empty() && !belief.decision.empty() &&
            belief.decision != decided)
            accuse("decision", now,
                   std::string(decided) + " and " + std::string(belief.decision) + " are decided");
        if (decided.empty()) decided = belief.decision;
    }
}

void Judge::close(const std::vector<Belief>& beliefs, Outcome& outcome, Time now) {
    std::vector<std::vector<Belief>> parts;
    bool alive = false;
    for (const Belief& belief : beliefs) {
        if (!belief.up) continue;
        ++outcome.believed[belief.leader];
        alive = alive || belief.id == belief.leader;
        const auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& p) {
            return network_.same_part(p.front().id, belief.id);
        });
        (part == parts.end() ? parts.emplace_back() : *part).push_back(belief);
    }
    for (const auto& part : parts) {
        judge_part(part, now);
        judge_work(part, now);
    }
    const auto& believed = outcome.believed;
    if (believed.empty() || (believed.size() == 1 && believed.contains(nobody)) || !alive)
        outcome.end = Outcome::End::leaderless;
    else if (believed.size() == 1)
        outcome.end = Outcome::End::agreed, outcome.leader = believed.begin()->first;
    else
        outcome.end = Outcome::End::split;
    outcome.violations = std::move(violations_);
}

}  // namespace conclave::simulator
