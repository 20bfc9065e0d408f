#include "conclave/checker/cell_search.hpp"

#include "conclave/checker/checker_hosting.hpp"
#include "conclave/member/cell_machine.hpp"

namespace conclave::checker {

const Engine& cell_engine() {
    using member::CellMachine;
    static const Engine engine{&CellMachine::card, &explore<CellMachine>,
                               &query_problem<CellMachine>, &draw_states<CellMachine>};
    return engine;
}

Query cell_query() {
    Query query;
    query.algorithm = "cell";
    query.ring = {Id{1}, Id{2}, Id{3}};
    query.timing = Timing::bounded;
    query.delay_max = Query::unlimited;
    query.rate_max = 2;
    query.properties = {"one-leader", "invariant"};
    query.settings = {{"promise", "3ms"}, {"lease", "1ms"},    {"heartbeat", "1ms"},
                      {"stop", "1ms"},    {"writes-max", "2"}, {"reads-max", "1"},
                      {"watch", "off"}};
    return query;
}

const std::vector<std::string>& cell_rules() {
    static const std::vector<std::string> names = lease::cell_rule_words();
    return names;
}

}  // namespace conclave::checker
