// What the limit programs share: Chang-Roberts' rule on a node of 8 bytes, the ids, the clock.
#pragma once

#include <sys/resource.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

namespace limit {

struct Node {
    std::uint32_t id;
    std::uint32_t leader : 31;
    std::uint32_t participating : 1;
};

struct Event {
    std::uint32_t to;
    std::uint32_t value;  // an id, with elected_bit on top or not
};

inline constexpr std::uint32_t elected_bit = 1u << 31;

inline Event initiate(std::vector<Node>& nodes, std::uint32_t at) {
    nodes[at].participating = 1;
    return {at + 1 == nodes.size() ? 0 : at + 1, nodes[at].id};
}

// What the node says upon this message; 0: nothing.
inline std::uint32_t receive(Node& node, std::uint32_t value) {
    if (value < elected_bit) {
        if (value > node.id) {
            node.participating = 1;
            return value;
        }
        if (value == node.id) {
            node.leader = value & ~elected_bit;
            return value | elected_bit;
        }
        if (node.participating != 0) return 0;
        node.participating = 1;
        return node.id;
    }
    node.participating = 0;
    if ((value & ~elected_bit) == node.id) return 0;
    node.leader = value & ~elected_bit;
    return value;
}

inline std::uint64_t mix(std::uint64_t word) {
    word += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

// In the order that the simulator draws from seed 1, so that all do the same work.
inline std::vector<Node> random_ring(std::uint32_t n) {
    const std::uint64_t stream = mix(mix(1) + 7);
    std::vector<Node> nodes(n);
    for (std::uint32_t i = 0; i < n; ++i) nodes[i] = {i + 1, 0, 0};
    for (std::uint32_t i = n; i > 1; --i) {
        const std::uint64_t bits = mix(stream + i * 0x9fb21c651e98df25);
        std::swap(nodes[i - 1].id, nodes[(bits >> 32) * i >> 32].id);
    }
    return nodes;
}

inline double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Run {
    std::uint64_t deliveries;
    double seconds;
};

// Prints deliveries, seconds of CPU time of the best of several runs, and kilobytes of memory.
template <class Elect>
int measure(int argc, char** argv, const Elect& elect) {
    const auto n = static_cast<std::uint32_t>(argc > 1 ? std::atol(argv[1]) : 0);
    if (n == 0) {
        std::fprintf(stderr, "usage: %s NODES\n", argv[0]);
        return 2;
    }
    Run best{0, 0};
    for (std::uint32_t i = 0; i < 1 + 1'000'000 / n; ++i) {
        std::vector<Node> nodes = random_ring(n);
        const Run run = elect(nodes);
        for (const Node& node : nodes)
            if (node.leader != n) return 1;
        if (i == 0 || run.seconds < best.seconds) best = run;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%" PRIu64 " %.9f %ld\n", best.deliveries, best.seconds, usage.ru_maxrss);
    return 0;
}

}  // namespace limit
