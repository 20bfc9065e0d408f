// The bodies of verdict.hpp; included only where an algorithm meets this host.
#pragma once

#include <string>
#include <vector>

#include "conclave/checker/explore.hpp"
#include "conclave/checker/world/nodes_of.hpp"
#include "conclave/core/settings.hpp"

namespace conclave::checker {

// Properties that only one system has, asked besides those that are named; specialised beside that
// system.
template <class A>
struct OwnProperties {
    static std::vector<Property> of(std::size_t) { return {}; }
};

template <class A>
typename A::Turn::Settings settings_of(const Query& query, std::string& problem) {
    typename A::Turn::Settings settings{};
    for (const auto& [key, value] : query.settings)
        if (problem.empty()) problem = apply_setting(settings, key, value);
    return settings;
}

template <class A>
std::string query_problem(const Query& query) {
    std::string problem;
    settings_of<A>(query, problem);
    return problem;
}

template <class A>
Verdict explore(const Query& asked, const Report& report) {
    auto own = OwnProperties<A>::of(asked.ring.size());
    Shared shared(with_defaults(asked, A::card, traits_of<A>(), !own.empty()), A::card);
    std::string problem;
    NodesOf<A> nodes(shared, settings_of<A>(asked, problem));
    check(problem.empty(), "settings are checked before a search");
    return explore_nodes(asked, shared, nodes, std::move(own), report);
}

template <class A>
std::string draw_states(const Query& query, std::uint64_t states_max) {
    Shared shared(query, A::card);
    std::string problem;
    NodesOf<A> nodes(shared, settings_of<A>(query, problem));
    return draw_nodes(shared, nodes, states_max);
}

}  // namespace conclave::checker
