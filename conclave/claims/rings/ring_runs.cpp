#include "conclave/claims/rings/ring_runs.hpp"

#include <algorithm>
#include <bit>

#include "conclave/core/check.hpp"
#include "conclave/core/key.hpp"
#include "conclave/core/text.hpp"

namespace conclave::claims::rings {

Scenario ring(std::string_view algorithm, std::uint32_t nodes, Who who, How how,
              std::uint64_t seed) {
    Scenario scenario;
    scenario.algorithm = algorithm;
    scenario.nodes = nodes;
    scenario.initiators.who = who;
    scenario.order.how = how;
    scenario.seed = seed;
    return scenario;
}

std::size_t draw_initiators(Scenario& scenario) {
    std::vector<Id>& ids = scenario.initiators.ids;
    ids.clear();
    for (std::uint32_t id = 1; id <= scenario.nodes; ++id)
        if (mix(scenario.seed, id) % 3 == 0) ids.push_back(Id{id});
    if (ids.empty())
        ids.push_back(Id{1 + static_cast<std::uint32_t>(scenario.seed % scenario.nodes)});
    scenario.initiators.who = Who::listed;
    return ids.size();
}

Scenario dying_ring(std::string_view algorithm, std::uint64_t seed) {
    const auto draw = [&](std::uint64_t what, std::uint64_t n) { return mix(seed, what) % n; };
    const auto nodes = static_cast<std::uint32_t>(3 + draw(0, 18));
    Scenario scenario = ring(algorithm, nodes, Who::listed, How::random, seed);
    scenario.initiators.ids = {Id{1}};
    scenario.delay = {simulator::Delay::Shape::uniform, Duration{0}, std::chrono::milliseconds(2)};
    scenario.detector.on = true;
    scenario.detector.lateness = {simulator::Delay::Shape::uniform, Duration{0},
                                  std::chrono::milliseconds(1 + draw(1, 20))};
    std::vector<bool> dies(nodes + 1);
    for (std::uint64_t i = draw(2, 4) + 1; i-- != 0;) {
        const auto id = static_cast<std::uint32_t>(2 + draw(10 + i, nodes - 1));
        if (dies[id]) continue;
        dies[id] = true;
        scenario.crashes.push_back({Id{id}, std::chrono::microseconds(draw(20 + i, 40'000))});
    }
    return scenario;
}

std::uint64_t sent(const Outcome& outcome, std::string_view message) {
    for (const auto& [name, count] : outcome.by_type)
        if (name == message) return count;
    check(false, "a claim counts a message that exists");
    return 0;
}

std::uint64_t sent(const trace::Trace& trace, std::string_view text) {
    return static_cast<std::uint64_t>(
        std::count_if(trace.records.begin(), trace.records.end(), [&](const trace::Record& record) {
            return record.kind == trace::Kind::send && record.text == text;
        }));
}

bool elected(const Outcome& outcome, Id leader) {
    return outcome.end == Outcome::End::agreed && outcome.leader == leader &&
           outcome.violations.empty();
}

std::uint32_t number(Id id) { return static_cast<std::uint32_t>(id); }
std::uint32_t log2_floor(std::uint32_t n) {
    return static_cast<std::uint32_t>(std::bit_width(n)) - 1;
}
std::uint32_t log2_ceil(std::uint32_t n) { return log2_floor(n) + !std::has_single_bit(n); }

void Tally::add(bool holds, const Scenario& scenario, const Outcome& outcome) {
    ++runs;
    held += holds;
    if (!holds && first.empty())
        first = scenario.algorithm + " with " + std::to_string(scenario.nodes) + " nodes, seed " +
                std::to_string(scenario.seed) + ": " + std::to_string(outcome.messages) +
                " messages";
}

std::string Tally::text() const {
    return std::to_string(held) + " of " + std::to_string(runs) + " runs" +
           (first.empty() ? "" : "; not in " + first);
}

Result verdict(const Tally& tally, std::string expected, std::string unit, std::string evidence) {
    return {.status = tally.all() ? Status::pass : Status::fail,
            .expected = std::move(expected),
            .measured = tally.text(),
            .unit = std::move(unit),
            .evidence = std::move(evidence),
            .exhibits = {},
            .plots = {}};
}

}  // namespace conclave::claims::rings
