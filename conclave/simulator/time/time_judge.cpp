#include "conclave/simulator/time/time_judge.hpp"

#include "conclave/clock/marzullo.hpp"
#include "conclave/core/text.hpp"

namespace conclave::simulator {

namespace {

using namespace std::chrono_literals;

constexpr Duration hearsay = 10s;   // a new master has been heard of by then
constexpr Duration unnoticed = 5s;  // by then a clock that leapt or broke badly is measured
constexpr Duration one_story = 10s;

bool is_paper(const TimeScenario& scenario) {
    return scenario.keeping == TimeScenario::Keeping::paper;
}

// The visible time minus real time; absent: nobody looks, or there is nothing to see.
Duration offset_of(TimeNode& node, Time now, bool paper) {
    const Time here = node.oscillator.read(now);
    const bool set = paper ? node.plain_set : node.keeper.is_set();
    if (!set || !(node.up || node.resting)) return absent;
    return (paper ? node.plain.read(here) : here + node.visible.offset(here)) - now;
}

// With its parts, so that a reader sees which of them was too small.
std::string spell_bound(const clock::ErrorBound& bound) {
    return format_duration(bound.total()) + " (estimate " + format_duration(bound.estimate) +
           ", slew " + format_duration(bound.slew) + ", visible " + format_duration(bound.visible) +
           ", path " + format_duration(bound.path) + ", growth " + format_duration(bound.growth) +
           ")";
}

Reigning whose_of(const TimeNode& node) {
    return node.master ? Reigning{node.id, node.reign, node.master->term()} : node.told;
}

}  // namespace

bool TimeJudge::is_good(const TimeNode& node, Time now) const {
    for (const Breakdown& breakdown : scenario_.breakdowns)
        if (breakdown.node == node.id && breakdown.at <= now) return false;
    return true;
}

void TimeJudge::look(Time now, std::span<TimeNode> nodes, TimeOutcome& outcome) {
    Moment moment;
    moment.at = now;
    clock::Wide sum = 0;
    Duration low = Duration::max(), high = Duration::min();
    for (TimeNode& node : nodes) {
        const bool stands = paths_.paused(node.id, now);
        const Duration offset = stands ? absent : offset_of(node, now, is_paper(scenario_));
        moment.offsets.push_back(offset);
        moment.unset += (node.up || node.resting) && !stands && offset == absent ? 1 : 0;
        if (offset == absent || !is_good(node, now)) continue;
        ++moment.judged;
        sum += offset.count();
        low = std::min(low, offset);
        high = std::max(high, offset);
    }
    if (moment.judged != 0) {
        moment.mean = Duration{clock::divide(sum, moment.judged)};
        moment.spread = high - low;
        for (const TimeNode& node : nodes) {
            const Duration offset = moment.offsets[static_cast<std::uint32_t>(node.id) - 1];
            if (offset == absent || !is_good(node, now)) continue;
            const auto beside = static_cast<double>((offset - moment.mean).count());
            moment.squares += beside * beside;
        }
    }
    std::map<std::uint64_t, std::uint32_t> masters;
    for (const TimeNode& node : nodes)
        if (node.master) {
            moment.leading.push_back(node.id);
            moment.masters = std::max(moment.masters, ++masters[paths_.part_of(node.id, now)]);
        }
    moment.bounds.assign(nodes.size(), absent);
    if (!is_paper(scenario_)) {
        const std::vector<Claim> claims = gather(now, moment, nodes, outcome.bounds);
        for (const Claim& claim : claims)
            moment.bounds[static_cast<std::uint32_t>(claim.node->id) - 1] = claim.bound.total();
        judge(now, claims, find_truths(now, nodes), outcome);
        compare(now, nodes, claims, outcome);
    }
    outcome.moments.push_back(std::move(moment));
}

std::map<std::uint64_t, TimeJudge::Truth> TimeJudge::find_truths(Time now,
                                                                 std::span<TimeNode> nodes) const {
    std::map<std::uint64_t, Truth> truths;
    for (TimeNode& node : nodes) {
        if (!node.master || !node.master->founded() || node.master->clocks() == 0) continue;
        if (node.blind || paths_.paused(node.id, now)) continue;
        const Time here = node.oscillator.read(now);
        const Truth truth{whose_of(node), node.master->clocks(), node.master->date_changes(),
                          here + node.master->network()(here) - now};
        const auto [at, first] = truths.try_emplace(paths_.part_of(node.id, now), truth);
        if (std::tie(at->second.clocks, at->second.whose.term) <
            std::tie(truth.clocks, truth.whose.term))
            at->second = truth;
    }
    return truths;
}

// Of all nodes that trust their clocks.
std::vector<TimeJudge::Claim> TimeJudge::gather(Time now, const Moment& moment,
                                                std::span<TimeNode> nodes,
                                                BoundsOutcome& bounds) const {
    std::vector<Claim> claims;
    const Duration fresh = std::max<Duration>(10s, 5 * scenario_.probe);
    for (TimeNode& node : nodes) {
        const Duration offset = moment.offsets[static_cast<std::uint32_t>(node.id) - 1];
        if (offset == absent) continue;
        const Time here = node.oscillator.read(now);
        const clock::Trust trust = node.keeper.trust(here, fresh);
        if (trust == clock::Trust::unknown) {
            ++bounds.untrusting;
            continue;
        }
        const Duration beside = node.visible.offset(here) - node.keeper.servo().offset(here);
        claims.push_back({&node, paths_.part_of(node.id, now), offset,
                          node.keeper.error_bound(here, beside), trust == clock::Trust::holdover});
    }
    return claims;
}

bool TimeJudge::held_to(const Claim& claim, std::uint64_t part, const Truth& truth, Time now) {
    const TimeNode& node = *claim.node;
    if (whose_of(node) == truth.whose) {
        strangers_.erase(node.id);
        return true;
    }
    // The network's time was moved while this node was cut off, there or here.
    const auto cut = cut_off_.find(node.id);
    const bool moved_here = truth.date_changes != node.keeper.date_changes();
    const bool moved_there = cut != cut_off_.end() && moved_ >= cut->second;
    const bool missed = part != claim.part && (moved_here || moved_there);
    auto& [whose, since] =
        strangers_.try_emplace(node.id, std::pair(truth.whose, now)).first->second;
    if (missed || whose != truth.whose) {
        whose = truth.whose;
        since = now;
    }
    return now - since >= hearsay;
}

void TimeJudge::judge(Time now, const std::vector<Claim>& claims,
                      const std::map<std::uint64_t, Truth>& truths, TimeOutcome& outcome) {
    const auto fewer = [](const auto& a, const auto& b) {
        return a.second.clocks < b.second.clocks;
    };
    const auto largest = std::max_element(truths.begin(), truths.end(), fewer);
    if (largest != truths.end()) {
        const Duration offset = largest->second.offset;
        if (clock::magnitude(offset - std::exchange(seen_, offset)) > 1ms) moved_ = now;
    }
    for (const Claim& claim : claims) {
        if (largest == truths.end() || largest->first == claim.part)
            cut_off_.erase(claim.node->id);
        else
            cut_off_.try_emplace(claim.node->id, now);
        const auto own = truths.find(claim.part);
        const bool larger = largest != own && (own == truths.end() || fewer(*own, *largest));
        const auto truth = claim.alone && larger ? largest : own;
        const TimeNode& node = *claim.node;
        const Duration beyond =
            truth == truths.end()
                ? beside_the_others(claim, claims)
                : clock::magnitude(claim.offset - truth->second.offset) - claim.bound.total();
        if (node.blind) {
            excuse(now, claim, node.broke ? Excuse::broke : Excuse::leapt, beyond, outcome);
        } else if (truth == truths.end()) {
            excuse(now, claim, Excuse::masterless, beyond, outcome);
        } else if (!held_to(claim, truth->first, truth->second, now)) {
            excuse(now, claim, Excuse::stranger, beyond, outcome);
        } else {
            count(now, claim, outcome.bounds);
            if (beyond > Duration{0}) note(now, claim, beyond, "the network's time", outcome);
        }
    }
}

void TimeJudge::count(Time now, const Claim& claim, BoundsOutcome& bounds) const {
    ++bounds.judged;
    if (now < scenario_.score) return;
    const Duration bound = claim.bound.total();
    bounds.widths.push_back(bound);
    bounds.doubts.push_back(bound - claim.bound.slew - claim.bound.visible);
}

// Where no master is right: the distance of its interval from where most of those agree who had no
// fault. None, if they do not agree.
Duration TimeJudge::beside_the_others(const Claim& claim, const std::vector<Claim>& claims) {
    const auto interval_of = [](const Claim& each) {
        return clock::Interval::around(each.offset.count(), each.bound.total().count());
    };
    std::vector<clock::Interval> others;
    for (const Claim& other : claims)
        if (other.node != claim.node && other.part == claim.part && !other.node->blind)
            others.push_back(interval_of(other));
    const auto place = clock::majority_place(others);
    const clock::Interval mine = interval_of(claim);
    if (others.size() < 2 || !place) return {};
    return Duration{std::max(place->low - mine.high, mine.low - place->high)};
}

void TimeJudge::excuse(Time now, const Claim& claim, Excuse why, Duration beyond,
                       TimeOutcome& outcome) {
    Excused& excused = outcome.bounds.excused[static_cast<std::size_t>(why)];
    ++excused.looks;
    if (beyond <= Duration{0}) return;
    ++excused.wrong;
    Lapse& lapse = lapses_[claim.node->id];
    if (lapse.last == never || now - lapse.last > scenario_.look) {
        lapse.since = now;
        outcome.story.push_back(format_duration(now) + " node " + text(claim.node->id) +
                                ": its bound of " + format_duration(claim.bound.total()) + " is " +
                                format_duration(beyond) +
                                " short, which is excused: " + std::string(spell(why)));
    }
    lapse.last = now;
    excused.longest = std::max(excused.longest, now - lapse.since + scenario_.look);
    excused.worst = std::max(excused.worst, beyond);
}

// The intervals of those who follow one master meet.
void TimeJudge::compare(Time now, std::span<const TimeNode> nodes, const std::vector<Claim>& claims,
                        TimeOutcome& outcome) {
    // A slave cannot know that its master's clock has just broken.
    const auto just_hit = [&](Id id) {
        return id != nobody && nodes[static_cast<std::uint32_t>(id) - 1].blind &&
               now - nodes[static_cast<std::uint32_t>(id) - 1].hit < unnoticed;
    };
    const auto apart_from_others = [&](const Claim& claim) {
        return claim.alone || claim.node->blind || just_hit(claim.node->told.master);
    };
    for (std::size_t i = 0; i < claims.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Claim &a = claims[i], &b = claims[j];
            if (a.part != b.part || whose_of(*a.node) != whose_of(*b.node)) continue;
            if (apart_from_others(a) || apart_from_others(b)) continue;
            const Duration apart = clock::magnitude(a.offset - b.offset);
            const Duration allowed = a.bound.total() + b.bound.total();
            if (apart > allowed)
                note(now, a, apart - allowed, "the interval of node " + text(b.node->id), outcome);
        }
}

void TimeJudge::note(Time now, const Claim& claim, Duration beyond, const std::string& what,
                     TimeOutcome& outcome) {
    ++outcome.bounds.excursions;
    outcome.bounds.worst = std::max(outcome.bounds.worst, beyond);
    const auto [last, first] = last_noted_.try_emplace(claim.node->id, now);
    if (first || now - last->second >= one_story)
        outcome.story.push_back(format_duration(now) + " node " + text(claim.node->id) +
                                ": its bound of " + spell_bound(claim.bound) + " is " +
                                format_duration(beyond) + " short of " + what);
    last->second = now;
}

}  // namespace conclave::simulator
