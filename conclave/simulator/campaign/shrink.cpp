#include "conclave/simulator/campaign/shrink.hpp"

#include <algorithm>
#include <numeric>

#include "conclave/core/check.hpp"
#include "conclave/simulator/campaign/smaller.hpp"
#include "conclave/simulator/scenario/validate.hpp"

namespace conclave::simulator {

namespace {

constexpr std::uint32_t nodes_min = 2;  // one alone elects itself, or talks to itself
constexpr std::uint64_t fresh_seeds =
    20;  // tried when a node is gone and the old chance fits no more

// Found while the run goes on; the other properties are judged at its end.
bool is_instant(const std::string& property) {
    return property == "one leader" || property == "invariant" || property == "token" ||
           property == "progress";
}

class Shrinker {
public:
    Shrinker(const Recording& failing, const ShrinkPlan& plan) : plan_(plan), original_(failing) {
        best_ = failing;
        outcome_ = replay_run(failing);
        runs_ = 1;
        check(!outcome_.violations.empty(), "only a run that violates something can be shrunk");
        wanted_ = outcome_.violations.front();
        quiet_ = outcome_.quiet;
        spoke_ = outcome_.messages != 0;
    }

    Shrunk run() {
        end_early();
        attempt({name_initiators(best_.scenario), best_.decisions});
        for (bool changed = true; changed && !exhausted();) {
            changed = drop_items();
            changed = drop_decisions() || changed;
            changed = drop_nodes() || changed;
            changed = simplify() || changed;
        }
        best_.scenario.seed = original_.scenario.seed;  // chance has no say any more
        outcome_ = replay_run(best_);
        check(fails(outcome_), "a shrunk run fails when it is replayed");
        return {best_, outcome_, wanted_.property, runs_, !exhausted()};
    }

private:
    bool exhausted() const { return runs_ >= plan_.runs_max; }

    // "7: the ring is cut" -> "the ring is cut": at whichever node it is
    static std::string_view invariant(const Violation& violation) {
        const auto colon = violation.what.find(": ");
        return std::string_view(violation.what).substr(colon == std::string::npos ? 0 : colon);
    }

    bool same(const Violation& violation) const {
        return violation.property == wanted_.property &&
               (wanted_.property != "invariant" || invariant(violation) == invariant(wanted_));
    }

    // A run that is cut off before its end, or in which nobody ever calls, shows nothing.
    bool fails(const Outcome& outcome) const {
        if (spoke_ && outcome.messages == 0) return false;
        if (quiet_ && !outcome.quiet && !is_instant(wanted_.property)) return false;
        return std::any_of(outcome.violations.begin(), outcome.violations.end(),
                           [&](const Violation& v) { return same(v); });
    }

    bool attempt(Recording candidate) {
        if (exhausted() || !validate(candidate.scenario).empty()) return false;
        count_run();
        Outcome outcome = replay_run(candidate);
        if (!fails(outcome)) return false;
        best_ = std::move(candidate);
        outcome_ = std::move(outcome);
        return true;
    }

    void count_run() {
        ++runs_;
        if (plan_.progress) plan_.progress(runs_);
    }

    // Events after the violation do not matter, where it is found at once.
    bool end_early() {
        if (!is_instant(wanted_.property)) return false;
        const auto first = std::find_if(outcome_.violations.begin(), outcome_.violations.end(),
                                        [&](const Violation& v) { return same(v); });
        Recording shorter = best_;
        shorter.scenario.until = first->time;
        return shorter.scenario.until != best_.scenario.until && attempt(std::move(shorter));
    }

    bool drop_items() {
        const Recording base = best_;
        const std::size_t count = count_items(base.scenario);
        const auto kept = minimise(count, [&](const Places& places) {
            return attempt({keep_items(base.scenario, places), base.decisions});
        });
        return kept.size() < count;
    }

