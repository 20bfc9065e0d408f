// A program that leads, or follows: it counts aloud while it leads.
//
//     elector NAME STATE-FOLDER [SECONDS]
//
// Start it as a, b and c, each in a terminal of its own, and end the one that counts.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "conclave/elector.hpp"

int main(int count, char** words) {
    if (count < 3) {
        std::fprintf(stderr, "usage: elector NAME STATE-FOLDER [SECONDS]\n");
        return 2;
    }
    const std::chrono::seconds length(count > 3 ? std::atoi(words[3]) : 60);
    try {
        conclave::Elector elector({{"group", "counters"},
                                   {"name", words[1]},
                                   {"members", "a,b,c"},
                                   {"detect", "400ms"},
                                   {"state", words[2]}},
                                  [](const conclave::Leadership& now) {
                                      std::printf("%s\n", now.leads ? "I lead"
                                                          : now.leader.empty()
                                                              ? "nobody leads"
                                                              : now.leader.c_str());
                                      std::fflush(stdout);
                                  });
        const auto end = std::chrono::steady_clock::now() + length;
        for (int number = 1; std::chrono::steady_clock::now() < end;) {
            // Whatever the number is written to can refuse a token that is less than the last.
            if (const auto now = elector.leadership(); now.leads)
                std::printf("%d under token %llu\n", number++,
                            static_cast<unsigned long long>(now.token));
            std::fflush(stdout);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    } catch (const conclave::Elector::Refusal& refusal) {
        std::fprintf(stderr, "elector: %s\n", refusal.what());
        return 2;
    }
    return 0;
}
