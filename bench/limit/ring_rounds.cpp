// Without a queue at all: as every message takes one unit of time, Chang-Roberts goes round by
// round, from one array to another and back. Usage: limit_ring_rounds NODES
//
// No simulator can do this, for it holds for one delay and one message per arrival only; it shows
// what the queue of limit_ring_bucket costs.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ring.hpp"

namespace {

using limit::Event;
using limit::Node;
using Arrays = std::array<std::unique_ptr<Event[]>, 2>;

std::uint64_t elect(std::vector<Node>& nodes, const Arrays& arrays) {
    const auto n = static_cast<std::uint32_t>(nodes.size());
    for (std::uint32_t at = 0; at < n; ++at) arrays[0][at] = limit::initiate(nodes, at);
    std::uint64_t deliveries = 0;
    std::size_t size = n;
    for (std::size_t round = 0; size != 0; ++round) {
        const Event* const arrivals = arrays[round % 2].get();
        Event* const begin = arrays[(round + 1) % 2].get();
        Event* out = begin;
        for (std::size_t i = 0; i < size; ++i) {
            const auto [to, value] = arrivals[i];
            if (const std::uint32_t said = limit::receive(nodes[to], value); said != 0)
                *out++ = {to + 1 == n ? 0 : to + 1, said};
        }
        deliveries += size;
        size = static_cast<std::size_t>(out - begin);
    }
    return deliveries;
}

}  // namespace

int main(int argc, char** argv) {
    return limit::measure(argc, argv, [](std::vector<Node>& nodes) {
        Arrays arrays;
        for (auto& array : arrays) array = std::make_unique_for_overwrite<Event[]>(nodes.size());
        const double began = limit::cpu_seconds();
        const std::uint64_t deliveries = elect(nodes, arrays);
        return limit::Run{deliveries, limit::cpu_seconds() - began};
    });
}
