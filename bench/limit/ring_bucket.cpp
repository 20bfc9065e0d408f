// The limit for whole units of delay: Chang-Roberts, and nothing else, on a queue of sixteen
// buckets in a ring, one for each unit of time. All messages take one unit. Usage:
// limit_ring_bucket NODES
//
// No faults, no checks, no counters but one, 8 bytes an event. All nodes initiate.
#include <array>
#include <cstdint>
#include <vector>

#include "ring.hpp"

namespace {

using limit::Event;
using limit::Node;
using Buckets = std::array<std::vector<Event>, 16>;

constexpr std::uint64_t delay = 1;

std::uint64_t elect(std::vector<Node>& nodes, Buckets& buckets) {
    const auto n = static_cast<std::uint32_t>(nodes.size());
    for (std::uint32_t at = 0; at < n; ++at) buckets[delay].push_back(limit::initiate(nodes, at));
    std::uint64_t pending = n, deliveries = 0;
    for (std::uint64_t time = 1; pending != 0; ++time) {
        std::vector<Event>& arrivals = buckets[time % buckets.size()];
        std::vector<Event>& later = buckets[(time + delay) % buckets.size()];
        for (const auto [to, value] : arrivals)
            if (const std::uint32_t said = limit::receive(nodes[to], value); said != 0) {
                later.push_back({to + 1 == n ? 0 : to + 1, said});
                ++pending;
            }
        deliveries += arrivals.size();
        pending -= arrivals.size();
        arrivals.clear();
    }
    return deliveries;
}

}  // namespace

int main(int argc, char** argv) {
    return limit::measure(argc, argv, [](std::vector<Node>& nodes) {
        Buckets buckets;
        for (auto& bucket : buckets) bucket.reserve(nodes.size());
        const double began = limit::cpu_seconds();
        const std::uint64_t deliveries = elect(nodes, buckets);
        return limit::Run{deliveries, limit::cpu_seconds() - began};
    });
}
