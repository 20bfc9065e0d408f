// conclave sim: what to run and under which conditions, from the command line and from files.
#include "conclave/lab/sim.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "conclave/core/text.hpp"
#include "conclave/lab/verbs.hpp"
#include "conclave/simulator/scenario_file.hpp"
#include "conclave/simulator/spelling.hpp"
#include "conclave/simulator/validate.hpp"
#include "conclave/trace/save.hpp"

namespace conclave::cli {

namespace {

using simulator::Saying;
using simulator::Word;

// The command line as it was given.
struct SimGiven {
    std::string algorithm;
    std::vector<std::vector<std::string>> values;  // of each word, as words() has them
    std::unique_ptr<bool[]> flags_given;           // likewise
    std::optional<std::string> seeds, threads, scenario, replay, record, shrink;
    std::vector<std::string> traces;
    bool json = false;
};

std::string read_text(const std::string& path, std::string_view option) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    const bool empty = file && file.peek() == std::ifstream::traits_type::eof() && !file.bad();
    if (!empty && (!file || !(text << file.rdbuf())))
        throw Refusal{std::string(option) + " '" + path + "' cannot be read: give a file that can"};
    return text.str();
}

std::vector<Saying> said_by(const SimGiven& given) {
    std::vector<Saying> sayings;
    if (!given.algorithm.empty()) sayings.push_back({"algorithm", given.algorithm, {}});
    const auto words = simulator::words();
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (const std::string& value : given.values[i])
            sayings.push_back({std::string(words[i].name), value, {}});
        if (given.flags_given[i]) sayings.push_back({std::string(words[i].name), "on", {}});
    }
    return sayings;
}

void refuse_if(const std::string& problem) {
    if (!problem.empty()) throw Refusal{problem};
}

// The file speaks first; the command line overrides it, or adds to its lists.
simulator::Scenario read_scenario(const SimGiven& given) {
    std::vector<Saying> all;
    if (given.scenario) {
        const std::string text = read_text(*given.scenario, "--scenario");
        simulator::FileSayings file = simulator::read_toml(text, *given.scenario);
        refuse_if(file.problem);
        const auto recorded = std::find_if(file.sayings.begin(), file.sayings.end(),
                                           [](const Saying& s) { return s.word == "recording"; });
        if (recorded != file.sayings.end())
            throw Refusal{"--scenario '" + *given.scenario + "' is a recording: use --replay"};
        all = std::move(file.sayings);
    }
    const std::vector<Saying> more = said_by(given);
    if (!given.algorithm.empty())
        std::erase_if(all, [](const Saying& s) { return s.word == "algorithm"; });
    all.insert(all.end(), more.begin(), more.end());
    simulator::Scenario scenario;
    refuse_if(simulator::tell_sound(scenario, all));
    return scenario;
}

simulator::Seeds read_seeds(const std::string& value) {
    const auto pair = simulator::split_pair(value, "..");
    const auto first = simulator::parse_number<std::uint64_t>(pair ? pair->first : "");
    const auto last = simulator::parse_number<std::uint64_t>(pair ? pair->second : "");
    if (!first || !last)
        throw Refusal{"seeds cannot be '" + value + "': give A..B, such as 1..1000"};
    if (*last < *first) throw Refusal{"seeds cannot be '" + value + "': put the smaller one first"};
    constexpr std::uint64_t most = 1'000'000'000'000;
    if (*last - *first >= most)
        throw Refusal{"seeds cannot be '" + value + "': give at most " + std::to_string(most) +
                      " of them"};
    return {*first, *last};
}

unsigned read_threads(const std::optional<std::string>& value) {
    if (!value) return std::max(std::thread::hardware_concurrency(), 1u);
    const auto threads = simulator::parse_number<unsigned>(*value);
    if (!threads || *threads < 1 || *threads > 1024)
        throw Refusal{"threads cannot be '" + *value + "': give 1 to 1024"};
    return *threads;
}

void refuse_pair(bool both, std::string_view first, std::string_view second,
                 std::string_view remedy) {
    if (both)
        throw Refusal{std::string(first) + " cannot go with " + std::string(second) + ": " +
                      std::string(remedy)};
}

// What chance makes of these is in a recording already.
constexpr std::array<std::string_view, 7> drawn_words{"seed",  "loss",   "duplicate", "reorder",
                                                      "drift", "offset", "wander"};

