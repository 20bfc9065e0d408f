// Small systems in which an unbroken algorithm keeps its promises, chosen so that a broken one does
// not: they let the algorithm recover, join, agree and finish, and end before a mistake is mended.
#pragma once

#include <string_view>
#include <vector>

#include "tests/checker/settled.hpp"

namespace conclave::checker {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// As the claims have them, but all start at once and faults strike at any time.
inline Query daemons(std::uint32_t nodes, std::uint32_t ticks, const Pairs& other = {}) {
    Query query = claims::tempo::daemons(nodes);
    query.late.clear();
    query.late_from = query.late_until = query.faults_from = 0;
    query.late_all = false;
    query.ticks_max = ticks;
    query.settings.insert(query.settings.end(), other.begin(), other.end());
    return query;
}
inline Query late(Query query, std::vector<Id> who, std::uint32_t from) {
    query.late = std::move(who);
    query.late_from = from;
    return query;
}

inline Query asking(Query query, std::vector<std::string> properties) {
    query.properties = std::move(properties);
    return query;
}
inline Query ending(Query query, std::uint32_t ticks) {
    query.ticks_max = ticks;
    return query;
}
inline Query set(Query query, const Pairs& settings) {
    query.settings.insert(query.settings.end(), settings.begin(), settings.end());
    return query;
}
// Faults strike in these ticks only, so that what comes of them can be awaited.
inline Query troubled(Query query, const Budget& budget, std::uint32_t from, std::uint32_t until) {
    query.budget = budget;
    query.faults_from = from;
    query.faults_until = until;
    return query;
}
inline Query late_within(Query query, std::vector<Id> who, std::uint32_t from, std::uint32_t to) {
    query = late(std::move(query), std::move(who), from);
    query.late_until = to;
    return query;
}

// A member that reports late, joins late or never learns how the task stands is seen at the end.
inline std::vector<Query> planted_bully(std::string_view name) {
    Query calm = in_step(name, 3);
    calm.initiators = {Id{1}};
    calm.settings = failing_bully(3).settings;
    Query work = in_step(name, 3);
    work.settings = calm.settings;
    work = ending(set(work, {{"parts", "6"}, {"work", "4ms"}}), 20);
    Query joining = in_step(name, 2);
    joining.initiators = {Id{2}};
    joining.settings = {{"timeout", "3ms"}, {"patience", "7ms"}, {"grace", "7ms"}, {"parts", "2"}};
    joining = late_within(ending(joining, 20), {Id{1}}, 0, 8);
    return {asking(calm, {"one-leader", "agreement", "leader", "best"}),
            asking(work, {"finished", "in-time"}), asking(joining, {"finished"})};
}

inline std::vector<Query> planted_multicast() {
    Query timed = in_step("multicast", 3);
    timed.settings = {{"timeout", "3ms"}};
    Query all = all_call("multicast", 3);
    all.settings = {{"variant", "all"}};
    return {asking(timed, {"one-leader", "agreement", "leader", "informed", "best"}),
            asking(all, {"leader"})};
}

inline std::vector<Query> planted_invitation() {
    Query query = ending(in_step("invitation", 2), 60);
    query.initiators.clear();
    query.settings = {{"period", "10ms"},   {"timeout", "3ms"}, {"jitter", "0"},
                      {"presence", "40ms"}, {"parts", "4"},     {"work", "6ms"}};
    return {asking(query, {"in-time", "finished", "invariant"})};
}

inline std::vector<Query> planted_nemeth() {
    const std::vector<std::string> all{"one-leader", "in-time", "invariant"};
    const Pairs repair{{"repair", "on"}}, short_timer{{"election-timer", "5ms"}};
    // Half a k each way but between 2 and 3, T = 2k + 1, t = T + k + 1: who hears of a second
    // candidacy in c must start its timer again.
    Query uneven = exchange(4, 70);
    uneven.tick = std::chrono::microseconds(500);
    uneven.delays = {{Id{2}, Id{3}, 2}, {Id{3}, Id{2}, 2}};
    uneven.settings = {{"candidate-timer", "2500us"}, {"election-timer", "4ms"}};
    return {asking(exchange(3, 13), all),
            asking(troubled(exchange(3, 34), {.crashes = 1}, 0, 12), all),
            asking(set(late_within(exchange(3, 30), {Id{1}}, 0, 14), repair), all),
            asking(set(late_within(exchange(3, 30), {Id{3}}, 0, 14), repair), all),
            asking(set(late_within(exchange(3, 30), {Id{1}}, 0, 14), short_timer), all),
            asking(troubled(uneven, {.crashes = 1}, 0, 30), all)};
}

// Both newcomers have found the master by tick 14.
inline Query joined(std::uint32_t ticks, const Pairs& other = {}) {
    return late_within(daemons(3, ticks, other), {Id{2}, Id{3}}, 7, 9);
}
// The election timer of 3 runs out after that of 2.
inline Query in_turn(std::uint32_t ticks) {
    Query query = joined(ticks, {{"candidate", "7ms"}});
    query.delays = {{Id{1}, Id{3}, 3}};
    return query;
}

inline std::vector<Query> tempo_starting() {
    const std::vector<std::string> all{"one-leader", "in-time", "invariant"}, one{"one-leader"};
    const Pairs ranked{{"ranked", "on"}}, hasty{{"startup", "1ms"}, {"no-master", "5ms"}};
    const Pairs slow{{"no-master", "11ms"}, {"candidate", "4ms"}};
    const Pairs often{{"ranked", "on"}, {"announce", "8ms"}}, keeping{{"at-startup", "keep"}};
    const Pairs asking_twice{{"masterreq", "repeated"}, {"copies", "2"}, {"startup", "6ms"}};
    const auto newcomer = [](const Query& query, std::uint32_t from, std::uint32_t until) {
        return late_within(query, {Id{2}}, from, until);
    };
    return {asking(joined(40), all), asking(newcomer(daemons(2, 22, hasty), 7, 9), all),
            asking(late_within(daemons(3, 35, ranked), {Id{3}}, 2, 14), {"in-time", "invariant"}),
            // A Masterup, then a Masterreq may be lost; or both Masterups of two masters
            asking(troubled(newcomer(daemons(2, 20), 3, 5), {.losses = 1}, 6, 8), one),
            asking(troubled(newcomer(daemons(2, 20), 2, 5), {.losses = 1}, 2, 6), one),
            asking(troubled(daemons(2, 34, often), {.losses = 2}, 6, 8), {"in-time"}),
            // Two that start within a delay hear each other; a question may be lost once
            asking(newcomer(daemons(2, 20, keeping), 0, 4), one),
            asking(troubled(newcomer(daemons(2, 26, asking_twice), 10, 11), {.losses = 1}, 10, 12),
                   one),
            // The old master comes back before its slave stands
            asking(troubled(newcomer(daemons(2, 50, slow), 15, 17), {.crashes = 1, .recoveries = 1},
                            27, 29),
                   one)};
}
inline std::vector<Query> tempo_electing() {
    const std::vector<std::string> all{"one-leader", "in-time", "invariant"}, end{"in-time"};
    const Pairs deputy{{"deputy", "on"}};
    return {asking(troubled(in_turn(46), {.crashes = 1}, 20, 22), all),
            asking(troubled(in_turn(90), {.crashes = 2}, 20, 40), end),
            asking(troubled(joined(45), {.crashes = 1}, 20, 24), {"one-leader"}),
            asking(troubled(joined(42), {.calls = 1}, 14, 20), end),
            asking(troubled(joined(28), {.calls = 1}, 14, 20), end),
            asking(troubled(joined(50), {.losses = 1}, 14, 20), end),
            asking(joined(26, deputy), end),
            asking(troubled(joined(44, deputy), {.calls = 1}, 14, 20), end)};
}
// What can be reached at all, also where there are two masters.
inline std::vector<Query> tempo_reaching() {
    const std::vector<std::string> rows{"rows"};
    Query deputy = joined(50, {{"accept", "8ms"}, {"deputy", "on"}, {"announce", "5ms"}});
    deputy.detector = true;
    const Pairs repeating{{"resend", "4ms"}, {"copies", "2"}};
    return {
        asking(late_within(daemons(2, 24, repeating), {Id{2}}, 7, 9), rows),
        asking(troubled(late_within(daemons(3, 40), {Id{3}}, 9, 14), {.losses = 2}, 6, 8), rows),
        asking(troubled(deputy, {.crashes = 1}, 20, 24), rows),
        asking(troubled(joined(50), {.calls = 2}, 14, 18), rows)};
}
inline std::vector<Query> planted_tempo() {
    std::vector<Query> list = tempo_starting();
    for (const auto& more : {tempo_electing(), tempo_reaching()})
        list.insert(list.end(), more.begin(), more.end());
    return list;
}

inline std::vector<Query> planted_ring(std::string_view name) {
    std::vector<Query> list{all_call(name, 3), all_call(name, 3), all_call(name, 3)};
    std::reverse(list[1].ring.begin(), list[1].ring.end());
    list[2].initiators = {Id{1}};
    if (name == "le-lann") list.push_back(asking(list[0], {"best"}));  // among initiators
    if (name == "itai-rodeh") {
        list = {all_call(name, 2)};
        list[0].settings = {{"names", "2"}};
    }
    return list;
}

// A triangle, and a line of four along which ranks rise, fall, or neither.
inline std::vector<Query> planted_graph(std::string_view name) {
    std::vector<Query> list{all_call(name, 3)};
    for (const std::vector<Id>& order :
         {std::vector<Id>{Id{1}, Id{2}, Id{3}, Id{4}}, {Id{4}, Id{1}, Id{3}, Id{2}}}) {
        list.push_back(all_call(name, 4));
        list.back().graph.shape = GraphPlan::Shape::line;
        list.back().ring = order;
    }
    for (Query& query : list)  // all call, so that the best initiator is the best of all
        query.properties = {"one-leader", "agreement", "leader", "informed", "best"};
    return list;
}

// Three nodes start together; one of two comes later; one of three dies.
inline std::vector<Query> planted_garcia_molina() {
    Query calm = ending(in_step("garcia-molina", 3), 25);
    Query joining = late_within(ending(in_step("garcia-molina", 2), 70), {Id{1}}, 10, 12);
    Query dying = troubled(ending(in_step("garcia-molina", 3), 90), {.crashes = 1}, 0, 14);
    std::vector<Query> list;
    for (Query* query : {&calm, &joining, &dying}) {
        query->initiators.clear();
        list.push_back(asking(*query, {"one-leader", "in-time"}));
    }
    return list;
}

// All start together; then one dies, and the others are told sooner or later.
inline std::vector<Query> planted_stoller() {
    Query calm = ending(in_step("stoller", 3), 25);
    calm.initiators.clear();
    Query dying = troubled(calm, {.crashes = 1}, 0, 12);
    dying.detector = true;
    return {asking(calm, {"one-leader", "in-time"}), asking(dying, {"one-leader"})};
}

// One stands before any timeout, so that no vote is split.
inline std::vector<Query> planted_raft() {
    Query query = ending(in_step("raft", 3), 9);
    query.initiators = {Id{1}};
    query.settings = {{"jitter", "0"}};
    return {asking(query, {"one-leader", "in-time"})};
}

inline std::vector<Query> planted_time_slice() {
    Query query = ending(in_step("time-slice", 3), 12);
    return {asking(query, {"one-leader", "in-time"})};
}

inline std::vector<Query> planted_timed(std::string_view name) {
    if (name == "raft") return planted_raft();
    if (name == "stoller") return planted_stoller();
    return name == "time-slice" ? planted_time_slice() : planted_garcia_molina();
}

inline bool is_timed(std::string_view name) {
    return name == "garcia-molina" || name == "stoller" || name == "raft" || name == "time-slice";
}

inline std::vector<Query> planted(std::string_view name) {
    std::vector<Query> list = name == "bully" || name == "consensus" ? planted_bully(name)
                              : name == "multicast"                  ? planted_multicast()
                              : name == "invitation"                 ? planted_invitation()
                              : name == "nemeth"                     ? planted_nemeth()
                              : name == "tempo"                      ? planted_tempo()
                              : name == "echo" || name == "yo-yo"    ? planted_graph(name)
                              : is_timed(name)                       ? planted_timed(name)
                                                                     : planted_ring(name);
    for (Query& query : list) query.states_max = 100'000;
    if (name == "itai-rodeh") list[0].states_max = 3'000;  // rounds without end
    return list;
}

}  // namespace conclave::checker
