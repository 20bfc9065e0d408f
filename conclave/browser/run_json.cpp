#include "conclave/browser/run_json.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "conclave/core/count.hpp"
#include "conclave/core/text.hpp"
#include "conclave/simulator/campaign/storm.hpp"
#include "conclave/simulator/scenario/script.hpp"
#include "conclave/simulator/world/layout.hpp"

namespace conclave::browser {

namespace {

using simulator::Decisions;
using simulator::Outcome;
using simulator::Scenario;
using trace::Record;

template <class Field>
void add_column(std::string& json, std::string_view name, const std::vector<Record>& records,
                const Field& field) {
    json += ",\"" + std::string(name) + "\":[";
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (i != 0) json += ',';
        json += std::to_string(field(records[i]));
    }
    json += ']';
}

void add_texts(std::string& json, const std::vector<Record>& records) {
    std::unordered_map<std::string_view, std::size_t> places{{"", 0}};
    std::string texts = "\"\"";
    for (const Record& record : records)
        if (places.emplace(record.text, places.size()).second) texts += "," + quote(record.text);
    json += ",\"texts\":[" + texts + "]";
    add_column(json, "text", records, [&](const Record& r) { return places.at(r.text); });
}

void add_rows(std::string& json, const std::vector<Record>& records) {
    json += ",\"rows\":[";
    bool first = true;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].rows == 0) continue;
        json += (first ? "[" : ",[") + std::to_string(i);
        for (std::uint64_t left = records[i].rows; left != 0; left &= left - 1)
            json += "," + std::to_string(std::countr_zero(left));
        json += ']';
        first = false;
    }
    json += ']';
}

// Of a cluster: what each machine does since a record, as the page's run.ts reads it.
void add_machines(std::string& json, const std::vector<trace::MachineChange>& changes) {
    json += ",\"machines\":[";
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const auto& [records, time, state] = changes[i];
        const std::int64_t numbers[] = {static_cast<std::int64_t>(records),
                                        time.count(),
                                        static_cast<std::uint32_t>(state.node),
                                        static_cast<std::int64_t>(state.agent),
                                        static_cast<std::int64_t>(state.guardian),
                                        static_cast<std::int64_t>(state.work),
                                        state.amnesiac ? 1 : 0,
                                        static_cast<std::int64_t>(state.token),
                                        static_cast<std::int64_t>(state.candidate),
                                        state.lease_ends.count(),
                                        static_cast<std::uint32_t>(state.promised),
                                        static_cast<std::int64_t>(state.ballot),
                                        state.promise_ends.count(),
                                        state.grace_ends.count()};
        json += i == 0 ? "[" : ",[";
        for (const std::int64_t& number : numbers)
            json += (&number == numbers ? "" : ",") + std::to_string(number);
        json += ']';
    }
    json += ']';
}

// As a paper's assumptions want it: nothing happens but that nodes are down, or call.
bool is_undisturbed(const Scenario& scenario) {
    Scenario plain;
    plain.algorithm = scenario.algorithm;
    plain.nodes = scenario.nodes;
    plain.initiators = scenario.initiators;
    plain.order = scenario.order;
    plain.crashes = scenario.crashes;
    plain.seed = scenario.seed;
    plain.until = scenario.until;
    plain.delay = scenario.delay;
    return plain == scenario;
}

Duration longest_delay(const simulator::Delay& delay) {
    using enum simulator::Delay::Shape;
    if (delay.shape == exponential) return never;
    return delay.shape == uniform ? delay.high : delay.low;
}

std::string predict_json(const Scenario& scenario, const Census& census) {
    const auto predict = simulator::find_engine(scenario.algorithm)->card->predict;
    const Prediction predicted = predict == nullptr ? Prediction{} : predict(census);
    if (!predicted.stated()) return "null";
    return "{\"least\":" + std::to_string(predicted.least) +
           ",\"most\":" + std::to_string(predicted.most) + "}";
}

// Of an algorithm on a graph: its links, as pairs of ids.
void add_links(std::string& json, const Scenario& scenario, const std::vector<Id>& ring) {
    const Card& card = *simulator::find_engine(scenario.algorithm)->card;
    std::string list;
    if (card.network == Network::graph) {
        const Graph graph = lay_out(scenario, Decisions(scenario.seed), card).graph;
        for (std::uint32_t place = 0; place < graph.size(); ++place)
            for (const std::uint32_t other : graph.around(place).places)
                if (place < other)
                    list += (list.empty() ? "[" : ",[") + text(ring[place]) + "," +
                            text(ring[other]) + "]";
    }
    json += ",\"links\":[" + list + "]";
}

}  // namespace