void refuse_contradictions(const SimGiven& given) {
    const auto sayings = said_by(given);
    const bool seed = std::any_of(sayings.begin(), sayings.end(),
                                  [](const Saying& s) { return s.word == "seed"; });
    const bool seeds = given.seeds.has_value(), replay = given.replay.has_value();
    const bool to_stdout =
        std::find(given.traces.begin(), given.traces.end(), "-") != given.traces.end();
    refuse_pair(seeds && seed, "--seed", "--seeds", "give one or the other");
    refuse_pair(seeds && replay, "--replay", "--seeds", "a recording is one run");
    refuse_pair(seeds && !given.traces.empty() && !given.shrink, "--trace", "--seeds",
                "it shows one run, give --seed");
    refuse_pair(seeds && given.record && !given.shrink, "--record", "--seeds",
                "it records one run, give --seed");
    refuse_pair(given.scenario && replay, "--scenario", "--replay", "a recording has its scenario");
    for (const Saying& said : sayings)
        refuse_pair(replay && std::count(drawn_words.begin(), drawn_words.end(), said.word) != 0,
                    "--" + said.word, "--replay",
                    "nothing is left to chance there, edit its decisions");
    refuse_pair(given.json && to_stdout, "--trace -", "--json",
                "both write to stdout, give a file");
    refuse_pair(given.shrink && given.record, "--record", "--shrink", "give the file to --shrink");
    for (const std::string& path : given.traces)
        if (path != "-" && !trace::format_of(path))
            throw Refusal{"--trace '" + path +
                          "' has no form: end it in .txt, .json, .shiviz or .mmd"};
}

int run(const SimGiven& given) {
    refuse_contradictions(given);
    Request request;
    if (given.replay) {
        const std::string text = read_text(*given.replay, "--replay");
        auto file = simulator::read_recording(text, *given.replay, said_by(given));
        refuse_if(file.problem);
        request.scenario = std::move(file.recording.scenario);
        request.replay = std::move(file.recording.decisions);
    } else {
        request.scenario = read_scenario(given);
    }
    request.traces = given.traces;
    request.record = given.record;
    request.json = given.json;
    request.threads = read_threads(given.threads);
    if (given.seeds) request.seeds = read_seeds(*given.seeds);
    if (given.shrink) return shrink_run(request, *given.shrink);
    return request.seeds ? run_sweep(request) : run_once(request);
}

// The words of a scenario, under headings; each heading stands before the word named with it.
void declare_words(Command& command, SimGiven& given) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> headings{
        {{"nodes", "who takes part"},
         {"delay", "the network"},
         {"start", "what happens to nodes and links"},
         {"drift", "clocks"},
         {"scope", "what is checked, what is broken"},
         {"seed", "the run"}}};
    const auto words = simulator::words();
    given.values.resize(words.size());
    given.flags_given = std::make_unique<bool[]>(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Word& word = words[i];
        for (const auto& [first, title] : headings)
            if (word.name == first) command.heading(std::string(title));
        if (word.kind == Word::Kind::flag)
            command.flag(std::string(word.name), std::string(word.purpose), given.flags_given[i]);
        else if (word.name != "algorithm")
            command.values(std::string(word.name), std::string(word.form),
                           std::string(word.purpose), given.values[i]);
    }
}

std::function<int()> prepare_sim(Command& command) {
    const auto given = std::make_shared<SimGiven>();
    command.argument("ALGORITHM", "one of conclave list; a file may name it instead",
                     given->algorithm);
    declare_words(command, *given);
    command.value("seeds", "A..B",
                  "one run for each seed, on all cores, and what they show together", given->seeds);
    command.value("threads", "N", "use so many cores", given->threads);
    command.value("scenario", "FILE",
                  "say all this in a TOML file; options override it or add to it", given->scenario);
    command.heading("what comes out");
    command.values("trace", "FILE",
                   "draw the run: .txt, .json (Perfetto), .shiviz, .mmd; - for stdout",
                   given->traces);
    command.value("record", "FILE", "write the run down, with everything that chance did",
                  given->record);
    command.value("replay", "FILE", "do a recorded run again", given->replay);
    command.maybe_value("shrink", "FILE",
                        "reduce a run that violates something to the smallest that still does",
                        given->shrink);
    command.flag("json", "for programs", given->json);
    return [given] { return run(*given); };
}

}  // namespace

Verb sim_verb() {
    return {sim_in_laboratory.name,
            sim_in_laboratory.purpose,
            {"conclave sim chang-roberts --nodes 5 --order ascending",
             "conclave sim chang-roberts --nodes 100 --initiators all --seeds 1..300",
             "conclave sim chang-roberts --delay 1ms..5ms --trace -",
             "conclave sim chang-roberts --initiators all --loss 0.2 --seeds 1..100 --shrink",
             "conclave sim tempo --cluster --nodes 3 --storm 10s --seeds 1..1000",
             "conclave sim --scenario examples/crash.toml"},
            prepare_sim};
}

}  // namespace conclave::cli
