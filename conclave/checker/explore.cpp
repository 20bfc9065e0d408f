#include "conclave/checker/explore.hpp"

#include <algorithm>
#include <cmath>

#include "conclave/checker/properties.hpp"
#include "conclave/checker/search/liveness.hpp"
#include "conclave/checker/story/story.hpp"
#include "conclave/core/count.hpp"

namespace conclave::checker {

namespace {

bool asked_for(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// A name may stand for several properties: it was at stake if one of them was.
void tell_untested(const std::vector<Property>& properties, std::uint64_t tested,
                   Verdict& verdict) {
    std::vector<std::string> at_stake;
    for (std::size_t i = 0; i < properties.size(); ++i)
        if ((tested >> i & 1) != 0) at_stake.push_back(properties[i].name);
    for (const Property& property : properties)
        if (!asked_for(at_stake, property.name) && !asked_for(verdict.untested, property.name))
            verdict.untested.push_back(property.name);
}

void look_for_lasso(const Query& query, Model& model, Verdict& verdict) {
    if (!verdict.searched.complete) {  // what is endless is not known either
        if (verdict.what.empty() && query.states_max == lasso_worlds_max)
            verdict.what =
                "eventually looks at no more than " + std::to_string(lasso_worlds_max) + " states";
        return;
    }
    const auto spent = std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(verdict.searched.seconds));
    const Lasso lasso =
        find_lasso(query, model,
                   query.time_max == Duration{0} ? query.time_max
                                                 : std::max(query.time_max - spent, Duration{1}));
    if (!lasso.complete) {
        verdict.answer = Verdict::Answer::unknown;
        verdict.what =
            "the whole graph of steps has more than " + std::to_string(lasso.states) + " states";
        return;
    }
    if (!lasso.tested) verdict.untested.emplace_back("eventually");
    if (!lasso.found) return;
    verdict.answer = Verdict::Answer::violated;
    verdict.property = "eventually";
    verdict.what = lasso.circle == 0 ? "the run ends without a leader"
                                     : "the last " + count_of(lasso.circle, "step") +
                                           " can repeat for ever without a leader";
    verdict.circle = lasso.circle;
    verdict.story = tell_story(model, lasso.worlds, lasso.steps, verdict.what);
}

// In the end somebody leads, whatever the order of events: promised where nothing fails and where
// messages and timers are as the algorithm assumes. If time ends or turns are drawn at random, no
// single run must get there.
bool promises_leader(const Query& query, const NodeTraits& traits) {
    const bool timed = query.timing == Timing::bounded && query.delay_max != Query::unlimited;
    const bool calm = query.budget == Budget{} && query.late.empty() && !query.initiators.empty();
    return traits.faults.empty() && calm && query.ticks_max == 0 &&
           (timed || traits.timers.empty());
}

// Unasked, and so only where it costs little beside the search.
void look_for_life(const Query& query, Model& model, Verdict& verdict) {
    constexpr std::uint64_t few = 20'000;
    if (verdict.answer != Verdict::Answer::holds || verdict.searched.states > few) return;
    Verdict life = verdict;
    look_for_lasso(query, model, life);
    if (life.answer == Verdict::Answer::unknown) return;
    verdict = life;
    verdict.properties.emplace_back("eventually");
}

// An invariant also holds where nobody is ever elected, so beside other properties it does not
// count.
bool nothing_at_stake(const Query& query, const Verdict& verdict) {
    const bool alone = query.properties == std::vector<std::string>{"invariant"};
    return std::all_of(query.properties.begin(), query.properties.end(), [&](const auto& name) {
        return (name == "invariant" && !alone) || asked_for(verdict.untested, name);
    });
}

void look_for_rows(const NodeTraits& traits, Verdict& verdict) {
    const std::size_t count = traits.rows.size();
    if (count == 0) return verdict.untested.emplace_back("rows"), void();
    const std::uint64_t all = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    verdict.rows_missing = all & ~verdict.searched.rows_fired;
    if (verdict.rows_missing == 0 || verdict.answer != Verdict::Answer::holds) return;
    verdict.answer = Verdict::Answer::violated;
    verdict.property = "rows";
    for (std::size_t i = 0; i < count; ++i)
        if ((verdict.rows_missing >> i & 1) != 0) verdict.rows_silent.push_back(traits.rows[i]);
    const std::size_t silent = verdict.rows_silent.size();
    verdict.what = count_of(silent, "row") + (silent == 1 ? " never fires" : " never fire");
}

// Looks for faults that no single state shows, where no wrong state was found.
void look_further(const Query& asked, const Query& query, Model& model, Verdict& verdict) {
    const NodeTraits& traits = model.nodes().traits();
    if (asked_for(query.properties, "eventually")) look_for_lasso(query, model, verdict);
    if (asked_for(query.properties, "rows")) look_for_rows(traits, verdict);
    if (asked.properties.empty() && promises_leader(query, traits) && !model.shared().chose)
        look_for_life(query, model, verdict);
    if (verdict.answer == Verdict::Answer::holds && nothing_at_stake(query, verdict))
        verdict.answer = Verdict::Answer::vacuous;
}

// An algorithm that says nothing of its own invariant or work cannot be found wrong about it.
void tell_unsaid(const NodeTraits& traits, const std::vector<std::string>& properties,
                 Verdict& verdict) {
    const auto unsaid = [&](bool said, const char* name) {
        if (!said && asked_for(properties, name) && !asked_for(verdict.untested, name))
            verdict.untested.emplace_back(name);
    };
    unsaid(traits.invariant, "invariant");
    unsaid(traits.work, "finished");
}

}  // namespace

Query with_defaults(const Query& asked, const Card& card, const NodeTraits& traits, bool own) {
    Query query = asked;
    if (query.properties.empty() && !own) query.properties = promised(card, traits.invariant);
    // With more states, even reduced, a graph is too large to look at.
    if (asked_for(query.properties, "eventually") && query.states_max == 0)
        query.states_max = lasso_worlds_max;
    return query;
}

Verdict explore_nodes(const Query& asked, Shared& shared, Nodes& nodes, std::vector<Property> own,
                      const Report& report) {
    Query query = shared.query;
    auto properties = make_properties(query.properties, shared.group);
    for (Property& each : own) {
        query.properties.emplace_back(each.name);
        properties.push_back(std::move(each));
    }
    const MakeSpace make = [&] { return std::make_unique<Model>(shared, nodes); };

    Verdict verdict;
    verdict.algorithm = shared.card.name;
    verdict.nodes = static_cast<std::uint32_t>(query.ring.size());
    verdict.properties = query.properties;
    verdict.searched = search(shared.query, make, properties, report);
    verdict.clock_read = shared.clock_read;
    if (verdict.clock_read) return verdict;
    const Searched& done = verdict.searched;
    verdict.what = done.outgrown;
    verdict.answer = done.complete ? Verdict::Answer::holds : Verdict::Answer::unknown;
    const auto states = static_cast<double>(done.states);
    verdict.collision = query.exact ? 0 : states * states / std::ldexp(1.0, 65);
    tell_untested(properties, done.tested, verdict);
    if (done.crowded && verdict.what.empty())
        verdict.what = "all nodes can start in more ways than that";
    tell_unsaid(nodes.traits(), query.properties, verdict);
    Model model(shared, nodes);
    if (!done.found.property.empty() && done.outgrown.empty()) {
        verdict.answer = Verdict::Answer::violated;
        verdict.property = done.found.property;
        verdict.what = done.found.what;
        verdict.story = tell_story(model, done.found.worlds, done.found.steps,
                                   verdict.property + ": " + verdict.what);
    } else {
        look_further(asked, query, model, verdict);
    }
    verdict.coarse = shared.coarse;
    verdict.story.trace.title = verdict.algorithm + ", " + count_of(verdict.nodes, "node") +
                                (done.found.shortest ? ": shortest" : ": a") + " counterexample";
    return verdict;
}

std::string draw_nodes(Shared& shared, Nodes& nodes, std::uint64_t states_max) {
    Model model(shared, nodes);
    const StateGraph graph = draw_graph(model, states_max);
    if (!graph.complete) return {};
    return to_dot(graph, model,
                  std::string(shared.card.name) + ", " + count_of(shared.ring.size(), "node") +
                      ", " + count_of(graph.worlds.size(), "state"));
}

}  // namespace conclave::checker
