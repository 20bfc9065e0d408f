// How fast the simulator delivers messages, against the fastest programs we know for the same task.
// Usage: bench_simulator [ROUNDS]
//
// Chang-Roberts with all nodes initiating and ids in random order. Every figure comes from a
// process of its own, in turn with the limit program it is compared with, so that a busy machine
// slows both; the best of several rounds counts, in CPU time of the run itself: starts, deliveries,
// verdict.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>

#include "conclave/election/chang_roberts.hpp"
#include "conclave/simulator/world/world.hpp"

namespace {

using namespace conclave;
using namespace conclave::simulator;

constexpr std::array sizes{10'000u, 100'000u, 1'000'000u};

struct Comparison {
    std::string network;  // what can happen to messages
    std::string limit;    // bench/limit/ring_....cpp
    double wanted;        // of the limit's rate; 0: as much as may be
};
const std::array comparisons{
    Comparison{"unit", "bucket", 0.25}, Comparison{"faulty", "bucket", 0.2},
    Comparison{"exponential", "heap", 0.5}, Comparison{"unit", "rounds", 0}};

Scenario scenario_of(const std::string& network, std::uint32_t nodes) {
    Scenario scenario;
    scenario.nodes = nodes;
    scenario.initiators.who = Initiators::Who::all;
    if (network == "faulty") scenario.loss = scenario.duplication = Odds{1};  // drawn, hardly hit
    if (network == "exponential") scenario.delay.shape = Delay::Shape::exponential;
    return scenario;
}

struct Measure {
    std::uint64_t deliveries = 0;
    double seconds = 0;
    long kilobytes = 0;

    double rate() const { return static_cast<double>(deliveries) / seconds; }
    double nanoseconds() const { return 1e9 / rate(); }
};

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// In a process of its own: prints deliveries, seconds of the best run, kilobytes.
int run_once(const std::string& network, std::uint32_t nodes) {
    Measure best;
    for (std::uint32_t i = 0; i < 1 + 1'000'000 / nodes; ++i) {
        const Scenario scenario = scenario_of(network, nodes);
        Decisions decisions(scenario.seed);
        World<ChangRoberts> world(scenario, {}, decisions);
        const double began = cpu_seconds();
        const Outcome outcome = world.run();
        const double seconds = cpu_seconds() - began;
        if (outcome.leader != Id{nodes} || !outcome.violations.empty()) return 1;
        if (i == 0 || seconds < best.seconds) best = {outcome.delivered, seconds, 0};
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%" PRIu64 " %.9f %ld\n", best.deliveries, best.seconds, usage.ru_maxrss);
    return 0;
}

// Runs a program that prints what run_once() prints.
Measure ask(const std::string& command) {
    Measure m;
    std::FILE* const pipe = popen(command.c_str(), "r");
    const bool read = pipe != nullptr && std::fscanf(pipe, "%" SCNu64 " %lf %ld", &m.deliveries,
                                                     &m.seconds, &m.kilobytes) == 3;
    if (pipe == nullptr || pclose(pipe) != 0 || !read) {
        std::fprintf(stderr, "'%s' did not end well: start it by hand to see why\n",
                     command.c_str());
        std::exit(1);
    }
    return m;
}

// The best of all rounds, by command.
class Best {
public:
    void measure(const std::string& command) {
        const Measure now = ask(command);
        Measure& best = measures_[command];
        if (best.seconds == 0 || now.seconds < best.seconds) best = now;
    }
    const Measure& of(const std::string& command) const { return measures_.at(command); }

private:
    std::map<std::string, Measure> measures_;
};

void print_line(const std::string& name, const std::string& metric, const char* format,
                double value) {
    std::printf("bench,%s,%s,", name.c_str(), metric.c_str());
    std::printf(format, value);
    std::printf("\n");
}

// False: they did not do the same work.
bool report(const Comparison& c, std::uint32_t nodes, const Measure& ours, const Measure& limit) {
    const std::string name = c.network + "-" + std::to_string(nodes);
    if (c.limit != "rounds") {
        print_line(name, "deliveries_per_cpu_second", "%.0f", ours.rate());
        print_line(name, "ns_per_delivery", "%.1f", ours.nanoseconds());
        print_line(name, "megabytes", "%.1f", static_cast<double>(ours.kilobytes) / 1024);
    }
    print_line(name, c.limit + "_ns_per_delivery", "%.1f", limit.nanoseconds());
    print_line(name, c.limit + "_ratio", "%.3f", ours.rate() / limit.rate());
    if (c.wanted != 0) print_line(name, c.limit + "_wanted", "%.2f", c.wanted);
    return ours.deliveries == limit.deliveries;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3) return run_once(argv[1], static_cast<std::uint32_t>(std::atol(argv[2])));
    const int rounds = argc == 2 ? std::max(std::atoi(argv[1]), 1) : 5;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
    const auto ours = [&](const Comparison& c, std::uint32_t nodes) {
        return self.string() + " " + c.network + " " + std::to_string(nodes);
    };
    const auto limit = [&](const Comparison& c, std::uint32_t nodes) {
        return (self.parent_path() / ("limit_ring_" + c.limit)).string() + " " +
               std::to_string(nodes);
    };
    Best best;
    for (int round = 0; round < rounds; ++round)
        for (const std::uint32_t nodes : sizes)
            for (const Comparison& c : comparisons) {
                best.measure(limit(c, nodes));
                best.measure(ours(c, nodes));
            }
    bool same = true;
    for (const std::uint32_t nodes : sizes)
        for (const Comparison& c : comparisons)
            same = report(c, nodes, best.of(ours(c, nodes)), best.of(limit(c, nodes))) && same;
    if (!same) std::fprintf(stderr, "the limit programs delivered other numbers of messages\n");
    return same ? 0 : 1;
}
