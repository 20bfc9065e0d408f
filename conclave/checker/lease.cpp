#include "conclave/checker/lease.hpp"

#include "conclave/checker/hosting.hpp"
#include "conclave/lease/willing.hpp"
#include "conclave/member/guarded.hpp"

namespace conclave::checker {

namespace {
using Alone = member::Guarded<lease::Leased<lease::Willing>>;
}

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

const std::vector<std::string>& lease_rules() {
    static const std::vector<std::string> names = lease::rule_words();
    return names;
}

const std::vector<std::string>& lease_woes() {
    static const std::vector<std::string> names = member::misfortune_words<member::Misfortunes>();
    return names;
}

}  // namespace conclave::checker
