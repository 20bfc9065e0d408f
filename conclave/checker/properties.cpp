#include "conclave/checker/properties.hpp"

#include <algorithm>

#include "conclave/core/text.hpp"

namespace conclave::checker {

namespace {

std::vector<Id> leaders_in(const View& view) {
    std::vector<Id> leaders;
    for (std::size_t i = 0; i < view.alive.size(); ++i)
        if (view.followed[i] == view.alive[i]) leaders.push_back(view.alive[i]);
    return leaders;
}

std::string two_lead(const View& view) {
    const std::vector<Id> leaders = leaders_in(view);
    if (leaders.size() < 2) return {};
    return text(leaders[0]) + " and " + text(leaders[1]) + " both lead";
}

std::string nobody_leads(const View& view) {
    if (view.alive.empty() || !leaders_in(view).empty()) return {};
    return "nothing is left to happen and nobody leads";
}

std::string disagree(const View& view) {
    Id one = nobody;
    for (const Id leader : view.followed) {
        if (leader == nobody) continue;
        if (one != nobody && leader != one)
            return text(one) + " and " + text(leader) + " are both followed";
        one = leader;
    }
    return {};
}

std::string uninformed(const View& view) {
    for (std::size_t i = 0; i < view.alive.size(); ++i) {
        const Id leader = view.followed[i];
        if (leader == nobody) return text(view.alive[i]) + " knows no leader";
        if (std::find(view.alive.begin(), view.alive.end(), leader) == view.alive.end())
            return text(view.alive[i]) + " follows " + text(leader) + ", which is down";
    }
    return {};
}

std::string in_two_minds(const View& view) {
    const std::string apart = disagree(view);
    return apart.empty() ? uninformed(view) : apart;
}

std::string not_best(const View& view, const Group& group) {
    Id best = nobody;
    for (const Id id : view.alive)
        if (best == nobody || group.better(id, best)) best = id;
    for (const Id leader : leaders_in(view))
        if (leader != best) return text(leader) + " leads, though " + text(best) + " is better";
    return {};
}

}  // namespace

std::vector<Named> known_properties() {
    return {{"one-leader", "never two leaders at any instant"},
            {"one-leader-quiet", "never two leaders once nothing is left to happen"},
            {"leader", "never quiet without a leader"},
            {"agreement", "once quiet, all who follow somebody follow the same"},
            {"informed", "once quiet, every live process follows a live one"},
            {"best", "once quiet, whoever leads is the best live process"},
            {"in-time", "when time is up, or once quiet, all live processes follow a live one"},
            {"finished", "then nobody lacks what the algorithm says a run may not end without"},
            {"invariant", "the algorithm's own invariant holds after every turn"},
            {"eventually", "every fair run comes to a leader"},
            {"rows", "every row of the transition table fires in some run"}};
}

std::vector<Property> make_properties(const std::vector<std::string>& names, const Group& group) {
    const auto leads = [](const View& view) { return !leaders_in(view).empty(); };
    const auto lives = [](const View& view) { return !view.alive.empty(); };
    const auto follows = [](const View& view) {
        return std::any_of(view.followed.begin(), view.followed.end(),
                           [](Id leader) { return leader != nobody; });
    };
    std::vector<Property> list;
    for (const std::string& name : names) {
        const auto add = [&](auto judge, std::function<bool(const View&)> at_stake) {
            const auto wrong = [judge](const Space& space, const std::uint32_t* world) {
                return judge(space.view(world));
            };
            list.push_back({name, true, wrong, std::move(at_stake)});
        };
        if (name == "one-leader")
            list.push_back({name, false,
                            [](const Space& space, const std::uint32_t* world) -> std::string {
                                return space.two_leaders(world) ? two_lead(space.view(world)) : "";
                            },
                            leads});
        if (name == "one-leader-quiet") add(two_lead, leads);
        if (name == "leader") add(nobody_leads, lives);
        if (name == "agreement") add(disagree, follows);
        if (name == "informed") add(uninformed, lives);
        const auto add_at_end = [&](auto judge) {
            add(judge, lives);
            list.push_back(
                {name, false,
                 [judge](const Space& space, const std::uint32_t* world) -> std::string {
                     const View view = space.view(world);
                     return view.time_is_up ? judge(view) : "";
                 },
                 [](const View& view) { return view.time_is_up && !view.alive.empty(); }});
        };
        if (name == "in-time") add_at_end(in_two_minds);
        if (name == "finished") add_at_end([](const View& view) { return view.lacking; });
        if (name == "best")
            add([&group](const View& view) { return not_best(view, group); }, leads);
    }
    return list;
}

std::vector<std::string> promised(const Card& card, bool has_invariant) {
    std::vector<std::string> names{card.promises.one_leader ? "one-leader" : "one-leader-quiet",
                                   "agreement", "leader"};
    if (has_invariant) names.emplace_back("invariant");
    if (card.promises.informed) names.emplace_back("informed");
    if (card.promises.best) names.emplace_back("best");
    return names;
}

}  // namespace conclave::checker
