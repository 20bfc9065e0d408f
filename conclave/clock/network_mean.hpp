// Gusella & Zatti (1985): the network time is the average of the times of the nonfaulty clocks, and
// faulty is a clock more than a small interval apart from the majority.
//
// This is the largest group of clocks that lie within one interval, and their mean. It decides the
// time of daemons without a past; later the ensemble keeps it (ensemble.hpp). Of two equally large
// groups the master's own is taken; the answer says whether it was a majority.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "conclave/clock/rate.hpp"

namespace conclave::clock {

struct NetworkMean {
    Duration mean{};
    Duration low{}, high{};  // clocks in between were averaged
    std::size_t count = 0;
    bool majority = false;
    Duration interval{};  // within which they agree

    bool includes(Duration offset) const { return low <= offset && offset <= high; }
};

// `offsets` of all clocks to the master's, its own zero among them.
inline NetworkMean network_mean(std::span<const Duration> offsets, Duration interval) {
    std::vector<Duration> sorted(offsets.begin(), offsets.end());
    std::sort(sorted.begin(), sorted.end());
    std::size_t begin = 0, best = 0, best_count = 0;
    const auto holds_master = [&](std::size_t from, std::size_t count) {
        return sorted[from] <= Duration{0} && Duration{0} <= sorted[from + count - 1];
    };
    for (std::size_t end = 0; end < sorted.size(); ++end) {
        while (sorted[end] - sorted[begin] > interval) ++begin;
        const std::size_t count = end + 1 - begin;
        if (count < best_count || (count == best_count &&
                                   (holds_master(best, best_count) || !holds_master(begin, count))))
            continue;
        best = begin;
        best_count = count;
    }
    if (best_count == 0) return {};
    Wide sum = 0;
    for (std::size_t i = best; i < best + best_count; ++i) sum += sorted[i].count();
    return {Duration{divide(sum, static_cast<std::int64_t>(best_count))},
            sorted[best],
            sorted[best + best_count - 1],
            best_count,
            2 * best_count > sorted.size(),
            interval};
}

// The same for clocks that nobody has kept together yet. Some were set by hand to the second, some
// to the minute: the interval is widened, tenfold each time, until most of them agree.
inline NetworkMean agreed_mean(std::span<const Duration> offsets, Duration interval) {
    const NetworkMean narrow = network_mean(offsets, interval);
    NetworkMean wider = narrow;
    for (int i = 0; i < 3 && !wider.majority; ++i)
        wider = network_mean(offsets, interval = 10 * interval);
    return wider.majority ? wider : narrow;
}

}  // namespace conclave::clock
