// conclave sim: doing it, and showing what came out.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "conclave/cli/terminal.hpp"
#include "conclave/cli/verb.hpp"
#include "conclave/core/count.hpp"
#include "conclave/lab/sim.hpp"
#include "conclave/simulator/campaign/shrink.hpp"
#include "conclave/simulator/simulation_engines.hpp"
#include "conclave/trace/diagram.hpp"
#include "conclave/trace/save.hpp"

namespace conclave::cli {

namespace {

using simulator::DecisionLog;
using simulator::Engine;
using simulator::Outcome;
using simulator::Recording;

constexpr std::uint32_t shown_nodes = 12;    // a diagram of more is not drawn unless asked for
constexpr std::uint64_t shown_events = 400;  // nor is a longer run
constexpr std::ptrdiff_t shown_lines = 120;  // nor one whose events take many lines

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

void write_text(std::string_view option, const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    if (!(file << text).flush())
        throw Refusal{std::string(option) + " '" + path +
                      "' cannot be written: give a file that can"};
}

std::string draw(const trace::Trace& trace) {
    trace::DiagramOptions options;
    options.width = terminal_width();
    options.colour = wants_colour();
    return trace::diagram(trace, options);
}

void write_traces(const std::vector<std::string>& paths, const trace::Trace& trace) {
    for (const std::string& path : paths) {
        std::string problem;
        if (path == "-")
            print(draw(trace) + "\n");
        else if (!trace::save(trace, path, problem))
            throw Refusal{problem};
    }
}

int exit_code(const Outcome& outcome) {
    return simulator::succeeded(outcome) ? Exit::yes : Exit::no;
}

// The diagram of a run that came out like this; empty if it is too wide or too long to be shown
// unasked. Only a run that may be short enough is done again to be drawn.
std::string draw_short(const simulator::Scenario& scenario, const DecisionLog* replay,
                       const Outcome& outcome) {
    if (outcome.nodes > shown_nodes || outcome.events > shown_events) return {};
    trace::Trace trace;
    simulator::find_engine(scenario.algorithm)
        ->simulate(scenario, {.trace = &trace, .replay = replay});
    const std::string picture = draw(trace);
    return std::count(picture.begin(), picture.end(), '\n') <= shown_lines ? picture : "";
}

// The longest of 1us, 2us, 5us, 10us ... in which something is said and which is drawn. Tried, not
// estimated, because a remedy that does not help is worse than none.
std::optional<Time> find_drawable_end(simulator::Scenario scenario, const DecisionLog* replay,
                                      Time ended) {
    using namespace std::chrono_literals;
    std::optional<Time> found;
    for (Time decade = 1us; decade < ended; decade *= 10)
        for (const int times : {1, 2, 5}) {
            scenario.until = decade * times;
            const Outcome outcome =
                simulator::find_engine(scenario.algorithm)->simulate(scenario, {.replay = replay});
            if (draw_short(scenario, replay, outcome).empty()) return found;
            if (outcome.messages != 0) found = scenario.until;
        }
    return found;
}

std::string explain_undrawn(const Request& request, const DecisionLog* replay,
                            const Outcome& outcome) {
    if (outcome.nodes > shown_nodes)
        return "too many nodes to draw: give at most " + std::to_string(shown_nodes) +
               ", or --trace - to see it all";
    const auto end = find_drawable_end(request.scenario, replay, outcome.ended);
    return "too long to draw: " +
           (end ? "--until " + format_duration(*end) + " shows its beginning, --trace - all of it"
                : "--trace - shows all of it");
}

}  // namespace

int run_once(const Request& request) {
    const Engine& engine = *simulator::find_engine(request.scenario.algorithm);
    const DecisionLog* replay = request.replay ? &*request.replay : nullptr;
    trace::Trace trace;
    DecisionLog decided;
    const Outcome outcome =
        engine.simulate(request.scenario, {.trace = request.traces.empty() ? nullptr : &trace,
                                           .record = request.record ? &decided : nullptr,
                                           .replay = replay});
    if (request.record)
        write_text("--record", *request.record,
                   to_toml(simulator::make_recording(request.scenario, decided)));
    write_traces(request.traces, trace);
    if (request.json) {
        print(to_json(outcome) + "\n");
        return exit_code(outcome);
    }
    if (request.traces.empty()) {
        const std::string picture = draw_short(request.scenario, replay, outcome);
        print((picture.empty() ? explain_undrawn(request, replay, outcome) : picture) + "\n");
    }
    print(summarise(outcome));
    return exit_code(outcome);
}

int run_sweep(const Request& request) {
    Progress progress("conclave sim", request.seeds->count());
    simulator::SweepPlan plan;
    plan.seeds = *request.seeds;
    plan.threads = request.threads;
    if (request.json)
        plan.each = [](const Outcome& outcome) {
            print(to_json(outcome) + "\n");
            return true;
        };
    plan.progress = [&](std::uint64_t done) { progress.show(done); };
    const simulator::Summary summary = simulator::sweep(request.scenario, plan);
    print(request.json ? to_json(summary) + "\n" : summarise(summary));
    if (summary.failures == 0) return Exit::yes;
    simulator::Scenario again = request.scenario;
    again.seed = summary.failing.front();
    if (!request.json) print("first failure: " + simulator::to_command(again) + "\n");
    return Exit::no;
}

namespace {

// The run to shrink: the one asked for, or the first of the seeds that violates something.
std::optional<Recording> find_failure(const Request& request) {
    simulator::Scenario scenario = request.scenario;
    if (request.replay) {
        Recording recording{scenario, *request.replay};
        if (simulator::replay_run(recording).violations.empty()) return std::nullopt;
        return recording;
    }
    simulator::SweepPlan plan;
    plan.seeds = request.seeds.value_or(simulator::Seeds{scenario.seed, scenario.seed});
    plan.threads = request.threads;
    bool found = false;
    plan.each = [&](const Outcome& outcome) {
        found = !outcome.violations.empty();
        scenario.seed = outcome.seed;
        return !found;
    };
    simulator::sweep(scenario, plan);
    if (!found) return std::nullopt;
    return simulator::record_run(scenario);
}

}  // namespace

int shrink_run(const Request& request, const std::string& file) {
    const auto failing = find_failure(request);
    if (!failing) {
        std::fputs("conclave: nothing is violated, so that there is nothing to shrink\n", stderr);
        if (!request.json) return Exit::yes;
        return request.seeds ? run_sweep(request) : run_once(request);
    }
    simulator::ShrinkPlan plan;
    simulator::Shrunk shrunk;
    {
        Progress progress("conclave sim --shrink", plan.runs_max);
        plan.progress = [&](std::uint64_t runs) { progress.show(runs); };
        shrunk = simulator::shrink(*failing, plan);
    }
    const std::string recording = to_toml(shrunk.recording);
    if (!file.empty()) write_text("--shrink", file, recording);
    trace::Trace trace;
    simulator::replay_run(shrunk.recording, &trace);
    write_traces(request.traces, trace);
    if (request.json) {
        print(to_json(shrunk.outcome) + "\n");
        return Exit::no;
    }
    if (request.traces.empty()) print(draw(trace) + "\n");
    print(summarise(shrunk.outcome));
    print("shrunk from " + count_of(failing->scenario.nodes, "node") + " and " +
          std::to_string(failing->decisions.size()) + " decisions to " +
          std::to_string(shrunk.recording.scenario.nodes) + " and " +
          std::to_string(shrunk.recording.decisions.size()) + " in " + std::to_string(shrunk.runs) +
          " runs" + (shrunk.complete ? "" : ", where the limit was reached") + "\n");
    if (file.empty())
        print("\n" + recording);
    else
        print("again: conclave sim --replay " + file + "\n");
    return Exit::no;
}

}  // namespace conclave::cli