    bool drop_decisions() {
        const std::size_t before = best_.decisions.size();
        for (const Purpose purpose :
             {Purpose::clock, Purpose::detect, Purpose::choose, Purpose::delay, Purpose::reorder,
              Purpose::duplicate, Purpose::lose, Purpose::fire, Purpose::read}) {
            Recording without = best_;
            std::erase_if(without.decisions,
                          [&](const auto& d) { return d.first.purpose == purpose; });
            if (without.decisions.size() < best_.decisions.size()) attempt(std::move(without));
        }
        const Recording base = best_;
        const std::vector<std::pair<Decision, std::int64_t>> all(base.decisions.begin(),
                                                                 base.decisions.end());
        minimise(all.size(), [&](const Places& places) {
            Recording candidate{base.scenario, {}};
            for (const std::size_t place : places) candidate.decisions.insert(all[place]);
            return attempt(std::move(candidate));
        });
        return best_.decisions.size() < before;
    }

    bool drop_nodes() {
        const std::uint32_t before = best_.scenario.nodes;
        for (std::uint32_t id = best_.scenario.nodes; id >= 1 && best_.scenario.nodes > nodes_min;
             --id) {
            Recording smaller = without_node(best_, Id{id});
            const Scenario& left = smaller.scenario;
            if (left.graph && !graph_problem(*left.graph, left.nodes).empty()) continue;
            if (!attempt(smaller)) try_fresh_seeds(smaller.scenario);
        }
        return best_.scenario.nodes < before;
    }

    // Fewer nodes send fewer messages, so that what chance did to the 17th may now hit another.
    void try_fresh_seeds(Scenario scenario) {
        const Scenario& chance = original_.scenario;
        if (original_.decisions.empty()) return;
        scenario.delay = chance.delay;
        scenario.loss = chance.loss;
        scenario.duplication = chance.duplication;
        scenario.reordering = chance.reordering;
        scenario.same_for_all = chance.same_for_all;
        scenario.clocks = chance.clocks;
        scenario.detector = chance.detector;
        if (!validate(scenario).empty()) return;
        for (std::uint64_t seed = 1; seed <= fresh_seeds && !exhausted(); ++seed) {
            scenario.seed = seed;
            count_run();
            if (attempt(record_run(scenario))) return;
        }
    }

    bool simplify() {
        bool changed = end_early();
        for (bool again = true; again;) {
            again = false;
            for (Recording& candidate : plainer(best_))
                if (attempt(std::move(candidate))) {
                    again = changed = true;
                    break;
                }
        }
        for (std::size_t place = 0; place < count_times(best_); ++place)
            for (Recording& candidate : rounder(best_, place))
                if (attempt(std::move(candidate))) {
                    changed = true;
                    break;
                }
        return changed;
    }

    const ShrinkPlan& plan_;
    const Recording& original_;
    Recording best_;
    Outcome outcome_;
    Violation wanted_;
    bool quiet_ = false, spoke_ = false;
    std::uint64_t runs_ = 0;
};

}  // namespace

Places minimise(std::size_t count, const std::function<bool(const Places&)>& fails) {
    Places kept(count);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    if (count == 0 || fails({})) return {};
    for (std::size_t chunks = 2; kept.size() > 1;) {
        bool reduced = false;
        for (std::size_t i = 0; i < chunks && !reduced; ++i) {
            const auto begin = static_cast<std::ptrdiff_t>(i * kept.size() / chunks);
            const auto end = static_cast<std::ptrdiff_t>((i + 1) * kept.size() / chunks);
            Places rest(kept.begin(), kept.begin() + begin);
            rest.insert(rest.end(), kept.begin() + end, kept.end());
            if (!fails(rest)) continue;
            kept = std::move(rest);
            reduced = true;
        }
        if (reduced)
            chunks = std::max<std::size_t>(std::min(chunks - 1, kept.size()), 2);
        else if (chunks >= kept.size())
            break;
        else
            chunks = std::min(2 * chunks, kept.size());
    }
    return kept;
}

Shrunk shrink(const Recording& failing, const ShrinkPlan& plan) {
    return Shrinker(failing, plan).run();
}

}  // namespace conclave::simulator
