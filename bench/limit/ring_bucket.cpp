// The limit for messages that all take one unit of time: Chang-Roberts, and nothing else, on a
// ring of buckets, one bucket a unit. Usage: limit_ring_bucket NODES
//
// No faults, no checks, no counters but one, 8 bytes an event. All nodes initiate.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/limit/ring.hpp"

namespace {

using limit::elected_bit;
using limit::Node;

struct Event {
    std::uint32_t to;
    std::uint32_t value;
};

// An array that is large enough for all that can be under way at once: one message a node.
struct Bucket {
    std::unique_ptr<Event[]> events;
    std::uint32_t size = 0;
};

std::uint64_t elect(std::vector<Node>& nodes, std::array<Bucket, 2>& buckets) {
    const auto n = static_cast<std::uint32_t>(nodes.size());
    for (std::uint32_t at = 0; at < n; ++at) {
        nodes[at].participating = 1;
        buckets[0].events[at] = {at + 1 == n ? 0 : at + 1, nodes[at].id};
    }
    buckets[0].size = n;
    std::uint64_t deliveries = 0;
    for (std::uint32_t time = 0; buckets[time & 1].size != 0; ++time) {
        const Event* const arrivals = buckets[time & 1].events.get();
        Event* out = buckets[(time + 1) & 1].events.get();
        Event* const begin = out;
        const std::uint32_t size = buckets[time & 1].size;
        for (std::uint32_t i = 0; i < size; ++i) {
            const auto [to, value] = arrivals[i];
            const std::uint32_t next = to + 1 == n ? 0 : to + 1;
            if (const std::uint32_t said = limit::receive(nodes[to], value); said != 0)
                *out++ = {next, said};
        }
        deliveries += size;
        buckets[(time + 1) & 1].size = static_cast<std::uint32_t>(out - begin);
    }
    return deliveries;
}

}  // namespace

int main(int argc, char** argv) {
    return limit::measure(argc, argv, [](std::vector<Node>& nodes) {
        std::array<Bucket, 2> buckets;
        for (Bucket& bucket : buckets)
            bucket.events = std::make_unique_for_overwrite<Event[]>(nodes.size());
        const double began = limit::cpu_seconds();
        const std::uint64_t deliveries = elect(nodes, buckets);
        return limit::Run{deliveries, limit::cpu_seconds() - began};
    });
}
