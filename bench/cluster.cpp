// How many storms of ten seconds a simulated cluster of three goes through in a second of CPU time.
// Usage: bench_cluster [STORMS]
//
// Every run is judged as in the tests: a storm that shows a violation ends the benchmark with 1.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "conclave/simulator/campaign/sweep.hpp"
#include "conclave/simulator/cluster/cluster.hpp"

namespace {

using namespace conclave;
using namespace conclave::simulator;

constexpr double wanted = 200;  // storms per CPU second

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Storms per CPU second; 0: one of them shows a violation.
double measure(const Engine& engine, std::uint64_t storms) {
    Scenario scenario;
    scenario.algorithm = engine.card->name;
    scenario.nodes = 3;
    scenario.storm = std::chrono::seconds(10);
    const double began = cpu_seconds();
    for (scenario.seed = 1; scenario.seed <= storms; ++scenario.seed)
        if (!engine.simulate(scenario, {}).violations.empty()) {
            std::printf("%s: seed %llu shows a violation\n", scenario.algorithm.c_str(),
                        static_cast<unsigned long long>(scenario.seed));
            return 0;
        }
    return static_cast<double>(storms) / (cpu_seconds() - began);
}

}  // namespace

int main(int count, char** words) {
    const std::uint64_t storms = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1000;
    bool well = storms != 0;
    for (const Engine& engine : cluster_engines()) {
        const std::string name(engine.card->name);
        if (name == "lease") continue;  // which nobody calls
        const double rate = measure(engine, storms);
        std::printf("%-20s %6.0f storms of 10s per CPU second (wanted: %.0f)\n", name.c_str(), rate,
                    wanted);
        std::printf("bench,%s,storms_per_cpu_second,%.0f\n", name.c_str(), rate);
        well = well && rate != 0;
    }
    return well ? 0 : 1;
}
