#include "conclave/simulator/time/time_paths.hpp"

#include <algorithm>

#include "conclave/simulator/time/oscillator.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

namespace {

constexpr Duration burst_length = std::chrono::seconds(20);

Duration exponential(Duration mean, std::uint64_t bits) {
    return Duration{draw_delay({Delay::Shape::exponential, mean, {}}, bits)};
}

std::uint64_t link_of(Id from, Id to) {
    return std::uint64_t{static_cast<std::uint32_t>(from)} << 32 | static_cast<std::uint32_t>(to);
}

}  // namespace

Time TimePaths::carry(Id from, Id to, Time now) {
    // Marked, so that they differ from what chance does to the election's messages.
    const std::uint32_t count = counts_[link_of(from, to)]++ | 0x80000000;
    if (!reaches(from, to, now)) return never;
    if (scenario_.world.loss.hit(decisions_.bits({Purpose::lose, from, to, count}))) return never;
    Duration lag{};
    for (const Lag& given : scenario_.lags)
        if (given.from == from && given.to == to && given.when.holds(now)) lag += given.delay;
    const Duration delay = scenario_.path + lag + draw_jitter(from, to, count, now);
    return now + std::max(delay, Duration{1});
}

Duration TimePaths::draw_jitter(Id from, Id to, std::uint32_t count, Time now) const {
    const std::uint64_t bits = decisions_.bits({Purpose::delay, from, to, count});
    const Duration size = scenario_.jitter.size;
    switch (scenario_.jitter.shape) {
        case Jitter::Shape::none: return {};
        case Jitter::Shape::exponential: return exponential(size, bits);
        case Jitter::Shape::uniform:
            return Duration{static_cast<std::int64_t>(
                below(static_cast<std::uint64_t>(size.count()) + 1, bits))};
        case Jitter::Shape::gaussian: return Duration{draw_normal(size.count(), bits)};
        case Jitter::Shape::one_way: return exponential(from < to ? size : size / 10, bits);
        case Jitter::Shape::burst: {
            const auto slot = static_cast<std::uint32_t>(now / burst_length);
            const bool burst =
                below(10, decisions_.bits({Purpose::delay, everyone, nobody, slot})) == 0;
            return exponential(burst ? 20 * size : size, bits);
        }
    }
    return {};
}

std::uint64_t TimePaths::part_of(Id id, Time now) const {
    std::uint64_t part = 0;
    for (const Partition& partition : scenario_.world.partitions) {
        if (!partition.when.holds(now)) continue;
        std::uint64_t here = 0;
        for (std::size_t i = 0; i < partition.parts.size(); ++i)
            if (std::find(partition.parts[i].begin(), partition.parts[i].end(), id) !=
                partition.parts[i].end())
                here = i + 1;
        part = part * 64 + here;
    }
    return part;
}

bool TimePaths::reaches(Id from, Id to, Time now) const {
    for (const Cut& cut : scenario_.world.cuts)
        if (cut.from == from && cut.to == to && cut.when.holds(now)) return false;
    return scenario_.world.partitions.empty() || part_of(from, now) == part_of(to, now);
}

bool TimePaths::paused(Id id, Time now) const {
    for (const Pause& pause : scenario_.world.pauses)
        if (pause.node == id && pause.when.holds(now)) return true;
    for (const Stop& stop : scenario_.stops)
        if (stop.node == id && stop.when.holds(now)) return true;
    return false;
}

}  // namespace conclave::simulator
