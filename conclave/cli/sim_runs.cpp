// conclave sim: doing it, and showing what came out.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "conclave/cli/command.hpp"
#include "conclave/cli/sim.hpp"
#include "conclave/cli/terminal.hpp"
#include "conclave/core/count.hpp"
#include "conclave/simulator/engines.hpp"
#include "conclave/simulator/shrink.hpp"
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
constexpr std::ptrdiff_t shown_lines = 120;

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
    if (request.traces.empty() && outcome.nodes <= shown_nodes && outcome.events <= shown_events) {
        engine.simulate(request.scenario, {.trace = &trace, .replay = replay});
        const std::string picture = draw(trace);
        if (std::count(picture.begin(), picture.end(), '\n') <= shown_lines) print(picture + "\n");
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
