#include "conclave/lab/check_given.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "conclave/checker/cell_search.hpp"
#include "conclave/checker/checker_engines.hpp"
#include "conclave/checker/formation_search.hpp"
#include "conclave/checker/lease_search.hpp"
#include "conclave/checker/member_search.hpp"
#include "conclave/checker/properties.hpp"
#include "conclave/cli/verb.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "conclave/simulator/scenario/words.hpp"
#include "conclave/simulator/world/layout.hpp"
#include "conclave/trace/save.hpp"

namespace conclave::cli {

namespace {

using checker::Query;

// Machines with an agent and a disk. Unknown to the simulator, which lays them out as any full
// network.
constexpr std::string_view machines[] = {"lease", "roster", "cell", "formation", "member"};
bool is_machine(const CheckGiven& given) {
    return std::find(std::begin(machines), std::end(machines), given.algorithm) !=
           std::end(machines);
}
// Faults strike for some ticks, and for some more what comes of them is awaited.
bool has_window(const CheckGiven& given) {
    return given.algorithm == "formation" || given.algorithm == "member";
}

// The options that sim and check share mean the same in both.
simulator::Scenario read_layout(const CheckGiven& given) {
    const bool lease = is_machine(given);
    std::vector<options::Given> words;
    const auto say = [&](std::string_view name, const std::string& value) {
        words.push_back({std::string(name), value, "--" + std::string(name)});
    };
    say("algorithm", lease ? "bully" : given.algorithm);
    say("nodes", !given.nodes.empty() ? given.nodes : given.algorithm == "roster" ? "4" : "3");
    say("initiators", !given.initiators.empty() ? given.initiators : lease ? "1,2" : "all");
    say("order", given.order.empty() || given.order == "all" ? "ascending" : given.order);
    if (!given.graph.empty()) say("graph", given.graph);
    for (const std::string& setting : given.settings)
        if (!lease) say("set", setting);
    for (const std::string& attribute : given.attributes) say("attribute", attribute);
    simulator::Scenario scenario;
    refuse_if(simulator::tell_sound(scenario, words));
    return scenario;
}

Query read_query(const CheckGiven& given) {
    if (checker::find_engine(given.algorithm) == nullptr)
        throw Refusal{simulator::unknown_algorithm(given.algorithm,
                                                   {std::begin(machines), std::end(machines)})};
    const simulator::Scenario scenario = read_layout(given);
    const simulator::Layout layout =
        simulator::lay_out(scenario, simulator::Decisions(scenario.seed));
    Query query;
    query.algorithm = given.algorithm;
    query.ring = layout.ring;
    query.initiators = simulator::initiators_of(scenario, layout);
    for (const auto& attribute : scenario.attributes)
        query.attributes.emplace_back(attribute.node, attribute.priority);
    query.graph = simulator::pinned_graph(scenario);
    query.settings = scenario.settings;
    query.timing = given.timing.value_or(checker::Timing::async);
    query.delay_max = given.delay_max.value_or(query.delay_max);
    query.delay_min = given.delay_min.value_or(query.delay_min);
    if (query.delay_min > query.delay_max)
        throw Refusal{"--delay-min cannot be '" + std::to_string(query.delay_min) +
                      "': give at most --delay-max, " + std::to_string(query.delay_max)};
    query.ticks_max = given.ticks.value_or(0);
    query.rate_max = given.rate_max.value_or(query.rate_max);
    query.tick = given.tick;
    query.budget = given.budget;
    query.detector = given.detector;
    query.start_steps = given.start_steps;
    query.reduce = !given.no_reduce;
    query.rotate = !given.no_rotate;
    query.exact = given.exact;
    query.salt = given.salt;
    query.states_max = given.states_max;
    query.time_max = given.time_max;
    query.shortest = true;
    query.threads =
        given.threads != 0 ? given.threads : std::max(1u, std::thread::hardware_concurrency());
    return query;
}

// When nodes may start late and when faults strike, in ticks.
void read_windows(const CheckGiven& given, Query& query) {
    const auto read = [&](const std::optional<std::uint32_t>& tick, std::string_view option) {
        if (tick && query.ticks_max == 0 && !has_window(given))
            throw Refusal{"--" + std::string(option) +
                          " counts ticks: give their number with --ticks"};
        return tick.value_or(0);
    };
    query.late_from = read(given.late_from, "late-from");
    query.late_until = read(given.late_until, "late-until");
    query.late_all = given.late_all;
    if (given.late_all && query.late_until <= query.late_from)
        throw Refusal{"--late-all needs to know by when: give --late-until, after --late-from"};
    query.faults_from = read(given.faults_from, "faults-from");
    query.faults_until = read(given.faults_until, "faults-until");
}

// "1>2=3": a link on which every message takes three ticks
void read_links(const CheckGiven& given, Query& query) {
    const auto node = [&](std::string_view text) -> std::optional<Id> {
        const auto number = simulator::parse_number<std::uint32_t>(text);
        if (!number || *number < 1 || *number > query.ring.size()) return {};
        return Id{*number};
    };
    for (const std::string& link : given.links) {
        const auto sides = simulator::split_pair(link, "=");
        const auto ends = sides ? simulator::split_pair(sides->first, ">") : std::nullopt;
        const auto from = ends ? node(ends->first) : std::nullopt;
        const auto to = ends ? node(ends->second) : std::nullopt;
        const auto ticks =
            sides ? simulator::parse_number<std::uint32_t>(sides->second) : std::nullopt;
        if (!from || !to || from == to || !ticks || *ticks > 1000)
            throw Refusal{"--link cannot be '" + link +
                          "': give FROM>TO=TICKS with two different nodes, such as 1>2=3"};
        query.delays.push_back({*from, *to, *ticks});
    }
    if (!query.delays.empty() &&
        checker::find_engine(query.algorithm)->card->network != Network::full)
        throw Refusal{"--link is for algorithms in which everybody can reach everybody; " +
                      query.algorithm + " is not one"};
}

void read_rest(const CheckGiven& given, Query& query) {
    read_windows(given, query);
    read_links(given, query);
    if (!given.late.empty())
        for (const std::string_view id : simulator::split_text(given.late, ',')) {
            const auto number = simulator::parse_number<std::uint64_t>(id);
            if (!number || *number < 1 || *number > query.ring.size())
                throw Refusal{"--late names '" + std::string(id) + "': give ids from 1 to " +
                              std::to_string(query.ring.size())};
            query.late.push_back(Id{static_cast<std::uint32_t>(*number)});
        }
    const auto known = checker::known_properties();
    if (given.properties.empty()) return;
    for (const std::string_view name : simulator::split_text(given.properties, ',')) {
        std::vector<std::string_view> names;
        for (const auto& each : known) names.push_back(each.name);
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            std::string list;
            for (const std::string_view each : names)
                list += (list.empty() ? "" : ", ") + std::string(each);
            throw Refusal{"there is no property '" + std::string(name) + "': choose from " + list};
        }
        query.properties.emplace_back(name);
    }
}

// Bits: the places of these names in the list.
std::uint64_t read_names(std::string_view option, const std::vector<std::string>& given,
                         const std::vector<std::string>& names) {
    std::uint64_t bits = 0;
    for (const std::string& name : given) {
        const auto at = std::find(names.begin(), names.end(), name);
        std::string list;
        for (const std::string& each : names) list += (list.empty() ? "" : ", ") + each;
        if (at == names.end())
            throw Refusal{"--" + std::string(option) + " cannot be '" + name + "': choose from " +
                          list};
        bits |= std::uint64_t{1} << (at - names.begin());
    }
    return bits;
}

Query usual_query(const CheckGiven& given, const Query& query) {
    if (given.algorithm == "roster") return checker::roster_query();
    if (given.algorithm == "lease") return checker::lease_query();
    if (given.algorithm == "cell") return checker::cell_query();
    const auto nodes = static_cast<std::uint32_t>(query.ring.size());
    const bool member = given.algorithm == "member";
    const auto usual = [&](std::uint32_t window) {
        return member ? checker::member_query(nodes, window)
                      : checker::formation_query(nodes, window);
    };
    const std::uint32_t from = usual(1).faults_from;
    if (!given.faults_until) return usual(1);
    if (*given.faults_until <= from)
        throw Refusal{"--faults-until cannot be '" + std::to_string(*given.faults_until) +
                      "': give a tick after " + std::to_string(from)};
    return usual(*given.faults_until - from);
}

// In which ticks faults strike, and how long the search goes on, unless that is given.
void read_window(const CheckGiven& given, const Query& usual, Query& query) {
    query.initiators = query.callers = {};  // they need no call
    if (!given.delay_min) query.delay_min = usual.delay_min;
    if (!given.faults_from) query.faults_from = usual.faults_from;
    query.faults_until = usual.faults_until;
    if (!given.ticks) query.ticks_max = usual.ticks_max;
}

const std::vector<std::string>& fault_names(const CheckGiven& given) {
    if (given.algorithm == "member" || given.algorithm == "cell")
        return checker::member_fault_names();
    if (given.algorithm == "formation") return checker::formation_fault_names();
    return checker::process_fault_names();
}

std::uint64_t read_rules(const CheckGiven& given) {
    if (given.algorithm == "formation" && !given.broken.empty())
        throw Refusal{"--break cannot go with formation: give --set hasty=on or --set trusts=on"};
    if (given.algorithm == "cell") return read_names("break", given.broken, checker::cell_rules());
    return read_names(
        "break", given.broken,
        given.algorithm == "roster" ? checker::roster_rules() : checker::lease_rules());
}

// The bounds of this system first, then what was given.
void read_machine(const CheckGiven& given, Query& query) {
    const Query usual = usual_query(given, query);
    query.settings = usual.settings;
    for (const std::string& setting : given.settings) {
        const auto pair = simulator::split_pair(setting, "=");
        if (!pair) throw Refusal{"--set cannot be '" + setting + "': give KEY=VALUE"};
        query.settings.emplace_back(pair->first, pair->second);
    }
    refuse_if(checker::find_engine(given.algorithm)->problem(query));
    query.callers = query.initiators;
    if (has_window(given)) read_window(given, usual, query);
    query.timing = usual.timing;
    if (!given.delay_max) query.delay_max = usual.delay_max;
    if (!given.rate_max) query.rate_max = usual.rate_max;
    if (query.properties.empty()) query.properties = usual.properties;
    query.rules_off = read_rules(given);
    const auto& asked = query.properties;
    const bool for_ever = std::find(asked.begin(), asked.end(), "eventually") != asked.end();
    if (for_ever && given.algorithm == "member" && !given.ticks) query = checker::endless(query);
    if (given.fault_kinds.empty()) return;
    if (query.budget.process_faults == 0)
        throw Refusal{"--process-fault needs to know how many: give --process-faults"};
    // A change of the roster is no fault.
    const auto& names = fault_names(given);
    const std::uint64_t faults = (std::uint64_t{1} << names.size()) - 1;
    query.faults_off = faults & ~read_names("process-fault", given.fault_kinds, names);
}

// Links and places are kept in a byte; larger systems have more states than there is memory anyway.
void refuse_crowds(const checker::Engine& engine, const Query& query) {
    if (engine.card->network == Network::graph &&
        make_graph(query.graph, static_cast<std::uint32_t>(query.ring.size()), 1).links() > 127)
        throw Refusal{"--graph has too many links to look at every behaviour: give at most 127"};
    const std::size_t most = engine.card->network == Network::full ? 16 : 63;
    if (query.ring.size() > most)
        throw Refusal{"--nodes " + std::to_string(query.ring.size()) +
                      " is too many to look at every behaviour: give at most " +
                      std::to_string(most) + ", or conclave sim"};
}

// Each of these would be ignored, and the answer be about another system than was meant.
void refuse_idle(const CheckGiven& given) {
    const bool lease = is_machine(given);
    if (lease && given.timing == checker::Timing::async)
        throw Refusal{"--timing cannot be 'async' with " + given.algorithm +
                      ": it counts on clocks, leave it out"};
    if (!lease &&
        (given.budget.process_faults != 0 || !given.fault_kinds.empty() || !given.broken.empty()))
        throw Refusal{"--process-faults, --process-fault and --break cannot go with '" +
                      given.algorithm +
                      "': they belong to conclave check lease, roster, cell, formation and member"};
    if (given.algorithm == "roster" && !given.record.empty())
        throw Refusal{
            "--record cannot go with roster: conclave sim does not change rosters; give "
            "--trace FILE"};
    if (lease || given.timing == checker::Timing::bounded) return;
    const auto needs_ticks = [](bool set, std::string_view option) {
        if (set)
            throw Refusal{"--" + std::string(option) +
                          " counts ticks, and there are none: give --timing bounded"};
    };
    needs_ticks(given.delay_min.has_value(), "delay-min");
    needs_ticks(given.delay_max.has_value(), "delay-max");
    needs_ticks(given.rate_max.has_value(), "rate-max");
    needs_ticks(given.ticks.has_value(), "ticks");
    needs_ticks(!given.links.empty(), "link");
}

// After a long search it would be too late to find out.
void refuse_unwritable(std::string_view option, const std::string& path) {
    const bool was_there = std::filesystem::exists(path);
    if (!std::ofstream(path, std::ios::app))
        throw Refusal{"cannot write '" + path + "': name another file with --" +
                      std::string(option)};
    if (!was_there) std::filesystem::remove(path);
}

void refuse_files(const CheckGiven& given) {
    for (const std::string& path : given.traces) {
        if (!trace::format_of(path))
            throw Refusal{"--trace '" + path +
                          "' has no form: end it in .txt, .svg, .json, .shiviz or .mmd"};
        refuse_unwritable("trace", path);
    }
    if (!given.record.empty()) refuse_unwritable("record", given.record);
    if (!given.states.empty()) refuse_unwritable("states", given.states);
}

}  // namespace

Query read_question(const CheckGiven& given) {
    Query query = read_query(given);
    refuse_idle(given);
    refuse_files(given);
    read_rest(given, query);
    if (is_machine(given)) read_machine(given, query);
    refuse_crowds(*checker::find_engine(given.algorithm), query);
    if (given.order == "all" && query.ring.size() > 9)
        throw Refusal{"--order all takes " + std::to_string(query.ring.size()) +
                      "! searches: give at most 9 nodes"};
    return query;
}

}  // namespace conclave::cli
