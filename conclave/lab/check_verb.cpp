// conclave check: every behaviour of a small system.
#include "conclave/lab/check_verb.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "conclave/browser/counterexample.hpp"
#include "conclave/browser/verdict_json.hpp"
#include "conclave/checker/lease_search.hpp"
#include "conclave/cli/terminal.hpp"
#include "conclave/lab/check_given.hpp"
#include "conclave/lab/lab_verbs.hpp"
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
    if (verdict.answer == Verdict::Answer::vacuous) verdict.answer = before.answer;
}

// One verdict for all orders of the ring: the first that is violated, else the sums.
Verdict check_orders(const checker::Engine& engine, Query& query, bool all,
                     const checker::Report& report) {
    if (!all) return engine.explore(query, report);
    std::sort(query.ring.begin(), query.ring.end());
    Verdict sum = engine.explore(query, report);
    checker::Searched last = sum.searched;
    const auto unharmed = [&] {
        return sum.answer == Verdict::Answer::holds || sum.answer == Verdict::Answer::vacuous;
    };
    while (unharmed() && std::next_permutation(query.ring.begin(), query.ring.end())) {
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
    if (given.record.empty() || !told) return;
    std::ofstream file(given.record);
    file << simulator::to_toml(browser::to_recording(query, verdict));
    if (!file.flush())
        throw Refusal{"cannot write '" + given.record + "': name another file with --record"};
}

// Too large a drawing helps nobody.
std::string draw_graph(const Given& given, const checker::Engine& engine, const Query& query) {
    constexpr std::uint64_t states_max = 300;
    if (given.states.empty()) return {};
    std::string dot = engine.draw(query, states_max);
    if (dot.empty())
        throw Refusal{"--states draws at most " + std::to_string(states_max) +
                      " states and this system has more: give fewer nodes or faults"};
    return dot;
}
void write_graph(const std::string& path, const std::string& dot) {
    std::ofstream file(path);
    file << dot;
    if (!file.flush())
        throw Refusal{"cannot write '" + path + "': name another file with --states"};
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
    if (!given.states.empty()) write_graph(given.states, graph);
    std::fputs((given.json ? browser::verdict_json(verdict) + "\n" : verdict_text(verdict)).c_str(),
               stdout);
    show_story(given, query, verdict);
    if (verdict.answer == Verdict::Answer::holds) return Exit::yes;
    return verdict.answer == Verdict::Answer::unknown ? Exit::limit_reached : Exit::no;
}

}  // namespace

Verb check_verb() {
    return make_verb(
        {check_in_laboratory.name,
         check_in_laboratory.purpose,
         {"conclave check chang-roberts --nodes 5 --order all",
          "conclave check bully --nodes 3 --crashes 1 --detector",
          "conclave check chang-roberts --lose 1 --property leader",
          "conclave check lease --crashes 1 --recoveries 1",
          "conclave check lease --crashes 1 --recoveries 1 --break quarantine-after-restart",
          "conclave check roster --initiators 1 --set changes=+4,-4 --set asks-max=5"}},
        check_table(), run);
}

}  // namespace conclave::cli
