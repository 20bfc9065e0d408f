#include "conclave/simulator/scenario/script.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "conclave/core/text.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

namespace {

using What = Cue::What;

void add_span(std::vector<Cue>& cues, Span when, Cue begin, What end) {
    begin.time = when.from;
    cues.push_back(begin);
    begin.time = when.until;
    begin.what = end;
    if (when.until != never) cues.push_back(begin);
}

// When nodes come up and initiate. Where all do the same, one cue says so for a million.
void add_starts(std::vector<Cue>& cues, const Scenario& scenario, const Layout& layout) {
    const bool together = scenario.starts.empty();
    const bool all = scenario.initiators.who == Initiators::Who::all;
    std::vector<Time> up(together ? 0 : scenario.nodes, Time{0});
    const auto up_at = [&](Id id) {
        return together ? Time{0} : up[static_cast<std::uint32_t>(id) - 1];
    };
    for (const Startup& start : scenario.starts)
        up[static_cast<std::uint32_t>(start.node) - 1] = start.at;
    if (together)
        cues.push_back({Time{0}, What::start, everyone});
    else
        for (const Id id : layout.ring) cues.push_back({up_at(id), What::start, id});
    if (together && all)
        cues.push_back({Time{0}, What::call, everyone});
    else
        for (const Id id : initiators_of(scenario, layout))
            cues.push_back({up_at(id), What::call, id});
}

// Every observer learns of every crash and recovery, late or not at all as the detector is.
void add_detection(std::vector<Cue>& cues, const Scenario& scenario, Decisions& decisions) {
    const Detector& detector = scenario.detector;
    std::vector<std::uint32_t> counts(scenario.nodes);  // per subject: others' faults shift nothing
    const auto tell_all = [&](Id subject, Time at, What what) {
        const std::uint32_t count = ++counts[static_cast<std::uint32_t>(subject) - 1];
        for (std::uint32_t id = 1; id <= scenario.nodes; ++id) {
            if (Id{id} == subject) continue;
            const Decision decision{Purpose::detect, Id{id}, subject, 2 * count};
            const bool missed = decisions.decide(decision, 0, [&](std::uint64_t bits) {
                return detector.missed.hit(bits);
            }) != 0;
            const Decision when{Purpose::detect, Id{id}, subject, 2 * count + 1};
            const auto late = decisions.decide(
                when, usual_delay(detector.lateness),
                [&](std::uint64_t bits) { return draw_delay(detector.lateness, bits); });
            if (!missed) cues.push_back({at + Duration{late}, what, Id{id}, subject});
        }
    };
    for (const Crash& crash : scenario.crashes) tell_all(crash.node, crash.at, What::suspect);
    for (const Recovery& recovery : scenario.recoveries)
        tell_all(recovery.node, recovery.at, What::trust);
}

}  // namespace

Time default_end(const Scenario& scenario) {
    const Duration longest = std::max(longest_delay(scenario.delay), Duration{1});
    return std::chrono::seconds(60) + 10 * static_cast<std::int64_t>(scenario.nodes) * longest;
}

std::string describe(const Cue& cue) {
    const std::string link = text(cue.node) + " > " + text(cue.other);
    switch (cue.what) {
        case What::heal: return "heal";
        case What::cut: return "cut " + link;
        case What::mend: return "mend " + link;
        case What::calm: return "calm";
        case What::split: break;
        default: return {};
    }
    std::string parts;
    for (const auto& part : cue.partition->parts) {
        std::string ids;
        for (const Id id : part) ids += (ids.empty() ? "" : ",") + text(id);
        parts += (parts.empty() ? "" : " | ") + ids;
    }
    return "partition " + parts;
}

std::vector<Suspicion> draw_mistakes(const Scenario& scenario, Decisions& decisions) {
    std::vector<Suspicion> mistakes;
    if (scenario.nodes < 2 || !scenario.detector.on) return mistakes;
    const Time span = scenario.until.value_or(std::chrono::seconds(1));
    for (std::uint32_t i = 0; i < scenario.detector.mistakes; ++i) {
        const auto draw = [&](std::uint32_t which, std::uint64_t n) {
            return static_cast<std::uint32_t>(decisions.decide(
                {Purpose::detect, nobody, nobody, 3 * i + which}, 0,
                [&](std::uint64_t bits) { return static_cast<std::int64_t>(below(n, bits)); }));
        };
        const std::uint32_t observer = draw(0, scenario.nodes) + 1;
        const std::uint32_t other = draw(1, scenario.nodes - 1) + 1;
        const Time at{std::int64_t{draw(2, 1'000'000)} * (span.count() / 1'000'000)};
        const Id suspected{other < observer ? other : other + 1};
        mistakes.push_back({Id{observer}, suspected, {at, at + scenario.detector.mistaken_for}});
    }
    return mistakes;
}

std::vector<Cue> write_script(const Scenario& scenario, const Layout& layout,
                              Decisions& decisions) {
    std::vector<Cue> cues;
    add_starts(cues, scenario, layout);
    for (const Calling& call : scenario.calls) cues.push_back({call.at, What::call, call.node});
    for (const Crash& crash : scenario.crashes) cues.push_back({crash.at, What::crash, crash.node});
    for (const Recovery& r : scenario.recoveries)
        cues.push_back({r.at, What::recover, r.node, nobody, r.disk});
    for (const Pause& pause : scenario.pauses)
        add_span(cues, pause.when, {{}, What::pause, pause.node}, What::resume);
    for (const Mishap& mishap : scenario.mishaps)
        cues.push_back({mishap.at, What::befall, mishap.node, nobody, true, nullptr, mishap.which});
    for (const Partition& partition : scenario.partitions)
        add_span(cues, partition.when, {{}, What::split, nobody, nobody, true, &partition},
                 What::heal);
    for (const Cut& cut : scenario.cuts)
        add_span(cues, cut.when, {{}, What::cut, cut.from, cut.to}, What::mend);
    const auto suspect = [&](const Suspicion& wrong) {
        add_span(cues, wrong.when, {{}, What::suspect, wrong.observer, wrong.suspected},
                 What::trust);
    };
    if (scenario.calm != never) cues.push_back({scenario.calm, What::calm});
    for (const Suspicion& wrong : scenario.suspicions) suspect(wrong);
    for (const Suspicion& wrong : draw_mistakes(scenario, decisions)) suspect(wrong);
    if (scenario.detector.on) add_detection(cues, scenario, decisions);
    std::vector<std::size_t> order(cues.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(cues[a].time, cues[a].what, a) <
               std::tuple(cues[b].time, cues[b].what, b);
    });
    std::vector<Cue> script;
    for (const std::size_t i : order) script.push_back(cues[i]);
    return script;
}

}  // namespace conclave::simulator
