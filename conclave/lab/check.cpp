// conclave check: every behaviour of a small system.
#include "conclave/lab/check.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>

#include "conclave/checker/lease.hpp"
#include "conclave/cli/terminal.hpp"
#include "conclave/lab/check_given.hpp"
#include "conclave/lab/verbs.hpp"
#include "conclave/trace/diagram.hpp"
#include "conclave/trace/save.hpp"

namespace conclave::cli {

namespace {

using checker::Query;
using checker::Verdict;

using Given = CheckGiven;

// Takes what a search has used from the limits of the next; false: nothing is left.
bool take_limits(const checker::Searched& done, Query& query) {
    const auto spent =
        std::chrono::duration_cast<Duration>(std::chrono::duration<double>(done.seconds));
    if (query.states_max != 0) {
        if (query.states_max <= done.states) return false;
        query.states_max -= done.states;
    }
    if (query.time_max != Duration{0}) {
        if (query.time_max <= spent) return false;
        query.time_max -= spent;
    }
    return true;
}

void add_up(const Verdict& before, Verdict& verdict) {
    checker::Searched& done = verdict.searched;
    done.states += before.searched.states;
    done.transitions += before.searched.transitions;
    done.seconds += before.searched.seconds;
    done.depth = std::max(done.depth, before.searched.depth);
    if (before.searched.set_bytes > done.set_bytes) {
        done.set_bytes = before.searched.set_bytes;
        done.set_states = before.searched.set_states;
    }
    verdict.collision += before.collision;
    std::erase_if(verdict.untested, [&](const std::string& name) {  // it had a chance before
        return std::count(before.untested.begin(), before.untested.end(), name) == 0;
    });
}

// One verdict for all orders of the ring: the first that is violated, else the sums.
Verdict check_orders(const checker::Engine& engine, Query& query, bool all,
                     const checker::Report& report) {
    if (!all) return engine.explore(query, report);
    std::sort(query.ring.begin(), query.ring.end());
    Verdict sum = engine.explore(query, report);
    checker::Searched last = sum.searched;
    while (sum.answer == Verdict::Answer::holds &&
           std::next_permutation(query.ring.begin(), query.ring.end())) {
        if (!take_limits(last, query)) {
            sum.answer = Verdict::Answer::unknown;
            sum.searched.complete = false;
            break;
        }
        Verdict verdict = engine.explore(query, report);
        last = verdict.searched;
        add_up(sum, verdict);
        sum = std::move(verdict);
    }
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
std::string draw_graph(const Given& given, const checker::Engine& engine, const Query& query) {
    constexpr std::uint64_t states_max = 300;
    if (!given.graph) return {};
    std::string dot = engine.draw(query, states_max);
    if (dot.empty())
        throw Refusal{"--graph draws at most " + std::to_string(states_max) +
                      " states and this system has more: give fewer nodes or misfortunes"};
    return dot;
}
void write_graph(const std::string& path, const std::string& dot) {
    std::ofstream file(path);
    file << dot;
    if (!file.flush()) throw Refusal{"cannot write '" + path + "': name another file with --graph"};
}

int run(const Given& given) {
    Query query = read_question(given);
    const checker::Engine& engine = *checker::find_engine(given.algorithm);
    const std::string graph = draw_graph(given, engine, query);
    Verdict verdict;
    {
        StatusLine status;
        verdict =
            check_orders(engine, query, given.order == "all", [&](const checker::Progress& p) {
                const auto rate = static_cast<double>(p.states) / std::max(p.seconds, 1e-3);
                status.show(std::to_string(p.states) + " states, " +
                            std::to_string(static_cast<std::uint64_t>(rate / 1000)) +
                            " thousand a second, depth " + std::to_string(p.depth) + ", " +
                            std::to_string(p.bytes >> 20) + " MB");
            });
    }
    if (verdict.clock_read)
        throw Refusal{"'" + given.algorithm +
                      "' cannot be searched as it is set: it reads its clock, and a search knows " +
                      "no time of day; simulate it: conclave sim " + given.algorithm};
    if (given.graph) write_graph(*given.graph, graph);
    std::fputs((given.json ? verdict_json(verdict) + "\n" : verdict_text(verdict)).c_str(), stdout);
    show_story(given, query, verdict);
    if (verdict.answer == Verdict::Answer::holds) return Exit::yes;
    return verdict.answer == Verdict::Answer::violated ? Exit::no : Exit::limit_reached;
}

std::string joined(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return list;
}

void offer_lease_options(Command& command, Given& given) {
    command.value("process-faults", "N",
                  "lease: up to N faults of agent, guardian, command or disk (default: 0)",
                  given.process_faults);
    command.values(
        "process-fault", "KIND",
        "lease: only faults of these kinds (default: all): " + joined(checker::lease_woes()),
        given.fault_kinds);
    command.values("break", "RULE", "lease: leave out a rule: " + joined(checker::lease_rules()),
                   given.broken);
}

std::function<int()> prepare_check(Command& command) {
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
    offer_lease_options(command, *given);
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
    command.value("limit-states", "S", "give up after about so many", given->states_max);
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
    return {check_in_laboratory.name,
            check_in_laboratory.purpose,
            {"conclave check chang-roberts --nodes 5 --order all",
             "conclave check bully --nodes 3 --crashes 1 --detector",
             "conclave check chang-roberts --lose 1 --property leader",
             "conclave check lease --crashes 1 --recoveries 1",
             "conclave check lease --crashes 1 --recoveries 1 --break quarantine-after-restart"},
            prepare_check};
}

}  // namespace conclave::cli
