#include "conclave/claims/archimedean/archimedean_runs.hpp"

#include <algorithm>
#include <cmath>

#include "conclave/core/check.hpp"
#include "conclave/core/key.hpp"
#include "conclave/core/settings.hpp"

namespace conclave::claims::archimedes {

namespace {
constexpr Time long_enough{std::int64_t{1} << 61};
}

Scenario in_step(std::uint32_t nodes, Who who, How how, std::uint64_t seed, const Pairs& settings) {
    Scenario scenario = ring("archimedean", nodes, who, how, seed);
    scenario.delay.low = Duration{1};
    scenario.settings = settings;
    scenario.until = long_enough;
    return scenario;
}

Scenario out_of_step(std::uint32_t nodes, std::uint32_t slowest, bool delays, std::uint64_t seed,
                     const Pairs& settings) {
    Scenario scenario = in_step(nodes, Who::all, How::random, seed, settings);
    draw_initiators(scenario);
    for (std::uint32_t id = 1; id <= nodes && slowest > 1; ++id)
        scenario.node_clocks.push_back({Id{id}, {}, 0, 1 + mix(seed, id + 1000) % slowest});
    if (delays) scenario.delay = {simulator::Delay::Shape::uniform, Duration{0}, unit};
    return scenario;
}

Scenario halving_ring(std::uint32_t nodes) {
    Scenario scenario = in_step(nodes, Who::all, How::ascending, 1, {{"unit", "1us"}});
    for (std::uint32_t i = 1; i <= nodes; ++i)
        scenario.node_clocks.push_back({Id{i}, {}, 0, std::uint64_t{1} << (nodes - i + 1)});
    return scenario;
}

Scenario escaping_ring(std::uint32_t nodes, double ratio, const Pairs& settings) {
    Scenario scenario = in_step(nodes, Who::all, How::listed, 1, settings);
    std::vector<std::uint64_t> slow(nodes);
    std::vector<double> ahead(nodes);  // the units behind this place, up to processor 1
    double rest = 0;
    for (std::uint32_t at = nodes; at-- != 0;) {
        slow[at] = static_cast<std::uint64_t>(
            std::llround(32 * std::pow(ratio, 1 - static_cast<double>(at) / (nodes - 1))));
        ahead[at] = rest;
        rest += static_cast<double>(slow[at]);
    }
    std::vector<std::uint32_t> name(nodes, 0);
    name[0] = 1;
    std::uint32_t at = 0, next = 2;
    for (; next <= nodes; ++next) {
        ++at;
        const double handicap = static_cast<double>(wait_of(next, scenario)) /
                                static_cast<double>(wait_of(1, scenario));
        while (at < nodes && ahead[at] * handicap >= ahead[0]) ++at;
        if (at >= nodes) break;
        name[at] = next;
    }
    // The rest in descending order: each of their messages dies after one pass.
    std::uint32_t last = nodes;
    for (at = 0; at < nodes; ++at) {
        if (name[at] == 0) name[at] = last--;
        scenario.order.ids.push_back(Id{name[at]});
        scenario.node_clocks.push_back({Id{name[at]}, {}, 0, slow[at]});
    }
    return scenario;
}

Archimedean::Settings settings_of(const Scenario& scenario) {
    Archimedean::Settings settings;
    for (const auto& [key, value] : scenario.settings)
        check(apply_setting(settings, key, value).empty(), "a claim's settings exist");
    return settings;
}

double longest_span(const Scenario& scenario) {
    std::uint64_t slowest = 1;
    for (const auto& clock : scenario.node_clocks) slowest = std::max(slowest, clock.slowdown);
    const Duration delay = std::max(scenario.delay.low, scenario.delay.high);
    return static_cast<double>(slowest) + units(delay);
}

double ratio_of(const Scenario& scenario) {
    std::uint64_t fastest = scenario.node_clocks.empty() ? 1 : ~std::uint64_t{0};
    for (const auto& clock : scenario.node_clocks) fastest = std::min(fastest, clock.slowdown);
    return longest_span(scenario) / static_cast<double>(fastest);
}

std::uint64_t wait_of(std::uint32_t name, const Scenario& scenario) {
    return Archimedean::wait_of(name, name, settings_of(scenario));
}

double passes_bound(const Scenario& scenario) {
    const auto settings = settings_of(scenario);
    const double nodes = scenario.nodes;
    double sum = 0;
    for (std::uint32_t i = 0; i < scenario.nodes; ++i)
        sum += 1 / static_cast<double>(
                       Archimedean::wait_of(settings.lowest + i, settings.lowest + i, settings));
    const auto lowest = static_cast<double>(wait_of(settings.lowest, scenario));
    return 2 * nodes + nodes * ratio_of(scenario) * (lowest + 1) * sum;
}

double time_bound(const Scenario& scenario, double extra) {
    const auto lowest = static_cast<double>(wait_of(settings_of(scenario).lowest, scenario));
    return scenario.nodes * longest_span(scenario) * (lowest + extra);
}

double units(Duration time) {
    return static_cast<double>(time.count()) / static_cast<double>(unit.count());
}

Traits study(const Scenario& scenario) {
    simulator::Decisions decisions(scenario.seed);
    const auto world = open_named(scenario, decisions);
    const auto node = [&](Id id) -> const Archimedean& { return world->node<Archimedean>(id); };
    Traits traits{.outcome = world->run()};
    for (std::uint32_t id = 1; id <= scenario.nodes; ++id)
        traits.longest_queue = std::max(traits.longest_queue, node(Id{id}).longest);
    if (traits.outcome.leader != nobody) traits.learned = node(traits.outcome.leader).size;
    return traits;
}

}  // namespace conclave::claims::archimedes
