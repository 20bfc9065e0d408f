// conclave check: every behaviour of a small system.
#include "conclave/cli/check.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <thread>

#include "conclave/checker/lease.hpp"
#include "conclave/checker/properties.hpp"
#include "conclave/cli/terminal.hpp"
#include "conclave/cli/verbs.hpp"
#include "conclave/simulator/layout.hpp"
#include "conclave/simulator/spelling.hpp"
#include "conclave/simulator/validate.hpp"
#include "conclave/simulator/words.hpp"
#include "conclave/trace/diagram.hpp"
#include "conclave/trace/save.hpp"

namespace conclave::cli {

namespace {

using checker::Query;
using checker::Verdict;

struct Given {
    std::string algorithm;
    std::optional<std::string> nodes, initiators, order, timing, delay_min, delay_max, rate_max,
        tick, ticks, properties;
    std::optional<std::string> crashes, recoveries, blanks, losses, duplicates, mistakes, calls,
        woes, late, late_from, late_until, faults_from, faults_until;
    std::optional<std::string> states_max, time_max, threads, salt, record, graph;
    std::vector<std::string> settings, attributes, traces, broken, links;
    bool late_all = false, detector = false, start_steps = false, no_reduce = false,
         no_rotate = false, exact = false, json = false;
};

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
simulator::Scenario read_layout(const Given& given) {
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
    if (const std::string problem = simulator::tell(scenario, sayings); !problem.empty())
        throw Refusal{problem};
    if (const auto problems = simulator::validate(scenario); !problems.empty())
        throw Refusal{problems.front()};
    return scenario;
}

Query read_query(const Given& given) {
    if (checker::find_engine(given.algorithm) == nullptr)
        throw Refusal{simulator::unknown_algorithm(given.algorithm)};
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
    query.threads = static_cast<std::uint32_t>(read_number(
        given.threads, "threads", std::max(1u, std::thread::hardware_concurrency()), 256));
    return query;
}

// When nodes may start late and when misfortunes strike, in ticks.
void read_windows(const Given& given, Query& query) {
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
void read_links(const Given& given, Query& query) {
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

void read_rest(const Given& given, Query& query) {
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

// The lease: its bounds first, then what was given.
void read_lease(const Given& given, Query& query) {
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
    query.budget.woes = static_cast<std::uint8_t>(read_number(given.woes, "woes", 0, 15));
    const auto& rules = checker::lease_rules();
    for (const std::string& rule : given.broken) {
        const auto at = std::find(rules.begin(), rules.end(), rule);
        std::string list;
        for (const std::string& each : rules) list += (list.empty() ? "" : ", ") + each;
        if (at == rules.end())
            throw Refusal{"--break cannot be '" + rule + "': choose from " + list};
        query.rules_off |= std::uint64_t{1} << (at - rules.begin());
    }
}

// One verdict for all orders of the ring: the first that is violated, else the sums.
Verdict check_orders(const checker::Engine& engine, Query& query, bool all,
                     const checker::Report& report) {
    if (!all) return engine.explore(query, report);
    std::sort(query.ring.begin(), query.ring.end());
    Verdict sum;
    bool first = true;
    do {
        Verdict verdict = engine.explore(query, report);
        if (!first) {
            verdict.searched.states += sum.searched.states;
            verdict.searched.transitions += sum.searched.transitions;
            verdict.searched.seconds += sum.searched.seconds;
            verdict.searched.depth = std::max(verdict.searched.depth, sum.searched.depth);
            verdict.collision += sum.collision;
        }
        first = false;
        sum = std::move(verdict);
    } while (sum.answer == Verdict::Answer::holds &&
             std::next_permutation(query.ring.begin(), query.ring.end()));
    return sum;
}

void show_story(const Given& given, const Query& query, const Verdict& verdict) {
    const bool told = !verdict.story.trace.records.empty();
    if (told && given.traces.empty() && !given.json)
        std::fputs(trace::diagram(verdict.story.trace, {.colour = wants_colour()}).c_str(), stdout);
    for (const std::string& path : given.traces) {
        if (!told) continue;
        std::string problem;
        if (!trace::save(verdict.story.trace, path, problem)) throw Refusal{problem};
    }
    if (!given.record || !told) return;
    std::ofstream file(*given.record);
    file << simulator::to_toml(to_recording(query, verdict));
    if (!file.flush())
        throw Refusal{"cannot write '" + *given.record + "': name another file with --record"};
}

// Too large a drawing helps nobody.
void draw_graph(const Given& given, const checker::Engine& engine, const Query& query) {
    constexpr std::uint64_t states_max = 300;
    if (!given.graph) return;
    const std::string dot = engine.draw(query, states_max);
    if (dot.empty())
        throw Refusal{"--graph draws at most " + std::to_string(states_max) +
                      " states and this system has more: give fewer nodes or misfortunes"};
    std::ofstream file(*given.graph);
    file << dot;
    if (!file.flush())
        throw Refusal{"cannot write '" + *given.graph + "': name another file with --graph"};
}

// Links and places are kept in a byte; larger systems have more states than there is memory anyway.
void refuse_crowds(const checker::Engine& engine, const Query& query) {
    const std::size_t most = engine.card->network == Network::full ? 16 : 63;
    if (query.ring.size() > most)
        throw Refusal{"--nodes " + std::to_string(query.ring.size()) +
                      " is too many to look at every behaviour: give at most " +
                      std::to_string(most) + ", or conclave sim"};
}

int run(const Given& given) {
    Query query = read_query(given);
    read_rest(given, query);
    if (given.algorithm == "lease") {
        read_lease(given, query);
    } else if (given.woes || !given.broken.empty()) {
        throw Refusal{"--woes and --break cannot go with '" + given.algorithm +
                      "': they are of conclave check lease"};
    }
    const checker::Engine& engine = *checker::find_engine(given.algorithm);
    refuse_crowds(engine, query);
    const bool all = given.order == "all";
    if (all && query.ring.size() > 9)
        throw Refusal{"--order all takes " + std::to_string(query.ring.size()) +
                      "! searches: give at most 9 nodes"};
    draw_graph(given, engine, query);
    Verdict verdict;
    {
        StatusLine status;
        verdict = check_orders(engine, query, all, [&](const checker::Progress& p) {
            const auto rate = static_cast<double>(p.states) / std::max(p.seconds, 1e-3);
            status.show(std::to_string(p.states) + " states, " +
                        std::to_string(static_cast<std::uint64_t>(rate / 1000)) +
                        " thousand a second, depth " + std::to_string(p.depth) + ", " +
                        std::to_string(p.bytes >> 20) + " MB");
        });
    }
    std::fputs((given.json ? verdict_json(verdict) + "\n" : verdict_text(verdict)).c_str(), stdout);
    show_story(given, query, verdict);
    if (verdict.answer == Verdict::Answer::holds) return Exit::yes;
    return verdict.answer == Verdict::Answer::violated ? Exit::no : Exit::limit_reached;
}

std::function<int()> prepare(Command& command) {
    const auto given = std::make_shared<Given>();
    command.argument("ALGORITHM", "one of conclave list, or lease", given->algorithm);
    command.value("nodes", "N", "so many nodes; 3 unless given", given->nodes);
    command.value("initiators", "WHO", "who calls an election; all unless given",
                  given->initiators);
    command.value("order", "ORDER", "along the ring; all: every order", given->order);
    command.values("set", "KEY=VALUE", "a setting of the algorithm", given->settings);
    command.values("attribute", "ID=P", "the priority of a node", given->attributes);
    command.heading("what may happen");
    command.value("timing", "MODEL", "async: timers fire at any time; bounded: by the tick",
                  given->timing);
    command.value("delay-min", "K", "bounded: a message takes K ticks at least; 0 unless given",
                  given->delay_min);
    command.value("delay-max", "K", "bounded: and K at most; 1 unless given", given->delay_max);
    command.value("rate-max", "R", "bounded: a clock advances 1 to R units a tick",
                  given->rate_max);
    command.value("tick", "D", "how long a tick is", given->tick);
    command.value("ticks", "N", "bounded: look no further than so many ticks", given->ticks);
    command.value("crashes", "C", "so many crashes", given->crashes);
    command.value("recoveries", "C", "so many recoveries with what was stored", given->recoveries);
    command.value("blanks", "C", "so many recoveries with nothing stored", given->blanks);
    command.value("lose", "L", "so many messages are lost", given->losses);
    command.value("duplicate", "L", "so many messages arrive twice", given->duplicates);
    command.value("mistakes", "M", "so many wrong suspicions", given->mistakes);
    command.value("calls", "C", "so many calls for an election out of the blue", given->calls);
    command.value("woes", "W", "lease: so much befalls agents, guardians and state files",
                  given->woes);
    std::string rules;
    for (const std::string& rule : checker::lease_rules())
        rules += (rules.empty() ? "" : ", ") + rule;
    command.values("break", "RULE", "lease: leave out a rule: " + rules, given->broken);
    command.value("late", "ID,..", "these may start at any later time, or never", given->late);
    command.value("late-from", "T", "but not before so many ticks", given->late_from);
    command.value("late-until", "T", "and only before so many", given->late_until);
    command.flag("late-all", "and none of them never", given->late_all);
    command.value("faults-from", "T", "misfortunes strike after so many ticks", given->faults_from);
    command.value("faults-until", "T", "and only before so many", given->faults_until);
    command.values("link", "A>B=K", "bounded: a message from A to B takes K ticks", given->links);
    command.flag("detector", "crashes are noticed, sooner or later", given->detector);
    command.flag("start-steps", "each node starts in a step of its own", given->start_steps);
    command.heading("the search");
    command.value("property", "P,..", "what must hold; what the card promises unless given",
                  given->properties);
    command.value("limit-states", "S", "give up after so many", given->states_max);
    command.value("limit-time", "T", "give up after so long", given->time_max);
    command.value("threads", "N", "use so many cores", given->threads);
    command.value("salt", "S", "hash in another way", given->salt);
    command.flag("no-reduce", "take every order of steps that commute", given->no_reduce);
    command.flag("no-rotate", "tell worlds apart that differ by a turn of the ring",
                 given->no_rotate);
    command.flag("exact", "keep whole states, not fingerprints", given->exact);
    command.heading("what comes out");
    command.values("trace", "FILE", "draw the counterexample: .txt, .json, .shiviz, .mmd",
                   given->traces);
    command.value("graph", "FILE", "draw all states of a tiny system, for Graphviz", given->graph);
    command.value("record", "FILE", "write it down for conclave sim --replay", given->record);
    command.flag("json", "for programs", given->json);
    return [given] { return run(*given); };
}

}  // namespace

Verb check_verb() {
    return {"check",
            "explores every behaviour of a small system.",
            {"conclave check chang-roberts --nodes 5 --order all",
             "conclave check bully --nodes 3 --crashes 1 --detector",
             "conclave check chang-roberts --lose 1 --property leader",
             "conclave check lease --crashes 1 --recoveries 1",
             "conclave check lease --crashes 1 --recoveries 1 --break quarantine-after-restart"},
            prepare};
}

}  // namespace conclave::cli
