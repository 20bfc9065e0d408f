#include "conclave/page/content.hpp"

namespace conclave::page {

namespace {

// Two calls are never quite at one moment, and the kernel's steering begins a tick late.
constexpr Duration tolerance = std::chrono::milliseconds(1);
constexpr clock::Rate fastest = clock::ppm(200'000);

bool in_time(Duration age) { return age >= Duration{0} && age <= valid; }
bool sensible(clock::Rate rate) { return rate >= -fastest && rate <= fastest; }

// A clock counts from 0 up. What is near the end of time is found when the interval is computed.
bool sensible(const Content& content) {
    constexpr Time start{0};
    return content.at.raw >= start && content.at.real >= start && sensible(content.real_rate) &&
           sensible(content.slack) && content.slack >= clock::Rate{} && sensible(content.rate) &&
           content.error >= Duration{0} && sensible(content.growth) &&
           content.growth >= clock::Rate{};
}

}  // namespace

bool disturbed(const Content& content, const Clocks& now) {
    const Duration age = now.raw - content.at.raw;
    if (!in_time(age)) return false;  // too old for anybody to tell
    const clock::Wide moved = clock::Wide{(now.real - content.at.real).count()} - age.count() -
                              clock::over(content.real_rate, age).count();
    const Duration most = tolerance + clock::over(content.slack, age);
    return moved > most.count() || moved < -most.count();
}

TimeInterval interval_at(const Content& content, const Clocks& now) {
    const Duration age = now.raw - content.at.raw;
    if (content.status == TimeStatus::unknown || !in_time(age) || disturbed(content, now))
        return {};
    const bool by_raw = content.source == Source::raw;
    const Time source = by_raw ? now.raw : now.real;
    const Duration passed = source - (by_raw ? content.at.raw : content.at.real);
    const clock::Wide middle = clock::Wide{source.count()} + content.offset.count() +
                               clock::over(content.rate, passed).count();
    const clock::Wide error =
        clock::Wide{content.error.count()} + clock::over(content.growth, age).count() + 1;
    const clock::Wide earliest = middle - error, latest = middle + error;
    if (earliest < Time::min().count() || latest > Time::max().count()) return {};
    return {Time{static_cast<std::int64_t>(earliest)}, Time{static_cast<std::int64_t>(latest)},
            age > fresh ? TimeStatus::holdover : content.status};
}

Words encode(const Content& content) {
    const auto bits = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    return {bits(content.at.raw.count()),
            bits(content.at.real.count()),
            bits(content.real_rate.ppt),
            bits(content.slack.ppt),
            static_cast<std::uint64_t>(content.source),
            bits(content.offset.count()),
            bits(content.rate.ppt),
            bits(content.error.count()),
            bits(content.growth.ppt),
            static_cast<std::uint64_t>(content.status)};
}

std::optional<Content> decode(const Words& from) {
    const auto number = [&](std::size_t i) { return static_cast<std::int64_t>(from[i]); };
    const auto time = [&](std::size_t i) { return Time{number(i)}; };
    const auto rate = [&](std::size_t i) { return clock::Rate{number(i)}; };
    if (from[4] > 1 || from[9] > 2) return std::nullopt;
    const Content content{.at = {time(0), time(1)},
                          .real_rate = rate(2),
                          .slack = rate(3),
                          .source = static_cast<Source>(from[4]),
                          .offset = time(5),
                          .rate = rate(6),
                          .error = time(7),
                          .growth = rate(8),
                          .status = static_cast<TimeStatus>(from[9])};
    if (!sensible(content)) return std::nullopt;
    return content;
}

}  // namespace conclave::page
