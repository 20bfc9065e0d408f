#include "conclave/simulator/scenario/words.hpp"

#include <algorithm>

#include "conclave/core/text.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/scenario/word_forms.hpp"

namespace conclave::simulator {

namespace {

namespace scenario_options {  // names that others in this folder have, too

using forms::Written;
using options::Answer, options::split_pair;

// A reader that says by a text what would be right, or nothing.
template <auto Read>
Answer read_form(Scenario& scenario, std::string_view value) {
    std::string remedy;
    return Read(scenario, value, remedy) ? Answer{} : options::wrong(std::move(remedy));
}

// A form that is a pair of functions.
template <options::Names Name, auto Parse, auto Format>
struct Spelled {
    static constexpr std::string_view name = Name.text();
    template <class Value>
    static Answer read(std::string_view text, Value& into) {
        auto parsed = Parse(text);
        if (!parsed) return options::wrong();
        into = std::move(*parsed);
        return {};
    }
    template <class Value>
    static std::string write(const Value& value) {
        return Format(value);
    }
};

// ID@T
template <auto List>
Answer read_at(Scenario& scenario, std::string_view value) {
    const auto pair = split_pair(value, "@");
    const auto node = parse_id(pair ? pair->first : "");
    const auto at = parse_duration(pair ? pair->second : "");
    if (!node || !at) return options::wrong();
    (scenario.*List).push_back({*node, *at});
    return {};
}
template <auto List>
Written write_at(const Scenario& scenario) {
    Written values;
    for (const auto& event : scenario.*List)
        values.push_back(text(event.node) + "@" + format_duration(event.at));
    return values;
}

constexpr auto algorithm = [](auto& s) -> auto& { return s.algorithm; };
constexpr auto nodes = [](auto& s) -> auto& { return s.nodes; };
constexpr auto delay = [](auto& s) -> auto& { return s.delay; };
constexpr auto loss = [](auto& s) -> auto& { return s.loss; };
constexpr auto duplication = [](auto& s) -> auto& { return s.duplication; };
constexpr auto calm = [](auto& s) -> auto& { return s.calm; };
constexpr auto fifo = [](auto& s) -> auto& { return s.fifo; };
constexpr auto same_for_all = [](auto& s) -> auto& { return s.same_for_all; };
constexpr auto storm = [](auto& s) -> auto& { return s.storm; };
constexpr auto drift = [](auto& s) -> auto& { return s.clocks.drift_ppb; };
constexpr auto offset = [](auto& s) -> auto& { return s.clocks.offset; };
constexpr auto wander = [](auto& s) -> auto& { return s.clocks.wander_ppb; };
constexpr auto seed = [](auto& s) -> auto& { return s.seed; };
constexpr auto until = [](auto& s) -> auto& { return s.until; };

std::string format_name(const std::string& name) { return std::string(bare_name(name)); }
std::optional<std::string> parse_name(std::string_view value) { return std::string(value); }

// on or off; a file says true or false as well.
struct Switch {
    static constexpr std::string_view name = "on|off";
    static Answer read(std::string_view text, bool& into) {
        into = text == "on" || text == "true";
        return into || text == "off" || text == "false" ? Answer{} : options::wrong();
    }
    static std::string write(bool on) { return on ? "on" : "off"; }
};

using options::Count, options::Kind, options::Seed, options::Span, options::once;
using Option = options::Option<Scenario>;
using Name = Spelled<"NAME", parse_name, format_name>;
using Delays = Spelled<"DURATION|DURATION..DURATION|exp:DURATION", parse_delay, format_delay>;
using Share = Spelled<"SHARE", parse_odds, format_odds>;
using Ppm = Spelled<"PPM", parse_ppm, format_ppm>;

// An option whose form is longer than one field.
template <auto Read, auto Write>
constexpr Option custom(std::string_view name, Kind kind, std::string_view form,
                        std::string_view example, std::string_view help,
                        std::string_view usual = {}) {
    return {{name, kind, form, help, usual, example}, &read_form<Read>, Write};
}
// ID@T, as often as one likes.
template <auto List>
constexpr Option at(std::string_view name, std::string_view help) {
    return {{name, Kind::often, "ID@TIME", help, {}, "3@2s"}, &read_at<List>, &write_at<List>};
}

constexpr Option run_options[] = {
    once<algorithm, Name, Scenario>("algorithm", "algorithm to run").such_as("chang-roberts"),
    once<nodes, Count<1, 100'000'000>, Scenario>("nodes",
                                                 "number of nodes; their ids are 1 to COUNT", "5")
        .such_as("5"),
    custom<forms::read_initiators, forms::write_initiators>(
        "initiators", Kind::once, "all|first|last|best|none|ID,..", "2,3",
        "nodes that call an election at the start: first on the ring, best by rank, last behind "
        "the best"),
    custom<forms::read_order, forms::write_order>("order", Kind::once,
                                                  "ascending|descending|random|ID,..", "ascending",
                                                  "ids along the ring"),
    custom<forms::read_graph, forms::write_graph>(
        "graph", Kind::once,
        "ring|line|star|complete|grid|torus|hypercube|random[:DEGREE[:SEED]]|A-B,..|FILE", "torus",
        "links between the nodes, for algorithms of a graph; FILE has a . or / in its name and one "
        "link a line; node numbers are places, which --order gives ids",
        "random:3"),
    custom<forms::read_attribute, forms::write_attributes>(
        "attribute", Kind::often, "ID=PRIORITY", "3=200", "priority of a node; greater is better",
        "0"),
    custom<forms::read_setting, forms::write_settings>(
        "set", Kind::often, "KEY=VALUE", "timeout=2ms",
        "setting of the algorithm: conclave list NAME"),
    custom<forms::read_cluster, forms::write_cluster>(
        "cluster", Kind::flag, "", "true",
        "run the whole member that agents run around the election, with a guardian and a command"),
};

constexpr Option network_options[] = {
    once<delay, Delays, Scenario>("delay", "time that messages take; exp: on average", "1ms")
        .such_as("1ms..5ms"),
    custom<forms::read_link, forms::write_links>("link", Kind::often, "A>B=DURATION", "1>2=10ms",
                                                 "time that messages from A to B take"),
    once<loss, Share, Scenario>("loss", "share of messages that are lost", "0").such_as("0.05"),
    once<duplication, Share, Scenario>("duplicate", "share of messages that arrive twice", "0")
        .such_as("0.05"),
    custom<forms::read_reordering, forms::write_reordering>(
        "reorder", Kind::once, "SHARE[:DURATION]", "0.05:2ms",
        "share of messages that fall back by up to a duration (5ms) and are overtaken", "0"),
    once<calm, Span<>, Scenario>("calm", "lose, double and reorder nothing from this time on")
        .such_as("10s"),
    once<fifo, Switch, Scenario>("fifo", "messages on one link keep their order",
                                 "as the algorithm's card says")
        .such_as("on"),
    options::flag<same_for_all, Scenario>("same-for-all",
                                          "a broadcast takes equally long to every receiver"),
};

constexpr Option fault_options[] = {
    at<&Scenario::starts>("start", "start the node at this time, not at 0"),
    at<&Scenario::calls>("call", "let the node call an election"),
    at<&Scenario::crashes>("crash", "stop the node"),
    custom<forms::read_recovery, forms::write_recoveries>(
        "recover", Kind::often, "ID@TIME[:blank]", "3@4s",
        "start a crashed node again with what it stored; blank: without"),
    custom<forms::read_pause, forms::write_pauses>("pause", Kind::often, "ID@TIME..TIME",
                                                   "3@2s..3s",
                                                   "stop the node for a while; then it goes on"),
    custom<forms::read_mishap, forms::write_mishaps>(
        "fault", Kind::often, "WHAT:ID@TIME", "agent-dies:3@2s",
        "with --cluster: a fault or an operator's request; a wrong one is answered with their "
        "names"),
    custom<forms::read_partition, forms::write_partitions>(
        "partition", Kind::often, "A,B/C,D@TIME..TIME", "1,2/3,4@2s..3s",
        "let nothing pass between the parts; nodes not named are one more part"),
    custom<forms::read_cut, forms::write_cuts>("cut", Kind::often, "A>B@TIME..TIME", "1>2@2s..3s",
                                               "let nothing pass from A to B; from B to A it does"),
    custom<forms::read_suspicion, forms::write_suspicions>(
        "suspect", Kind::often, "A:B@TIME..TIME", "1:2@2s..3s", "let A wrongly take B for crashed"),
    once<storm, Span<>, Scenario>("storm", "draw faults of all kinds from the seed for this long")
        .such_as("10s"),
    custom<forms::read_detector, forms::write_detector>(
        "detector", Kind::once, "none|perfect|late:D|incomplete:P|inaccurate:N[:D],..",
        "late:1ms..5ms",
        "failure detector that tells nodes of crashes and recoveries: late, with probability P "
        "never, "
        "N times wrongly for D"),
};

constexpr Option clock_options[] = {
    once<drift, Ppm, Scenario>("drift", "greatest error of the clocks' rates", "0").such_as("50"),
    once<offset, Span<>, Scenario>("offset", "greatest error of the clocks at the start", "0s")
        .such_as("5ms"),
    once<wander, Ppm, Scenario>("wander", "greatest change of a clock's rate in a second", "0")
        .such_as("0.5"),
    custom<forms::read_clock, forms::write_clocks>("clock", Kind::often, "ID=OFFSET:PPM|ID=xTIMES",
                                                   "3=2ms:50",
                                                   "clock of one node; x: this many times slower"),
};

constexpr Option check_options[] = {
    custom<forms::read_scope, forms::write_scope>(
        "scope", Kind::once, "part|overall|off", "overall",
        "one leader is wanted in each connected part, or in all together"),
    custom<forms::read_checks, forms::write_checks>(
        "check", Kind::once, "one-leader,best,informed,agreement,invariant|none",
        "one-leader,agreement",
        "properties to check; +best adds one to those of the algorithm's card, -best takes one "
        "away",
        "those of the card"),
    custom<forms::read_broken, forms::write_broken>(
        "break", Kind::often, "RULE", "quarantine-after-restart",
        "leave a rule of the lease out; a wrong one is answered with their names"),
    custom<forms::read_mutation, forms::write_mutation>(
        "mutate", Kind::once, "WHAT[:WHICH]", "drop-follow",
        "break the algorithm: row:K of its table, drop:MESSAGE, double:MESSAGE, drop-set:TIMER, "
        "drop-stop:TIMER, drop-follow, drop-store"),
    once<seed, Seed, Scenario>("seed", "seed of all random choices", "1").such_as("7"),
    custom<forms::read_override, forms::write_overrides>(
        "override", Kind::often, "DECISION", "lose 3>4 #17",
        "choice to make otherwise than by the seed: the 17th message that 3 sends does not reach "
        "4; "
        "as in recordings, and deliver 3>4 #17"),
    once<until, Span<>, Scenario>("until", "end of the run", "60s, and ten times round")
        .called("TIME")
        .such_as("10s"),
};

constexpr options::OptionGroup<Scenario> groups[] = {{"who takes part", run_options},
                                                     {"the network", network_options},
                                                     {"faults and operators", fault_options},
                                                     {"clocks", clock_options},
                                                     {"checks and the run", check_options}};

}  // namespace scenario_options

std::string quote_for_shell(const std::string& word) {
    const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_.,:/@=+%").find(c) != std::string_view::npos;
    });
    if (plain && !word.empty()) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

// Algorithm and cluster come first: the others are about the messages and rules of these.
int stage_of(const options::Given& given) {
    return given.name == "algorithm" ? 0 : given.name == "cluster" ? 1 : 2;
}

}  // namespace

const options::Table<Scenario>& scenario_table() {
    static constexpr options::Table<Scenario> table(scenario_options::groups);
    return table;
}

std::string tell(Scenario& scenario, std::span<const options::Given> given) {
    for (const int stage : {0, 1, 2}) {
        std::vector<options::Given> now;
        for (const options::Given& each : given)
            if (stage_of(each) == stage) now.push_back(each);
        std::string problem =
            scenario_table().read(now, scenario, "conclave sim --help lists what there is");
        if (!problem.empty()) return problem;
    }
    return {};
}

std::vector<options::Given> to_given(const Scenario& scenario) {
    return scenario_table().write(scenario, Scenario{});
}

std::string to_command(const Scenario& scenario) {
    std::string command = "conclave sim";
    for (const options::Given& given : to_given(scenario)) {
        const bool flag = scenario_table().find(given.name)->kind == options::Kind::flag;
        if (given.name == "algorithm")
            command += " " + quote_for_shell(given.value);
        else if (flag)
            command += " --" + given.name;
        else
            command += " --" + given.name + (given.value.starts_with('-') ? "=" : " ") +
                       quote_for_shell(given.value);
    }
    return command;
}

}  // namespace conclave::simulator
