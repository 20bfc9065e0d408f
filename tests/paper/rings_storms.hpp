// What the papers' rings must bear: everything but failures during the run. Processes pause, some
// links are slow, clocks are wrong, anybody calls at any time; where the ring is repaired or dead
// nodes are skipped, processes die as well.
#pragma once

#include "conclave/claims/rings/ring_runs.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {

inline Scenario rough_ring(std::uint64_t seed) {
    using namespace std::chrono_literals;
    const auto draw = [&](std::uint64_t what, std::uint64_t n) { return mix(~seed, what) % n; };
    const auto one = [&](std::uint64_t what, const Scenario& scenario) {
        return Id{1 + static_cast<std::uint32_t>(draw(what, scenario.nodes))};
    };
    Scenario scenario = random_ring(seed);
    for (std::uint64_t i = draw(1, 4); i-- != 0;) {
        const Time from = draw(10 + i, 20'000) * 1us;
        scenario.pauses.push_back(
            {one(20 + i, scenario), {from, from + 1us + draw(30 + i, 30'000) * 1us}});
    }
    for (std::uint64_t i = draw(2, 4); i-- != 0;)
        scenario.links.push_back(
            {one(40 + i, scenario), one(50 + i, scenario), {.low = draw(60 + i, 30'000) * 1us}});
    if (draw(3, 2) == 0) scenario.clocks = {.offset = 1s, .drift_ppb = 200'000'000};
    return scenario;
}

inline void weather_ring(std::string_view algorithm, std::uint64_t seed) {
    expect_good(run(algorithm, rough_ring(seed)));
}

// Dead before anybody calls: "skipping failed nodes as necessary".
inline void weather_collect(std::uint64_t seed) {
    Scenario scenario = rough_ring(seed);
    const std::uint32_t live = scenario.nodes;
    scenario.nodes += static_cast<std::uint32_t>(mix(seed, 70) % 4);
    for (std::uint32_t id = live + 1; id <= scenario.nodes; ++id)
        scenario.crashes.push_back({Id{id}, Time{0}});
    if (scenario.initiators.ids.empty()) {
        scenario.initiators.who = Who::listed;
        scenario.initiators.ids = {Id{1}};
    }
    const Outcome outcome = run("ring-collect", scenario);
    expect_good(outcome);
    EXPECT_EQ(outcome.leader, Id{live});
}

// Up to four die during the run, and all others hear of it.
inline void weather_repaired(std::uint64_t seed) {
    expect_good(
        run("repaired-chang-roberts", claims::rings::dying_ring("repaired-chang-roberts", seed)));
}

// In step nothing may be late; what is left is who calls, when, and what they draw.
inline void weather_in_step(std::uint64_t seed) {
    Scenario scenario = random_ring(seed);
    scenario.delay = {};
    scenario.settings = {{"timing", "synchronous"}};
    for (auto& call : scenario.calls)
        call.at = std::chrono::ceil<std::chrono::milliseconds>(call.at);
    expect_good(run("itai-rodeh", scenario));
}

// Nobody may wake after falling asleep, so all calls come within the first unit.
inline void weather_archimedean(std::uint64_t seed) {
    Scenario scenario = rough_ring(seed);
    for (auto& call : scenario.calls) call.at = Time{call.at.count() % 1'000'000};
    for (std::uint32_t id = 1; id <= scenario.nodes && scenario.clocks.drift_ppb == 0; ++id)
        scenario.node_clocks.push_back({Id{id}, {}, 0, 1 + mix(seed, id) % 20});
    scenario.settings = {{"first", seed % 2 == 0 ? "one" : "f"},
                         {"f", seed % 3 == 0 ? "root" : "power"},
                         {"wakeups", seed % 5 == 0 ? "read" : "free"},
                         {"lowest", std::to_string(1 + seed % 4)}};
    const Outcome outcome = run("archimedean", scenario);
    expect_good(outcome);
    EXPECT_EQ(outcome.leader, Id{1});
    EXPECT_EQ(sent(outcome, "Wakeup"), scenario.nodes);
    EXPECT_EQ(sent(outcome, "Sleepwell"), scenario.nodes);
}

template <class Weather>
void each_ring_seed(std::uint64_t seeds, const Weather& weather) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        weather(seed);
        if (testing::Test::HasFailure()) return;
    }
}

inline constexpr const char* asynchronous_rings[] = {
    "chang-roberts",       "le-lann",           "ring-basic", "ring-collect",          "franklin",
    "hirschberg-sinclair", "dolev-klawe-rodeh", "itai-rodeh", "repaired-chang-roberts"};

inline std::string ring_name(const testing::TestParamInfo<const char*>& run) {
    std::string name = run.param;
    for (char& letter : name)
        if (letter == '-') letter = '_';
    return name;
}

}  // namespace conclave
