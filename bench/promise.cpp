// What a promise costs that must be on disk before it is given: bench_promise [FOLDER]
//
// The state file of a member of a group of five is replaced 300 times in the folder, beside the
// current one unless given, with all the synchronising that a node does.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "conclave/agent/disk/state_file.hpp"
#include "conclave/net/clock.hpp"

int main(int count, char** words) {
    using namespace conclave;
    const std::filesystem::path folder = count > 1 ? words[1] : ".";
    agent::StateFile file(agent::StateFolder(folder), "bench_promise.state", "bench");
    if (!std::holds_alternative<agent::StateFile::Missing>(file.read())) return 2;
    agent::State state{.group = "bench", .name = "a", .id = 1};
    state.roster.version = 1;
    for (const char* name : {"a", "b", "c", "d", "e"}) state.roster.members.push_back({name, 0});
    state.stored.resize(100);
    std::vector<double> times;
    for (std::uint64_t round = 1; round <= 300; ++round) {
        state.highest = {round, Id{2}, 7};
        const Time began = net::boot_time();
        if (const auto problem = file.write(state)) {
            std::fprintf(stderr, "%s\n", problem->c_str());
            return 1;
        }
        times.push_back(static_cast<double>((net::boot_time() - began).count()) / 1e6);
    }
    std::filesystem::remove(file.path());
    std::sort(times.begin(), times.end());
    std::printf("a promise on disk: median %.2f ms, p95 %.2f, worst %.2f (n = %zu)\n",
                times[times.size() / 2], times[times.size() * 95 / 100], times.back(),
                times.size());
}
