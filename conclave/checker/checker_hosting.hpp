// The bodies of check.hpp; included only where an algorithm meets this host.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>

#include "conclave/checker/properties.hpp"
#include "conclave/checker/search/liveness.hpp"
#include "conclave/checker/story/story.hpp"
#include "conclave/checker/verdict.hpp"
#include "conclave/core/count.hpp"
#include "conclave/core/settings.hpp"

namespace conclave::checker {

// Properties that only one system has, asked besides those that are named; specialised beside that
// system.
template <class A>
struct OwnProperties {
    static std::vector<Property> of(std::size_t) { return {}; }
};

namespace detail {

template <class A>
typename A::Turn::Settings settings_of(const Query& query, std::string& problem) {
    typename A::Turn::Settings settings{};
    for (const auto& [key, value] : query.settings)
        if (problem.empty()) problem = apply_setting(settings, key, value);
    return settings;
}

inline bool asked_for(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// A name may stand for several properties: it was at stake if one of them was.
inline void tell_untested(const std::vector<Property>& properties, std::uint64_t tested,
                          Verdict& verdict) {
    std::vector<std::string> at_stake;
    for (std::size_t i = 0; i < properties.size(); ++i)
        if ((tested >> i & 1) != 0) at_stake.push_back(properties[i].name);
    for (const Property& property : properties)
        if (!asked_for(at_stake, property.name) && !asked_for(verdict.untested, property.name))
            verdict.untested.push_back(property.name);
}

template <class A>
void look_for_lasso(const Query& query, Shared<A>& shared, Verdict& verdict) {
    if (!verdict.searched.complete) {  // what is endless is not known either
        if (verdict.what.empty() && query.states_max == lasso_worlds_max)
            verdict.what =
                "eventually looks at no more than " + std::to_string(lasso_worlds_max) + " states";
        return;
    }
    Model<A> model(shared);
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
    verdict.story = Teller<A>(model, query.tick).tell(lasso.worlds, lasso.steps, verdict.what);
}

// In the end somebody leads, whatever the order of events: promised where nothing fails and where
// messages and timers are as the algorithm assumes. If time ends or turns are drawn at random, no
// single run must get there.
template <class A>
bool promises_leader(const Query& query) {
    const bool timed = query.timing == Timing::bounded && query.delay_max != Query::unlimited;
    const bool calm = query.budget == Budget{} && query.late.empty() && !query.initiators.empty();
    if constexpr (requires { typename A::Faults; }) return false;
    return calm && query.ticks_max == 0 && (timed || A::Turn::Timers::count == 0);
}

// Unasked, and so only where it costs little beside the search.
template <class A>
void look_for_life(const Query& query, Shared<A>& shared, Verdict& verdict) {
    constexpr std::uint64_t few = 20'000;
    if (verdict.answer != Verdict::Answer::holds || verdict.searched.states > few) return;
    Verdict life = verdict;
    look_for_lasso<A>(query, shared, life);
    if (life.answer == Verdict::Answer::unknown) return;
    verdict = life;
    verdict.properties.emplace_back("eventually");
}

// An invariant also holds where nobody is ever elected, so beside other properties it does not
// count.
inline bool nothing_at_stake(const Query& query, const Verdict& verdict) {
    const bool alone = query.properties == std::vector<std::string>{"invariant"};
    return std::all_of(query.properties.begin(), query.properties.end(), [&](const auto& name) {
        return (name == "invariant" && !alone) || asked_for(verdict.untested, name);
    });
}

template <class A>
void look_for_rows(Verdict& verdict) {
    if constexpr (requires { A::rows(); }) {
        const std::size_t count = A::rows().size();
        const std::uint64_t all = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        verdict.rows_missing = all & ~verdict.searched.rows_fired;
        if (verdict.rows_missing == 0 || verdict.answer != Verdict::Answer::holds) return;
        verdict.answer = Verdict::Answer::violated;
        verdict.property = "rows";
        for (std::size_t i = 0; i < count; ++i)
            if ((verdict.rows_missing >> i & 1) != 0)
                verdict.rows_silent.push_back(row_name(A::rows()[i]));
        const std::size_t silent = verdict.rows_silent.size();
        verdict.what = count_of(silent, "row") + (silent == 1 ? " never fires" : " never fire");
    } else {
        verdict.untested.emplace_back("rows");
    }
}

// Looks for faults that no single state shows, where no wrong state was found.
template <class A>
void look_further(const Query& asked, const Query& query, Shared<A>& shared, Verdict& verdict) {
    if (asked_for(query.properties, "eventually")) look_for_lasso<A>(query, shared, verdict);
    if (asked_for(query.properties, "rows")) look_for_rows<A>(verdict);
    if (asked.properties.empty() && promises_leader<A>(query) && !shared.parts.chose)
        look_for_life<A>(query, shared, verdict);
    if (verdict.answer == Verdict::Answer::holds && nothing_at_stake(query, verdict))
        verdict.answer = Verdict::Answer::vacuous;
}

}  // namespace detail

template <class A>
std::string query_problem(const Query& query) {
    std::string problem;
    detail::settings_of<A>(query, problem);
    return problem;
}

template <class A>
Verdict explore(const Query& asked, const Report& report) {
    Query query = asked;
    constexpr bool has_invariant =
        requires(const A& a, const typename A::Turn& turn) { a.broken(turn); };
    auto own = OwnProperties<A>::of(query.ring.size());
    if (query.properties.empty() && own.empty())
        query.properties = promised(A::card, has_invariant);
    // With more states, even reduced, a graph is too large to look at.
    if (detail::asked_for(query.properties, "eventually") && query.states_max == 0)
        query.states_max = lasso_worlds_max;
    std::string problem;
    const auto settings = detail::settings_of<A>(query, problem);
    check(problem.empty(), "settings are checked before a search");
    Shared<A> shared(query, settings);
    auto properties = make_properties(query.properties, shared.group);
    for (Property& each : own) {
        query.properties.emplace_back(each.name);
        properties.push_back(std::move(each));
    }
    const MakeSpace make = [&] { return std::make_unique<Model<A>>(shared); };

    Verdict verdict;
    verdict.algorithm = A::card.name;
    verdict.nodes = static_cast<std::uint32_t>(query.ring.size());
    verdict.properties = query.properties;
    verdict.searched = search(shared.query, make, properties, report);
    verdict.clock_read = shared.parts.clock_read;
    if (verdict.clock_read) return verdict;
    const Searched& done = verdict.searched;
    verdict.what = done.outgrown;
    verdict.answer = done.complete ? Verdict::Answer::holds : Verdict::Answer::unknown;
    const auto states = static_cast<double>(done.states);
    verdict.collision = query.exact ? 0 : states * states / std::ldexp(1.0, 65);
    detail::tell_untested(properties, done.tested, verdict);
    if (done.crowded && verdict.what.empty())
        verdict.what = "all nodes can start in more ways than that";
    if (!has_invariant && detail::asked_for(query.properties, "invariant"))
        verdict.untested.emplace_back("invariant");
    constexpr bool has_work =
        requires(const A& a, const typename A::Turn& turn) { a.unfinished(turn); };
    if (!has_work && detail::asked_for(query.properties, "finished") &&
        !detail::asked_for(verdict.untested, "finished"))
        verdict.untested.emplace_back("finished");
    if (!done.found.property.empty() && done.outgrown.empty()) {
        verdict.answer = Verdict::Answer::violated;
        verdict.property = done.found.property;
        verdict.what = done.found.what;
        Model<A> model(shared);
        verdict.story =
            Teller<A>(model, query.tick)
                .tell(done.found.worlds, done.found.steps, verdict.property + ": " + verdict.what);
    } else {
        detail::look_further<A>(asked, query, shared, verdict);
    }
    verdict.coarse = shared.parts.coarse;
    verdict.story.trace.title = std::string(A::card.name) + ", " + count_of(verdict.nodes, "node") +
                                (done.found.shortest ? ": shortest" : ": a") + " counterexample";
    return verdict;
}

template <class A>
std::string draw_states(const Query& query, std::uint64_t states_max) {
    std::string problem;
    Shared<A> shared(query, detail::settings_of<A>(query, problem));
    Model<A> model(shared);
    const StateGraph graph = draw_graph(model, states_max);
    if (!graph.complete) return {};
    return to_dot(graph, model,
                  std::string(A::card.name) + ", " + count_of(query.ring.size(), "node") + ", " +
                      count_of(graph.worlds.size(), "state"));
}

}  // namespace conclave::checker
