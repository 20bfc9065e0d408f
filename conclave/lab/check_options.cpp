// The options of conclave check.
#include "conclave/lab/check_given.hpp"

namespace conclave::cli {

namespace {

namespace check_options {  // names that others in this folder have, too

using options::Choice, options::Count, options::Hint, options::Path, options::Seed, options::Span,
    options::Text, options::flag, options::often, options::once;
using C = CheckGiven;
using Option = options::Option<CheckGiven>;
using Ticks = Count<0, 1'000'000>;

// A number of faults that the search may spend in one run.
template <auto Field>
constexpr auto spend = [](auto& given) -> auto& { return given.budget.*Field; };
template <auto Field>
constexpr Option faults(std::string_view name, std::string_view help) {
    return once<spend<Field>, Count<0, 15>, CheckGiven>(name, help, "0");
}
using B = checker::Budget;

constexpr Option system_options[] = {
    options::argument<&C::algorithm>(
        "ALGORITHM", "algorithm of conclave list, or lease, roster, formation or member"),
    once<&C::nodes, Text>("nodes", "number of nodes", "3; of roster 4").called("COUNT"),
    once<&C::initiators, Text>("initiators", "nodes that call an election at the start", "all")
        .called("all|first|last|best|none|ID,.."),
    once<&C::order, Text>("order", "ids along the ring; all: every order", "ascending")
        .called("ascending|descending|all|ID,.."),
    once<&C::graph, Text>("graph", "links between the nodes, for algorithms of a graph", "random:3")
        .called("ring|line|star|complete|grid|torus|hypercube|random[:DEGREE[:SEED]]|A-B,..|FILE"),
    often<&C::settings, Text>("set", "setting of the algorithm: conclave list NAME")
        .called("KEY=VALUE"),
    often<&C::attributes, Text>("attribute", "priority of a node; greater is better")
        .called("ID=PRIORITY"),
};

constexpr Option time_options[] = {
    once<&C::timing, Choice<"async|bounded">>(
        "timing", "async: timers fire at any time; bounded: by the tick", "async"),
    once<&C::delay_min, Count<0, 1000>>("delay-min", "bounded: least ticks that a message takes",
                                        "0"),
    once<&C::delay_max, Count<0, 1000>>("delay-max", "bounded: greatest ticks that a message takes",
                                        "1"),
    often<&C::links, Text>("link", "bounded: a message from A to B takes exactly TICKS")
        .called("A>B=TICKS"),
    once<&C::rate_max, Count<1, 10>>("rate-max",
                                     "bounded: a clock advances 1 to COUNT units a tick", "1"),
    once<&C::tick, Span<1>>("tick", "duration of a tick", "1ms"),
    once<&C::ticks, Ticks>("ticks", "bounded: look no further than this many ticks; 0: for ever",
                           "0"),
};

constexpr Option fault_options[] = {
    faults<&B::crashes>("crashes", "explore up to COUNT crashes of nodes"),
    faults<&B::recoveries>("recoveries", "explore up to COUNT restarts with what was stored"),
    faults<&B::blank_recoveries>("blanks", "explore up to COUNT restarts with nothing stored"),
    faults<&B::losses>("lose", "explore up to COUNT lost messages"),
    faults<&B::duplicates>("duplicate", "explore up to COUNT messages that arrive twice"),
    faults<&B::mistakes>("mistakes", "explore up to COUNT wrong suspicions"),
    faults<&B::calls>("calls", "explore up to COUNT elections called without a reason"),
    faults<&B::process_faults>("process-faults",
                               "lease, roster, formation, member: explore up to COUNT faults of "
                               "agent, guardian, command or disk"),
    often<&C::fault_kinds, Text>(
        "process-fault",
        "lease, roster, formation, member: explore only faults of this kind; may be repeated")
        .called("KIND"),
    often<&C::broken, Text>(
        "break",
        "lease, roster, member: leave out a rule; a wrong name lists them; may be repeated")
        .called("RULE"),
    once<&C::late, Text>("late", "nodes that may start at any later time, or never")
        .called("ID,.."),
    once<&C::late_from, Ticks>("late-from", "late nodes do not start before this tick", "0"),
    once<&C::late_until, Ticks>("late-until", "late nodes start only before this tick"),
    flag<&C::late_all>("late-all", "every node named by --late starts eventually"),
    once<&C::faults_from, Ticks>("faults-from", "no fault before this tick", "0"),
    once<&C::faults_until, Ticks>("faults-until", "faults only before this tick"),
    flag<&C::detector>("detector", "crashes are noticed, sooner or later"),
    flag<&C::start_steps>("start-steps", "each node starts in a step of its own"),
};

constexpr Option search_options[] = {
    once<&C::properties, Text>(
        "property",
        "properties that must hold: one-leader, one-leader-quiet, leader, agreement, informed, "
        "best, in-time, finished, invariant, eventually, rows; docs/checking.md explains them",
        "what the algorithm's card promises")
        .called("NAME,.."),
    once<&C::states_max, Seed>("limit-states", "give up after about this many states", "never")
        .called("COUNT"),
    once<&C::time_max, Span<1>>("limit-time", "give up after this time", "never"),
    once<&C::threads, Count<1, 256>>("threads", "cores to use", "all"),
    once<&C::salt, Seed>("salt", "hash states in another way", "0").called("NUMBER"),
    flag<&C::no_reduce>("no-reduce", "take every order of steps that commute"),
    flag<&C::no_rotate>("no-rotate", "tell worlds apart that differ by a turn of the ring"),
    flag<&C::exact>("exact", "keep whole states, not fingerprints"),
};

constexpr Option output_options[] = {
    often<&C::traces, Text>("trace", "draw the counterexample: .txt, .svg, .json, .shiviz, .mmd")
        .called("FILE")
        .with(Hint::file),
    once<&C::states, Path>("states", "draw all states of a tiny system, for Graphviz")
        .with(Hint::file),
    once<&C::record, Path>("record", "write the counterexample for conclave sim --replay")
        .with(Hint::file),
    flag<&C::json>("json", "print JSON, for programs"),
};

constexpr options::OptionGroup<CheckGiven> groups[] = {{"the system", system_options},
                                                       {"time", time_options},
                                                       {"faults", fault_options},
                                                       {"the search", search_options},
                                                       {"output", output_options}};

}  // namespace check_options

}  // namespace

const options::Table<CheckGiven>& check_table() {
    static constexpr options::Table<CheckGiven> table(check_options::groups);
    return table;
}

}  // namespace conclave::cli
