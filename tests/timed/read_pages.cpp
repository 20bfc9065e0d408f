// Reads the pages of several daemons of one network, as programs do: read_pages COUNT PAGE...
//
// Between the two lines that it prints it makes no system call, which the test sees with strace. It
// fails unless all intervals overlap all the time: the network has one time, and each must hold it.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>

#include "conclave/time_interval.hpp"

namespace {

using namespace conclave;

Time raw_now() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// Time goes on between the two readings, a little faster or slower than the raw clock.
bool overlap(const TimeInterval& first, const TimeInterval& second, Duration between) {
    const Duration later = between + between / 100 + Duration{1};
    return second.latest >= first.earliest && second.earliest <= first.latest + later;
}

}  // namespace

int main(int count, char** words) {
    if (count < 3) return 2;
    const long rounds = std::strtol(words[1], nullptr, 10);
    std::deque<TimePage> pages;
    for (int i = 2; i < count; ++i) pages.emplace_back(words[i]);
    std::puts("begin");
    std::fflush(stdout);
    long unknown = 0, apart = 0;
    for (long i = 0; i < rounds; ++i) {
        TimePage &a = pages[static_cast<std::size_t>(i) % pages.size()],
                 &b = pages[static_cast<std::size_t>(i + 1) % pages.size()];
        const Time before = raw_now();
        const TimeInterval first = a.now(), second = b.now();
        const Duration between = raw_now() - before;
        if (first.status != TimeStatus::synchronised || second.status != TimeStatus::synchronised)
            ++unknown;
        else if (!overlap(first, second, between))
            ++apart;
    }
    std::puts("end");
    std::fflush(stdout);
    std::printf("%ld rounds, %ld not synchronised, %ld apart\n", rounds, unknown, apart);
    return unknown == 0 && apart == 0 ? 0 : 1;
}
