#include "conclave/checker/lease_search.hpp"

#include "conclave/checker/checker_hosting.hpp"
#include "conclave/lease/willing.hpp"
#include "conclave/member/machine.hpp"
#include "conclave/member/membership.hpp"

namespace conclave::checker {

namespace {
using Alone = member::Machine<lease::Leased<lease::Willing>>;
using Rostered = member::Machine<lease::Leased<lease::Willing>, member::Plan>;

// The problems of the plan, or of anything else.
std::string roster_problem(const Query& query) {
    std::string plan;  // the last word counts
    for (const auto& [key, value] : query.settings)
        if (key == "changes") plan = value;
    member::Changes changes;
    if (!changes.parse(plan))
        return "setting changes cannot be '" + plan +
               "': give changes such as +4,-3 or -3+4 or 5ms/2ms, or a choice such as +4|-1";
    if (changes.greatest() > query.ring.size())
        return "setting changes names machine " + std::to_string(changes.greatest()) +
               ": there are " + std::to_string(query.ring.size()) + ", give more with --nodes";
    return query_problem<Rostered>(query);
}
}  // namespace

const Engine& lease_engine() {
    static const Engine engine{&Alone::card, &explore<Alone>, &query_problem<Alone>,
                               &draw_states<Alone>};
    return engine;
}

Query lease_query() {
    Query query;
    query.algorithm = "lease";
    query.ring = {Id{1}, Id{2}, Id{3}};
    query.initiators = query.callers = {Id{1}, Id{2}};
    query.timing = Timing::bounded;
    query.delay_max = Query::unlimited;
    query.rate_max = 2;
    query.properties = {"one-leader", "invariant"};
    query.settings = {{"promise", "3ms"},  {"lease", "1ms"}, {"heartbeat", "1ms"},
                      {"stop", "1ms"},     {"formed", "on"}, {"nonces", "1"},
                      {"rounds-max", "1"}, {"asks-max", "1"}};
    return query;
}

const Engine& roster_engine() {
    static const Engine engine{&Rostered::card, &explore<Rostered>, &roster_problem,
                               &draw_states<Rostered>};
    return engine;
}

Query roster_query() {
    Query query = lease_query();
    query.algorithm = "roster";
    query.ring = {Id{1}, Id{2}, Id{3}, Id{4}};
    query.rate_max = 1;
    query.settings = {{"promise", "3ms"},  {"lease", "2ms"},  {"heartbeat", "1ms"},
                      {"stop", "1ms"},     {"formed", "on"},  {"nonces", "1"},
                      {"rounds-max", "1"}, {"asks-max", "3"}, {"renewals", "off"},
                      {"founders", "3"},   {"changes", "+4"}};
    return query;
}

const std::vector<std::string>& lease_rules() {
    static const std::vector<std::string> names = lease::rule_words();
    return names;
}
const std::vector<std::string>& roster_rules() {
    static const std::vector<std::string> names = lease::roster_rule_words();
    return names;
}

const std::vector<std::string>& process_fault_names() {
    static const std::vector<std::string> names = member::fault_words<member::Faults>();
    return names;
}

}  // namespace conclave::checker
