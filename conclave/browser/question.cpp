// The page's request to the checker: the words of a scenario that both know, and how often what may
// happen.
#include <algorithm>

#include "conclave/browser/counterexample.hpp"
#include "conclave/browser/laboratory.hpp"
#include "conclave/browser/request.hpp"
#include "conclave/browser/verdict_json.hpp"
#include "conclave/checker/checker_engines.hpp"
#include "conclave/checker/properties.hpp"
#include "conclave/options/option_table.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "conclave/simulator/world/layout.hpp"

namespace conclave::browser {

namespace {

using checker::Budget;
using checker::Query;

constexpr std::int64_t states_most = 3'000'000;  // of a browser's memory

namespace question_options {  // names that others in this folder have, too

using options::Count, options::Text, options::flag, options::often, options::once;
using Option = options::Option<Query>;

template <auto Field>
constexpr auto spend = [](auto& query) -> auto& { return query.budget.*Field; };
template <auto Field>
constexpr Option faults(std::string_view name, std::string_view help) {
    return once<spend<Field>, Count<0, 15>, Query>(name, help, "0");
}

constexpr Option rows[] = {
    faults<&Budget::crashes>("crashes", "crashes of nodes"),
    faults<&Budget::recoveries>("recoveries", "restarts with what was stored"),
    faults<&Budget::blank_recoveries>("blanks", "restarts with nothing stored"),
    faults<&Budget::losses>("lose", "lost messages"),
    faults<&Budget::duplicates>("duplicate", "messages that arrive twice"),
    faults<&Budget::mistakes>("mistakes", "wrong suspicions"),
    faults<&Budget::calls>("calls", "elections called without a reason"),
    flag<&Query::detector>("detector", "crashes are noticed, sooner or later"),
    often<&Query::properties, Text>("property", "property that must hold"),
    once<&Query::states_max, Count<1, states_most>>("limit-states", "states to look at"),
};
constexpr options::OptionGroup<Query> groups[] = {{"", rows}};
constexpr options::Table<Query> table(groups);

}  // namespace question_options

std::string refuse_property(const std::string& name) {
    std::string list;
    for (const auto& known : checker::known_properties()) {
        if (known.name == name) return {};
        list += (list.empty() ? "" : ", ") + std::string(known.name);
    }
    return "property cannot be '" + name + "': choose from " + list;
}

// The words about the system; of the search, only what the checker can be asked here.
std::string take_system(std::vector<options::Given>& given, std::vector<options::Given>& system) {
    for (const std::string_view word :
         {"algorithm", "nodes", "order", "graph", "initiators", "set", "attribute"})
        std::erase_if(given, [&](const options::Given& each) {
            if (each.name == word) system.push_back(each);
            return each.name == word;
        });
    for (const options::Given& each : given)
        if (question_options::table.find(each.name) == nullptr)
            return "the checker does not know '" + each.name + "': leave it out";
    return {};
}

std::string read_question(std::vector<options::Given> given, Query& query) {
    query.states_max = states_most;
    std::vector<options::Given> system;
    if (std::string problem = take_system(given, system); !problem.empty()) return problem;
    std::string wrong = question_options::table.read(given, query, "leave it out");
    for (const std::string& name : query.properties)
        if (wrong.empty()) wrong = refuse_property(name);
    if (!wrong.empty()) return wrong;
    simulator::Scenario scenario;
    if (std::string problem = simulator::tell_sound(scenario, system); !problem.empty())
        return problem;
    const checker::Engine* engine = checker::find_engine(scenario.algorithm);
    if (engine == nullptr)
        return "the checker does not know '" + scenario.algorithm + "': choose another algorithm";
    if (scenario.nodes > 9)
        return "nodes cannot be '" + std::to_string(scenario.nodes) +
               "' here: nobody can look at every behaviour of so many, give at most 9";
    const simulator::Layout layout =
        simulator::lay_out(scenario, simulator::Decisions(scenario.seed), *engine->card);
    query.algorithm = scenario.algorithm;
    query.ring = layout.ring;
    query.initiators = simulator::initiators_of(scenario, layout);
    for (const auto& attribute : scenario.attributes)
        query.attributes.emplace_back(attribute.node, attribute.priority);
    query.graph = pinned_graph(scenario);
    query.settings = scenario.settings;
    query.shortest = true;
    return engine->problem(query);
}

}  // namespace

std::string answer_check(std::string_view text) {
    std::string problem;
    const Request request = read_request(text, problem);
    if (!problem.empty()) return problem_json(problem);
    if (request.verb != "check")
        return problem_json("there is no request '" + request.verb +
                            "': the page is of another version than its module, load it anew");
    Query query;
    problem = read_question(request.given, query);
    if (!problem.empty()) return problem_json(problem);
    const checker::Verdict verdict = checker::find_engine(query.algorithm)->explore(query, {});
    if (verdict.clock_read)
        return problem_json(query.algorithm +
                            " reads its clock, and a search knows no time of day:"
                            " choose another algorithm");
    const bool told = !verdict.story.trace.records.empty();
    return "{\"verdict\":" + verdict_json(verdict) + ",\"words\":" +
           (told ? words_json(to_given(to_recording(query, verdict))) : std::string("null")) + "}";
}

}  // namespace conclave::browser