std::string do_run(const Run& run, trace::Trace& trace, Outcome& outcome) {
    const Scenario scenario = simulator::brew(run.scenario);  // a storm has an end of its own
    const simulator::Engine& engine = *simulator::find_engine(scenario.algorithm);
    Decisions decisions =
        run.replay ? Decisions::replay(*run.replay) : Decisions(scenario.seed, scenario.overrides);
    trace.title = simulator::title_of(scenario);
    const auto world = engine.open_world(scenario, decisions, &trace);
    const Time end = scenario.until.value_or(simulator::default_end(scenario));
    for (Time at = std::chrono::milliseconds(1); at < end; at += std::min(at, end / 32)) {
        world->run_until(at);
        if (trace.records.size() > most_records)
            return "this run has more than " + std::to_string(most_records) + " records after " +
                   format_duration(at) + ": give fewer nodes, or an earlier end with until";
    }
    world->run_until(end);
    outcome = world->finish();
    return {};
}

std::string prediction_json(const Scenario& scenario) {
    const simulator::Engine& engine = *simulator::find_engine(scenario.algorithm);
    if (!is_undisturbed(scenario)) return "null";
    const simulator::Layout layout =
        simulator::lay_out(scenario, Decisions(scenario.seed), *engine.card);
    const auto down = static_cast<std::uint32_t>(scenario.crashes.size());
    const auto is_down = [&](Id id) {
        return static_cast<std::uint32_t>(id) + down > scenario.nodes;
    };
    for (const auto& crash : scenario.crashes)  // only the best ones, from the start
        if (!is_down(crash.node) || crash.at != Time{0}) return "null";
    const auto initiators = simulator::initiators_of(scenario, layout);
    for (const Id id : initiators)  // who is down calls nothing
        if (is_down(id)) return "null";
    return predict_json(scenario, {.nodes = scenario.nodes,
                                   .initiators = static_cast<std::uint32_t>(initiators.size()),
                                   .down = down,
                                   .delay = longest_delay(scenario.delay)});
}

std::string succession_json(const Scenario& scenario, Time since) {
    Scenario calm = scenario;  // starts and settings are how they came to have a leader
    calm.starts = {};
    calm.settings = {};
    calm.calls = {};
    if (!is_undisturbed(calm)) return "null";
    for (const auto& crash : scenario.crashes)
        if (crash.at == Time{0} || crash.at > since) return "null";
    for (const auto& call : scenario.calls)
        if (call.at <= since) return "null";
    return predict_json(scenario, {.nodes = scenario.nodes,
                                   .initiators = static_cast<std::uint32_t>(scenario.calls.size()),
                                   .down = static_cast<std::uint32_t>(scenario.crashes.size()),
                                   .succession = true,
                                   .delay = longest_delay(scenario.delay)});
}

std::string run_json(const Run& run, const trace::Trace& trace, const Outcome& outcome) {
    const auto given = run.replay ? to_given(simulator::Recording{run.scenario, *run.replay})
                                  : simulator::to_given(run.scenario);
    std::string json =
        "{\"title\":" + quote(trace.title) + ",\"words\":" + words_json(given) + ",\"command\":" +
        (run.replay ? std::string("null") : quote(simulator::to_command(run.scenario))) +
        ",\"outcome\":" + to_json(outcome) +
        ",\"predicted\":" + (run.replay ? "null" : prediction_json(run.scenario)) + ",\"ring\":[";
    for (std::size_t i = 0; i < trace.nodes.size(); ++i)
        json += (i == 0 ? "" : ",") + text(trace.nodes[i]);
    json += ']';
    add_links(json, run.scenario, trace.nodes);
    const auto& records = trace.records;
    add_column(json, "time", records, [](const Record& r) { return r.time.count(); });
    add_column(json, "kind", records, [](const Record& r) { return static_cast<int>(r.kind); });
    add_column(json, "node", records,
               [](const Record& r) { return static_cast<std::uint32_t>(r.node); });
    add_column(json, "other", records,
               [](const Record& r) { return static_cast<std::uint32_t>(r.other); });
    add_column(json, "flight", records, [](const Record& r) { return r.flight; });
    add_column(json, "count", records, [](const Record& r) { return r.count; });
    add_texts(json, records);
    add_rows(json, records);
    add_machines(json, trace.machines);
    return json + "}";
}

}  // namespace conclave::browser
