// The limit for continuous delays: Chang-Roberts, and nothing else, on a 4-ary heap with
// exponential delays and first-in-first-out links. Usage: limit_ring_heap NODES
//
// No faults, no checks, no counters but one, 16 bytes an event. All nodes initiate.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ring.hpp"

namespace {

using limit::Node;

// The key is the time in nanoseconds above 20 bits of sequence, which settle equal times.
struct Due {
    std::uint64_t key;
    std::uint32_t to;
    std::uint32_t value;
};
constexpr int sequence_bits = 20;

class Heap {
public:
    explicit Heap(std::size_t size) { events_.reserve(size + 1); }
    bool empty() const { return events_.empty(); }

    void push(const Due& event) {
        std::size_t hole = events_.size();
        events_.push_back(event);
        while (hole != 0) {
            const std::size_t parent = (hole - 1) / 4;
            if (events_[parent].key <= event.key) break;
            events_[hole] = events_[parent];
            hole = parent;
        }
        events_[hole] = event;
    }

    const Due& top() const { return events_[0]; }
    void pop() {
        const Due last = events_.back();
        events_.pop_back();
        if (!events_.empty()) sink(last);
    }
    // Most deliveries send on: one way down instead of one down and one up.
    void replace_top(const Due& event) { sink(event); }

private:
    void sink(const Due& event) {
        const std::size_t size = events_.size();
        std::size_t hole = 0;
        for (std::size_t child = 1; child < size; child = 4 * hole + 1) {
            std::size_t least = child;
            for (std::size_t i = child + 1; i < std::min(child + 4, size); ++i)
                if (events_[i].key < events_[least].key) least = i;
            if (events_[least].key >= event.key) break;
            events_[hole] = events_[least];
            hole = least;
        }
        events_[hole] = event;
    }

    std::vector<Due> events_;
};

// Exponential with a mean of a millisecond, as the middles of 4096 equally likely steps.
const auto delays = [] {
    std::array<std::uint64_t, 4096> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] =
            static_cast<std::uint64_t>(-1e6 * std::log((static_cast<double>(i) + 0.5) / 4096));
    return table;
}();

struct Wire {
    std::vector<std::uint64_t> last;  // per node: when the last message it sent arrives
    std::uint64_t sent = 0;

    Due carry(std::uint32_t from, std::uint64_t now, std::uint32_t value) {
        const auto n = static_cast<std::uint32_t>(last.size());
        const std::uint64_t arrives = std::max(now + delays[limit::mix(++sent) >> 52], last[from]);
        last[from] = arrives;
        const std::uint64_t order = sent & ((1u << sequence_bits) - 1);
        return {arrives << sequence_bits | order, from + 1 == n ? 0 : from + 1, value};
    }
};

std::uint64_t elect(std::vector<Node>& nodes, Heap& heap, Wire& wire) {
    for (std::uint32_t at = 0; at < nodes.size(); ++at) {
        nodes[at].participating = 1;
        heap.push(wire.carry(at, 0, nodes[at].id));
    }
    std::uint64_t deliveries = 0;
    for (; !heap.empty(); ++deliveries) {
        const auto [key, to, value] = heap.top();
        if (const std::uint32_t said = limit::receive(nodes[to], value); said != 0)
            heap.replace_top(wire.carry(to, key >> sequence_bits, said));
        else
            heap.pop();
    }
    return deliveries;
}

}  // namespace

int main(int argc, char** argv) {
    return limit::measure(argc, argv, [](std::vector<Node>& nodes) {
        Heap heap(nodes.size());
        Wire wire{std::vector<std::uint64_t>(nodes.size())};
        const double began = limit::cpu_seconds();
        const std::uint64_t deliveries = elect(nodes, heap, wire);
        return limit::Run{deliveries, limit::cpu_seconds() - began};
    });
}
