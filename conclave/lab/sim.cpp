// conclave sim: what to run and under which conditions, from the command line and from files.
#include "conclave/lab/sim.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include "conclave/core/text.hpp"
#include "conclave/lab/lab_verbs.hpp"
#include "conclave/lab/seed_range.hpp"
#include "conclave/simulator/scenario/scenario_file.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "conclave/trace/save.hpp"

namespace conclave::cli {

namespace {

// The command line beside the options of a scenario.
struct SimGiven {
    std::string algorithm{};
    std::optional<simulator::Seeds> seeds{};
    std::uint32_t threads = 0;  // 0: all cores
    std::string scenario{}, replay{}, record{};
    std::optional<std::string> shrink{};  // empty: shrink, and write no file
    std::vector<std::string> traces{};
    bool json = false;
};
constexpr options::Option<SimGiven> algorithm_argument[] = {options::argument<&SimGiven::algorithm>(
    "ALGORITHM", "algorithm of conclave list; a file may name it instead")};
constexpr options::Option<SimGiven> sweep_options[] = {
    options::once<&SimGiven::seeds, SeedRange>(
        "seeds", "do one run for each seed, on all cores, and summarise them"),
    options::once<&SimGiven::threads, options::Count<1, 1024>>("threads", "cores to use", "all"),
    options::once<&SimGiven::scenario, options::Path>(
        "scenario",
        "TOML file with any options of a scenario; the command line overrides it, or "
        "adds to its lists")
        .with(options::Hint::file),
};
constexpr options::Option<SimGiven> output_options[] = {
    options::often<&SimGiven::traces, options::Text>(
        "trace", "draw the run: .txt, .svg, .json (Perfetto), .shiviz, .mmd; - for stdout")
        .called("FILE")
        .with(options::Hint::file),
    options::once<&SimGiven::record, options::Path>(
        "record", "write the run down, with everything that chance decided")
        .with(options::Hint::file),
    options::once<&SimGiven::replay, options::Path>("replay", "do a recorded run again")
        .with(options::Hint::file),
    options::maybe<&SimGiven::shrink, options::Text>(
        "shrink", "reduce a run that violates something to the smallest that still does")
        .called("FILE")
        .with(options::Hint::file),
    options::flag<&SimGiven::json>("json", "print JSON, for programs"),
};
constexpr options::OptionGroup<SimGiven> sim_groups[] = {
    {"", algorithm_argument}, {"several runs, files", sweep_options}, {"output", output_options}};

std::string read_text(const std::string& path, std::string_view option) {
    std::string problem, text = options::read_file(path, option, problem);
    refuse_if(problem);
    return text;
}

// The file speaks first; the command line overrides it, or adds to its lists.
simulator::Scenario read_scenario(const SimGiven& given, const Givens& words) {
    Givens all;
    if (!given.scenario.empty()) {
        const std::string text = read_text(given.scenario, "--scenario");
        options::FileGiven file = simulator::read_toml(text, given.scenario);
        refuse_if(file.problem);
        const auto named = [](std::string_view name) {
            return [name](const options::Given& each) { return each.name == name; };
        };
        if (std::any_of(file.given.begin(), file.given.end(), named("recording")))
            throw Refusal{"--scenario '" + given.scenario + "' is a recording: use --replay"};
        all = std::move(file.given);
        if (!given.algorithm.empty()) std::erase_if(all, named("algorithm"));
    }
    all.insert(all.end(), words.begin(), words.end());
    simulator::Scenario scenario;
    refuse_if(simulator::tell_sound(scenario, all));
    return scenario;
}

void refuse_pair(bool both, std::string_view first, std::string_view second,
                 std::string_view remedy) {
    if (both)
        throw Refusal{std::string(first) + " cannot go with " + std::string(second) + ": " +
                      std::string(remedy)};
}

// A recording has the random choices that follow from these already.
constexpr std::array<std::string_view, 7> drawn_words{"seed",  "loss",   "duplicate", "reorder",
                                                      "drift", "offset", "wander"};

void refuse_contradictions(const SimGiven& given, const Givens& words) {
    const bool seed = std::any_of(words.begin(), words.end(),
                                  [](const options::Given& each) { return each.name == "seed"; });
    const bool seeds = given.seeds.has_value(), replay = !given.replay.empty();
    const bool to_stdout =
        std::find(given.traces.begin(), given.traces.end(), "-") != given.traces.end();
    refuse_pair(seeds && seed, "--seed", "--seeds", "give one or the other");
    refuse_pair(seeds && replay, "--replay", "--seeds", "a recording is one run");
    refuse_pair(seeds && !given.traces.empty() && !given.shrink, "--trace", "--seeds",
                "it shows one run, give --seed");
    refuse_pair(seeds && !given.record.empty() && !given.shrink, "--record", "--seeds",
                "it records one run, give --seed");
    refuse_pair(!given.scenario.empty() && replay, "--scenario", "--replay",
                "a recording has its scenario");
    for (const options::Given& each : words)
        refuse_pair(replay && std::count(drawn_words.begin(), drawn_words.end(), each.name) != 0,
                    each.where, "--replay", "nothing is left to chance there, edit its decisions");
    refuse_pair(given.json && to_stdout, "--trace -", "--json",
                "both write to stdout, give a file");
    refuse_pair(given.shrink && !given.record.empty(), "--record", "--shrink",
                "give the file to --shrink");
    for (const std::string& path : given.traces)
        if (path != "-" && !trace::format_of(path))
            throw Refusal{"--trace '" + path +
                          "' has no form: end it in .txt, .svg, .json, .shiviz or .mmd"};
}

int run(const SimGiven& given, Givens words) {
    if (!given.algorithm.empty()) words.push_back({"algorithm", given.algorithm, "algorithm"});
    refuse_contradictions(given, words);
    Request request;
    if (!given.replay.empty()) {
        const std::string text = read_text(given.replay, "--replay");
        auto file = simulator::read_recording(text, given.replay, words);
        refuse_if(file.problem);
        request.scenario = std::move(file.recording.scenario);
        request.replay = std::move(file.recording.decisions);
    } else {
        request.scenario = read_scenario(given, words);
    }
    request.traces = given.traces;
    if (!given.record.empty()) request.record = given.record;
    request.json = given.json;
    request.threads =
        given.threads != 0 ? given.threads : std::max(std::thread::hardware_concurrency(), 1u);
    request.seeds = given.seeds;
    if (given.shrink) return shrink_run(request, *given.shrink);
    return request.seeds ? run_sweep(request) : run_once(request);
}

// The options of a scenario, without the algorithm, which is an argument here.
std::vector<options::Section> scenario_sections() {
    auto sections = simulator::scenario_table().sections();
    for (options::Section& section : sections)
        std::erase_if(section.rows,
                      [](const options::Row& row) { return row.name == "algorithm"; });
    return sections;
}

}  // namespace

Verb sim_verb() {
    const options::Table<SimGiven> table(sim_groups);
    Verb verb{{sim_in_laboratory.name,
               sim_in_laboratory.purpose,
               {"conclave sim chang-roberts --nodes 5 --order ascending",
                "conclave sim chang-roberts --nodes 100 --initiators all --seeds 1..300",
                "conclave sim chang-roberts --delay 1ms..5ms --trace -",
                "conclave sim chang-roberts --initiators all --loss 0.2 --seeds 1..100 --shrink",
                "conclave sim tempo --cluster --nodes 3 --storm 10s --seeds 1..1000",
                "conclave sim --scenario examples/crash.toml"}},
              table.sections()};
    const auto scenario = scenario_sections();
    verb.takes.insert(verb.takes.begin() + 1, scenario.begin(), scenario.end());
    verb.run = [table, otherwise = verb.lists()](Givens given) {
        SimGiven own;
        refuse_if(table.read(options::take(table, given), own, otherwise));
        return run(own, std::move(given));
    };
    return verb;
}

}  // namespace conclave::cli
