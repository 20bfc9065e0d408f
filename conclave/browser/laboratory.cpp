#include "conclave/browser/laboratory.hpp"

#include "conclave/browser/engine_json.hpp"
#include "conclave/browser/request.hpp"
#include "conclave/browser/run_json.hpp"
#include "conclave/core/names.hpp"
#include "conclave/core/text.hpp"
#include "conclave/simulator/campaign/shrink.hpp"
#include "conclave/simulator/campaign/sweep.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/scenario/scenario_file.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/trace/save.hpp"

namespace conclave::browser {

namespace {

using simulator::Outcome;
using simulator::Recording;

template <class List, class Write>
std::string json_list(const List& list, const Write& write) {
    std::string all;
    for (const auto& item : list) all += (all.empty() ? "" : ",") + write(item);
    return "[" + all + "]";
}

std::string kinds() {
    std::string all;
    for (std::uint8_t kind = 0; kind <= static_cast<std::uint8_t>(trace::Kind::violation); ++kind)
        all += (kind == 0 ? "" : ",") + quote(name_of(static_cast<trace::Kind>(kind)));
    return "[" + all + "]";
}

std::string names_json(const std::vector<std::string>& names) {
    return json_list(names, [](const std::string& name) { return quote(name); });
}

// Algorithms that agents can run, where this module has clusters.
std::vector<std::string> clustered_names() {
    std::vector<std::string> names;
    for (const simulator::Engine& engine : simulator::engines())
        if (!simulator::cluster_name(engine.card->name).empty())
            names.emplace_back(engine.card->name);
    return names;
}

std::string list_all() {
    return "{\"version\":" + quote(CONCLAVE_VERSION) +
           ",\"algorithms\":" + json_list(simulator::engines(), engine_json) +
           ",\"words\":" + json_list(simulator::scenario_table().rows(), row_json) +
           ",\"kinds\":" + kinds() + ",\"clusters\":" + names_json(clustered_names()) +
           ",\"rules\":" + names_json(simulator::lease_rule_names({})) +
           ",\"faults\":" + names_json(simulator::mishap_names()) + "}";
}

std::string show_run(const Run& run) {
    trace::Trace trace;
    Outcome outcome;
    const std::string problem = do_run(run, trace, outcome);
    return problem.empty() ? run_json(run, trace, outcome) : problem_json(problem);
}

Outcome run_unseen(const Run& run) {
    return simulator::find_engine(run.scenario.algorithm)
        ->simulate(run.scenario, {.replay = run.replay ? &*run.replay : nullptr});
}

std::string count(const Run& run) {
    return "{\"outcome\":" + to_json(run_unseen(run)) +
           ",\"predicted\":" + (run.replay ? "null" : prediction_json(run.scenario)) + "}";
}

// Messages after a moment are the difference of two counts: an algorithm that never falls quiet has
// elections, and much beside them.
std::string count_since(const Run& run, const std::string& moment) {
    const auto since = parse_duration(moment);
    if (!since || run.replay)
        return problem_json("count cannot begin at '" + moment +
                            "': give a time such as 2s, and a run that is no recording");
    Run before = run;
    before.scenario.until = *since;
    return "{\"outcome\":" + to_json(run_unseen(run)) +
           ",\"before\":" + to_json(run_unseen(before)) +
           ",\"predicted\":" + succession_json(run.scenario, *since) + "}";
}

std::string sweep_seeds(const Run& run, std::string_view seeds) {
    constexpr std::uint64_t most = 10'000;
    const auto pair = simulator::split_pair(seeds, "..");
    const auto first = simulator::parse_number<std::uint64_t>(pair ? pair->first : "");
    const auto last = simulator::parse_number<std::uint64_t>(pair ? pair->second : "");
    if (!first || !last || *last < *first || *last - *first >= most)
        return problem_json("seeds cannot be '" + std::string(seeds) + "': give A..B, at most " +
                            std::to_string(most) + " of them");
    if (run.replay) return problem_json("a recording is one run: leave its decisions out");
    return to_json(simulator::sweep(run.scenario, {.seeds = {*first, *last}}));
}

Recording record(const Run& run) {
    return run.replay ? Recording{run.scenario, *run.replay} : simulator::record_run(run.scenario);
}

std::string shrink_run(const Run& run) {
    constexpr std::uint64_t runs_max = 4000;  // a second or two in a browser
    if (run_unseen(run).violations.empty())
        return problem_json("nothing is violated here, so that there is nothing to shrink");
    const simulator::Shrunk shrunk = simulator::shrink(record(run), {.runs_max = runs_max});
    return "{\"words\":" + words_json(to_given(shrunk.recording)) +
           ",\"property\":" + quote(shrunk.property) + ",\"runs\":" + std::to_string(shrunk.runs) +
           ",\"complete\":" + json(shrunk.complete) + "}";
}

std::string export_run(const Run& run, const std::string& form) {
    if (form == "toml") return "{\"text\":" + quote(to_toml(record(run))) + "}";
    const auto format = trace::format_of("run." + form);
    if (!format)
        return problem_json("there is no form '" + form +
                            "': choose from txt, svg, json, shiviz, mmd, toml");
    trace::Trace trace;
    Outcome outcome;
    const std::string problem = do_run(run, trace, outcome);
    if (!problem.empty()) return problem_json(problem);
    return "{\"text\":" + quote(trace::render(trace, *format)) + "}";
}

// A scenario or a recording, as the files of conclave sim have them.
std::string import_file(std::string_view text) {
    const options::FileGiven file = simulator::read_toml(text, "the file");
    if (!file.problem.empty()) return problem_json(file.problem);
    Run run;
    const std::string problem = read_run(file.given, run);
    if (!problem.empty()) return problem_json(problem);
    return "{\"words\":" +
           words_json(run.replay ? to_given(Recording{run.scenario, *run.replay})
                                 : simulator::to_given(run.scenario)) +
           "}";
}

}  // namespace

std::string answer(std::string_view text) {
    std::string problem;
    const Request request = read_request(text, problem);
    if (!problem.empty()) return problem_json(problem);
    if (request.verb == "list") return list_all();
    if (request.verb == "import") return import_file(request.body);
    Run run;
    problem = read_run(request.given, run);
    if (!problem.empty()) return problem_json(problem);
    if (request.verb == "run") return show_run(run);
    if (request.verb == "count")
        return request.argument.empty() ? count(run) : count_since(run, request.argument);
    if (request.verb == "sweep") return sweep_seeds(run, request.argument);
    if (request.verb == "shrink") return shrink_run(run);
    if (request.verb == "export") return export_run(run, request.argument);
    return unknown_request(request);
}

}  // namespace conclave::browser
