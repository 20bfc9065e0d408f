#include "conclave/lab/check_given.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "conclave/checker/engines.hpp"
#include "conclave/checker/lease.hpp"
#include "conclave/checker/properties.hpp"
#include "conclave/cli/command.hpp"
#include "conclave/simulator/layout.hpp"
#include "conclave/simulator/spelling.hpp"
#include "conclave/simulator/validate.hpp"
#include "conclave/simulator/words.hpp"
#include "conclave/trace/save.hpp"

namespace conclave::cli {

namespace {

using checker::Query;

std::uint64_t read_number(const std::optional<std::string>& text, std::string_view option,
                          std::uint64_t usual, std::uint64_t most) {
    if (!text) return usual;
    const auto number = simulator::parse_number<std::uint64_t>(*text);
    if (!number || *number > most)
        throw Refusal{"--" + std::string(option) + " cannot be '" + *text +
                      "': give a whole number up to " + std::to_string(most)};
    return *number;
}

// The words that sim and check share mean the same in both.
simulator::Scenario read_layout(const CheckGiven& given) {
    const bool lease = given.algorithm == "lease";  // unknown to the simulator, which lays it out
    std::vector<simulator::Saying> sayings{{"algorithm", lease ? "bully" : given.algorithm, ""}};
    const auto say = [&](std::string_view word, const std::optional<std::string>& value) {
        if (value) sayings.push_back({std::string(word), *value, ""});
    };
    say("nodes", given.nodes ? given.nodes : std::optional<std::string>("3"));
    say("initiators",
        given.initiators ? given.initiators : std::optional<std::string>(lease ? "1,2" : "all"));
    say("order", !given.order || given.order == "all" ? std::optional<std::string>("ascending")
                                                      : given.order);
    for (const std::string& setting : given.settings)
        if (!lease) say("set", setting);
    for (const std::string& attribute : given.attributes) say("attribute", attribute);
    simulator::Scenario scenario;
    if (const std::string problem = simulator::tell_sound(scenario, sayings); !problem.empty())
        throw Refusal{problem};
    return scenario;
}

Query read_query(const CheckGiven& given) {
    if (checker::find_engine(given.algorithm) == nullptr)
        throw Refusal{simulator::unknown_algorithm(given.algorithm, "lease")};
    const simulator::Scenario scenario = read_layout(given);
    const simulator::Layout layout =
        simulator::lay_out(scenario, simulator::Decisions(scenario.seed));
    Query query;
    query.algorithm = given.algorithm;
    query.ring = layout.ring;
    query.initiators = simulator::initiators_of(scenario, layout);
    for (const auto& attribute : scenario.attributes)
        query.attributes.emplace_back(attribute.node, attribute.priority);
    query.settings = scenario.settings;
    if (given.timing && given.timing != "async" && given.timing != "bounded")
        throw Refusal{"--timing cannot be '" + *given.timing + "': give async or bounded"};
    query.timing = given.timing == "bounded" ? checker::Timing::bounded : checker::Timing::async;
    query.delay_max =
        static_cast<std::uint32_t>(read_number(given.delay_max, "delay-max", 1, 1000));
    query.delay_min =
        static_cast<std::uint32_t>(read_number(given.delay_min, "delay-min", 0, query.delay_max));
    query.ticks_max = static_cast<std::uint32_t>(read_number(given.ticks, "ticks", 0, 1'000'000));
    query.rate_max = static_cast<std::uint32_t>(read_number(given.rate_max, "rate-max", 1, 10));
    if (given.tick) {
        const auto tick = parse_duration(*given.tick);
        if (!tick || *tick <= Duration{0})
            throw Refusal{"--tick cannot be '" + *given.tick + "': give a duration such as 1ms"};
        query.tick = *tick;
    }
    const auto few = [&](const std::optional<std::string>& text, std::string_view option) {
        return static_cast<std::uint8_t>(read_number(text, option, 0, 15));
    };
    query.budget = {few(given.crashes, "crashes"),      few(given.recoveries, "recoveries"),
                    few(given.blanks, "blanks"),        few(given.losses, "lose"),
                    few(given.duplicates, "duplicate"), few(given.mistakes, "mistakes"),
                    few(given.calls, "calls")};
    query.detector = given.detector;
    query.start_steps = given.start_steps;
    query.reduce = !given.no_reduce;
    query.rotate = !given.no_rotate;
    query.exact = given.exact;
    query.salt = read_number(given.salt, "salt", 0, ~std::uint64_t{0});
    query.states_max = read_number(given.states_max, "limit-states", 0, ~std::uint64_t{0});
    query.shortest = true;
    query.threads = static_cast<std::uint32_t>(read_number(
        given.threads, "threads", std::max(1u, std::thread::hardware_concurrency()), 256));
    if (query.threads == 0) throw Refusal{"--threads cannot be '0': give 1 to 256"};
    return query;
}

// When nodes may start late and when misfortunes strike, in ticks.
void read_windows(const CheckGiven& given, Query& query) {
    const auto read = [&](const std::optional<std::string>& text, std::string_view option) {
        if (text && query.ticks_max == 0)
            throw Refusal{"--" + std::string(option) +
                          " counts ticks: give their number with --ticks"};
        return static_cast<std::uint32_t>(read_number(text, option, 0, 1'000'000));
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
    if (given.time_max) {
        const auto limit = parse_duration(*given.time_max);
        if (!limit || *limit <= Duration{0})
            throw Refusal{"--limit-time cannot be '" + *given.time_max +
                          "': give a duration such as 60s"};
        query.time_max = *limit;
    }
    if (given.late)
        for (const std::string_view id : simulator::split_text(*given.late, ',')) {
            const auto number = simulator::parse_number<std::uint64_t>(id);
            if (!number || *number < 1 || *number > query.ring.size())
                throw Refusal{"--late names '" + std::string(id) + "': give ids from 1 to " +
                              std::to_string(query.ring.size())};
            query.late.push_back(Id{static_cast<std::uint32_t>(*number)});
        }
    const auto known = checker::known_properties();
    if (!given.properties) return;
    for (const std::string_view name : simulator::split_text(*given.properties, ',')) {
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

// The lease: its bounds first, then what was given.
void read_lease(const CheckGiven& given, Query& query) {
    const Query usual = checker::lease_query();
    query.settings = usual.settings;
    for (const std::string& setting : given.settings) {
        const auto pair = simulator::split_pair(setting, "=");
        if (!pair) throw Refusal{"--set cannot be '" + setting + "': give KEY=VALUE"};
        query.settings.emplace_back(pair->first, pair->second);
    }
    if (const std::string problem = checker::lease_engine().problem(query); !problem.empty())
        throw Refusal{problem};
    query.callers = query.initiators;
    query.timing = usual.timing;
    if (!given.delay_max) query.delay_max = usual.delay_max;
    if (!given.rate_max) query.rate_max = usual.rate_max;
    if (query.properties.empty()) query.properties = usual.properties;
    query.budget.woes =
        static_cast<std::uint8_t>(read_number(given.process_faults, "process-faults", 0, 15));
    query.rules_off = read_names("break", given.broken, checker::lease_rules());
    if (given.fault_kinds.empty()) return;
    if (query.budget.woes == 0)
        throw Refusal{"--process-fault needs to know how many: give --process-faults"};
    query.woes_off = ~read_names("process-fault", given.fault_kinds, checker::lease_woes());
}

// Links and places are kept in a byte; larger systems have more states than there is memory anyway.
void refuse_crowds(const checker::Engine& engine, const Query& query) {
    const std::size_t most = engine.card->network == Network::full ? 16 : 63;
    if (query.ring.size() > most)
        throw Refusal{"--nodes " + std::to_string(query.ring.size()) +
                      " is too many to look at every behaviour: give at most " +
                      std::to_string(most) + ", or conclave sim"};
}

// Each of these would be ignored, and the answer be about another system than was meant.
void refuse_idle(const CheckGiven& given) {
    const bool lease = given.algorithm == "lease";
    if (lease && given.timing == "async")
        throw Refusal{"--timing cannot be 'async' with lease: it counts on clocks, leave it out"};
    if (!lease && (given.process_faults || !given.fault_kinds.empty() || !given.broken.empty()))
        throw Refusal{"--process-faults, --process-fault and --break cannot go with '" +
                      given.algorithm + "': they belong to conclave check lease"};
    if (lease || given.timing == "bounded") return;
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
                          "' has no form: end it in .txt, .json, .shiviz or .mmd"};
        refuse_unwritable("trace", path);
    }
    if (given.record) refuse_unwritable("record", *given.record);
    if (given.graph) refuse_unwritable("graph", *given.graph);
}

}  // namespace

Query read_question(const CheckGiven& given) {
    Query query = read_query(given);
    refuse_idle(given);
    refuse_files(given);
    read_rest(given, query);
    if (given.algorithm == "lease") read_lease(given, query);
    refuse_crowds(*checker::find_engine(given.algorithm), query);
    if (given.order == "all" && query.ring.size() > 9)
        throw Refusal{"--order all takes " + std::to_string(query.ring.size()) +
                      "! searches: give at most 9 nodes"};
    return query;
}

}  // namespace conclave::cli
