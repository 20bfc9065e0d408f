// How fast the simulator delivers messages, against the fastest programs we know for the same task.
//
// Chang-Roberts with all nodes initiating and ids in random order. Every figure comes from a
// process of its own, in turn with the limit program it is compared with, so that a busy machine
// slows both; the best of several rounds counts, in CPU time of the run itself: starts, deliveries,
// verdict.
#include <sys/resource.h>
#include <sys/wait.h>

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
#include "conclave/simulator/world.hpp"

namespace {

using namespace conclave;
using namespace conclave::simulator;

struct Case {
    const char* name;
    const char* limit;
    double wanted;  // of the limit's rate
};
constexpr std::array cases{Case{"unit", "limit_ring_bucket", 0.25},
                           Case{"faulty", "limit_ring_bucket", 0.2},
                           Case{"exponential", "limit_ring_heap", 0.5}};
constexpr std::array sizes{10'000u, 100'000u, 1'000'000u};

struct Measure {
    std::uint64_t deliveries = 0;
    double seconds = 0;
    long kilobytes = 0;
    double rate() const { return static_cast<double>(deliveries) / seconds; }
};

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Scenario scenario_of(const std::string& name, std::uint32_t nodes) {
    Scenario scenario;
    scenario.nodes = nodes;
    scenario.initiators.who = Initiators::Who::all;
    if (name == "faulty") scenario.loss = scenario.duplication = Odds{1};  // drawn, hardly ever hit
    if (name == "exponential") scenario.delay.shape = Delay::Shape::exponential;
    return scenario;
}

// In a process of its own: deliveries, seconds of the best run, kilobytes.
int run_case(const std::string& name, std::uint32_t nodes) {
    Measure best;
    for (std::uint32_t i = 0; i < 1 + 1'000'000 / nodes; ++i) {
        const Scenario scenario = scenario_of(name, nodes);
        Decisions decisions(1);
        World<ChangRoberts> world(scenario, {}, decisions);
        const double began = cpu_seconds();
        const Outcome outcome = world.run();
        const double seconds = cpu_seconds() - began;
        if (name != "faulty" && outcome.leader != Id{nodes}) return 1;
        if (i == 0 || seconds < best.seconds) best = {outcome.delivered, seconds, 0};
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%" PRIu64 " %.9f %ld\n", best.deliveries, best.seconds, usage.ru_maxrss);
    return 0;
}

// Runs a program that prints what run_case() prints.
Measure ask(const std::string& command) {
    Measure measure;
    std::FILE* pipe = popen(command.c_str(), "r");
    const bool read =
        pipe != nullptr && std::fscanf(pipe, "%" SCNu64 " %lf %ld", &measure.deliveries,
                                       &measure.seconds, &measure.kilobytes) == 3;
    if (pipe == nullptr || pclose(pipe) != 0 || !read) {
        std::fprintf(stderr, "'%s' did not end well: build it with ./dev bench simulator\n",
                     command.c_str());
        std::exit(2);
    }
    return measure;
}

void keep_best(Measure& best, const Measure& measure) {
    if (best.seconds == 0 || measure.seconds < best.seconds) best = measure;
}

// "unit-10000": our rate, the limit's, and their ratio.
void report(const Case& measured, std::uint32_t nodes, const Measure& ours, const Measure& limit) {
    const std::string name = std::string(measured.name) + "-" + std::to_string(nodes);
    const auto line = [&](const char* metric, const char* format, double value) {
        std::printf("bench,%s,%s,", name.c_str(), metric);
        std::printf(format, value);
        std::printf("\n");
    };
    line("deliveries_per_cpu_second", "%.0f", ours.rate());
    line("ns_per_delivery", "%.1f", 1e9 / ours.rate());
    line("limit_per_cpu_second", "%.0f", limit.rate());
    line("limit_ratio", "%.3f", ours.rate() / limit.rate());
    line("wanted_ratio", "%.2f", measured.wanted);
    if (nodes == sizes.back())
        line("megabytes", "%.1f", static_cast<double>(ours.kilobytes) / 1024);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3) return run_case(argv[1], static_cast<std::uint32_t>(std::atol(argv[2])));
    const int rounds = argc == 2 ? std::max(std::atoi(argv[1]), 1) : 5;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
    std::map<std::string, Measure> best;
    for (int round = 0; round < rounds; ++round)
        for (const std::uint32_t nodes : sizes)
            for (const Case& measured : cases) {
                const std::string size = " " + std::to_string(nodes);
                const std::string limit = (self.parent_path() / measured.limit).string() + size;
                keep_best(best[measured.limit + size], ask(limit));
                keep_best(best[measured.name + size],
                          ask(self.string() + " " + measured.name + size));
            }
    for (const std::uint32_t nodes : sizes)
        for (const Case& measured : cases) {
            const std::string size = " " + std::to_string(nodes);
            report(measured, nodes, best[measured.name + size], best[measured.limit + size]);
        }
}
