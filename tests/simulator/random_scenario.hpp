// Random but valid scenarios, with every kind of fault, for tests of what must hold for all of
// them.
#pragma once

#include "conclave/core/key.hpp"
#include "conclave/simulator/scenario/scenario.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::tests {

class RandomScenario {
public:
    RandomScenario(std::uint64_t seed, std::string_view algorithm) : state_(mix(seed)) {
        s_.algorithm = algorithm;
    }

    simulator::Scenario make() {
        s_.nodes = 2 + below(7);
        s_.seed = next();
        add_network();
        add_group();
        add_faults();
        add_detector();
        add_clocks();
        s_.until = std::chrono::milliseconds(1 + below(400));
        if (one_in(3)) s_.scope = simulator::LeaderScope::overall;
        if (one_in(3)) s_.checks.best = one_in(2);
        if (one_in(4)) s_.checks = {one_in(2), one_in(2), one_in(2), one_in(2), one_in(2)};
        return s_;
    }

private:
    std::uint64_t next() { return state_ = mix(state_); }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() >> 33) % n; }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    Id node() { return Id{1 + below(s_.nodes)}; }
    Id other_than(Id id) {
        const Id other{1 + below(s_.nodes - 1)};
        return other < id ? other : Id{static_cast<std::uint32_t>(other) + 1};
    }
    Time time() { return std::chrono::microseconds(below(100'000)); }
    simulator::Span span() {
        const Time from = time();
        if (one_in(5)) return {from, never};
        return {from, from + Time{1 + below(50'000'000)}};
    }
    simulator::Odds odds() { return {std::uint64_t{below(1u << 31)} / 3}; }

    simulator::Delay delay() {
        const Duration low{1 + below(3'000'000)};
        switch (below(3)) {
            case 0: return {simulator::Delay::Shape::constant, low, {}};
            case 1:
                return {simulator::Delay::Shape::uniform, low, low + Duration{below(5'000'000)}};
            default: return {simulator::Delay::Shape::exponential, low, {}};
        }
    }

    void add_network() {
        s_.delay = delay();
        if (one_in(2)) s_.loss = odds();
        if (one_in(2)) s_.duplication = odds();
        if (one_in(2)) s_.reordering.odds = odds();
        if (one_in(3)) s_.reordering.by = Duration{1 + below(9'000'000)};
        if (one_in(3)) s_.fifo = one_in(2);
        s_.same_for_all = one_in(3);
        for (std::uint32_t i = below(3); i != 0; --i) {
            const Id from = node();
            s_.links.push_back({from, other_than(from), delay()});
        }
    }

    void add_group() {
        using Who = simulator::Initiators::Who;
        using How = simulator::Order::How;
        s_.initiators.who = static_cast<Who>(below(6));
        if (s_.initiators.who == Who::listed) s_.initiators.ids = {node(), node()};
        s_.order.how = static_cast<How>(below(4));
        if (s_.order.how == How::listed)
            for (std::uint32_t i = 0; i < s_.nodes; ++i)
                s_.order.ids.insert(s_.order.ids.begin() + below(i + 1), Id{i + 1});
        for (std::uint32_t i = below(3); i != 0; --i)
            s_.attributes.push_back({node(), below(1000)});
    }

    void add_faults() {
        for (std::uint32_t i = below(3); i != 0; --i) s_.starts.push_back({node(), time()});
        for (std::uint32_t i = below(3); i != 0; --i) s_.calls.push_back({node(), time()});
        for (std::uint32_t i = below(3); i != 0; --i) s_.crashes.push_back({node(), time()});
        for (const simulator::Crash& crash : s_.crashes)
            if (one_in(2)) s_.recoveries.push_back({crash.node, crash.at + time(), one_in(2)});
        for (std::uint32_t i = below(3); i != 0; --i) s_.pauses.push_back({node(), span()});
        for (std::uint32_t i = below(3); i != 0; --i) {
            const Id from = node();
            s_.cuts.push_back({from, other_than(from), span()});
            s_.suspicions.push_back({from, other_than(from), span()});
        }
        for (std::uint32_t i = below(3); i != 0; --i) {
            const Id lone = node();
            s_.partitions.push_back({{{lone}, {other_than(lone)}}, span()});
        }
    }

    void add_detector() {
        if (one_in(2)) return;
        s_.detector.on = true;
        if (one_in(2)) s_.detector.lateness = delay();
        if (one_in(2)) s_.detector.missed = odds();
        if (one_in(2)) s_.detector.mistakes = below(5);
        if (one_in(2)) s_.detector.mistaken_for = Duration{1 + below(20'000'000)};
    }

    void add_clocks() {
        if (one_in(2)) s_.clocks.offset = time();
        if (one_in(2)) s_.clocks.drift_ppb = below(200'000'000);
        if (one_in(3)) s_.clocks.wander_ppb = below(1'000'000);
        for (std::uint32_t i = below(3); i != 0; --i)
            s_.node_clocks.push_back({node(), time() - time(),
                                      std::int64_t{below(2'000'000)} - 1'000'000,
                                      1 + std::uint64_t{below(3)}});
    }

    std::uint64_t state_;
    simulator::Scenario s_;
};

inline simulator::Scenario random_scenario(std::uint64_t seed, std::string_view algorithm) {
    return RandomScenario(seed, algorithm).make();
}

}  // namespace conclave::tests
