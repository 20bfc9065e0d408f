// A program that leads, or follows: it counts aloud while it leads, and publishes what it is.
//
//     elector NAME STATE-FOLDER [SECONDS [GROUP]]
//
// Start it as a, b and c, each in a terminal of its own, and end the one that counts. elector.c and
// elector.py are the same program; all three may be members of one group.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "conclave/elector.hpp"

namespace {

unsigned long long number(std::uint64_t token) { return token; }

void tell(const conclave::Leadership& now) {
    if (now.leads)
        std::printf("I lead\n");
    else if (now.leader.empty())
        std::printf("nobody leads\n");
    else
        std::printf("%s leads under token %llu: %s\n", now.leader.c_str(), number(now.token),
                    now.value.c_str());
    std::fflush(stdout);
}

void count_for(conclave::LeaderElection& election, std::chrono::seconds length) {
    using std::chrono::steady_clock;
    const auto end = steady_clock::now() + length;
    for (int count = 1; steady_clock::now() < end;) {
        if (!election.campaign({}, std::chrono::milliseconds(100)).leads) continue;
        // A store that is given the token can refuse one that is less than the last.
        const conclave::Leadership now = election.leadership();
        if (now.remaining() < std::chrono::milliseconds(20)) continue;
        std::printf("%d under token %llu\n", count++, number(now.token));
        std::fflush(stdout);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

}  // namespace

int main(int count, char** words) {
    if (count < 3) {
        std::fprintf(stderr, "usage: elector NAME STATE-FOLDER [SECONDS [GROUP]]\n");
        return 2;
    }
    const std::string name = words[1], group = count > 4 ? words[4] : "counters";
    try {
        conclave::Elector elector({{"group", group},
                                   {"name", name},
                                   {"members", "a,b,c"},
                                   {"detect", "400ms"},
                                   {"publish", name + " is written in C++"},
                                   {"state", words[2]}},
                                  &tell);
        count_for(elector, std::chrono::seconds(count > 3 ? std::atoi(words[3]) : 60));
    } catch (const conclave::Elector::Refusal& refusal) {
        std::fprintf(stderr, "elector: %s\n", refusal.what());
        return 2;
    }
    return 0;
}
