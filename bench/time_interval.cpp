// The cost of reading the time as an interval, beside a bare clock_gettime in the same run.
// Usage: bench_time_interval [CALLS]
//
// A page is written every 10 ms meanwhile, a hundred times as often as a daemon does. Of 20 rounds
// the median counts.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <thread>
#include <vector>

#include "conclave/net/clock.hpp"
#include "conclave/time_interval.hpp"
#include "conclave/timed/report/page_file.hpp"

namespace {

using namespace conclave;
using namespace std::chrono_literals;

page::Content content() {
    return {.at = {net::raw_time(), net::unix_time()},
            .slack = clock::ppm(120'000),
            .source = page::Source::raw,
            .offset = net::unix_time() - net::raw_time(),
            .rate = clock::ppm(12),
            .error = 1us,
            .growth = clock::ppb(200),
            .status = TimeStatus::synchronised};
}

// Of this thread's own time, so that others on the machine count little.
double ns_each(long calls, const std::function<void()>& many) {
    const auto used = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
    };
    const double before = used();
    many();
    return (used() - before) / static_cast<double>(calls);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

int main(int count, char** words) {
    const long calls = count > 1 ? std::strtol(words[1], nullptr, 10) : 1'000'000;
    if (calls < 1) return 2;
    const std::string path = "/tmp/bench-" + std::to_string(net::raw_time().count()) + ".page";
    timed::PageFile file(path);
    file.write(content());
    std::atomic<bool> ends = false;
    std::thread writer([&] {
        while (!ends) {
            file.write(content());
            std::this_thread::sleep_for(10ms);
        }
    });
    TimePage page(path);
    std::int64_t sum = 0;
    long unknown = 0;
    std::vector<double> bare, interval;
    for (int round = 0; round < 20; ++round) {
        bare.push_back(ns_each(calls, [&] {
            timespec now{};
            for (long i = 0; i < calls; ++i) {
                clock_gettime(CLOCK_REALTIME, &now);
                sum += now.tv_nsec;
            }
        }));
        interval.push_back(ns_each(calls, [&] {
            for (long i = 0; i < calls; ++i) {
                const TimeInterval now = page.now();
                sum += now.latest.count() & 1;
                unknown += now.status != TimeStatus::synchronised;
            }
        }));
    }
    ends = true;
    writer.join();
    std::remove(path.c_str());
    std::fprintf(stderr, "sum %lld\n", static_cast<long long>(sum));  // or nothing is computed
    std::printf("bench,clock_gettime,ns,%.1f\nbench,time_interval,ns,%.1f\n", median(bare),
                median(interval));
    std::printf("bench,time_interval,unknown,%ld\n", unknown);
    return unknown == 0 ? 0 : 1;
}
