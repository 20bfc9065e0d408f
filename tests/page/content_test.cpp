#include "conclave/page/content.hpp"

#include <gtest/gtest.h>

namespace conclave::page {
namespace content_test {

using namespace std::chrono_literals;

constexpr Clocks start{100s, 1'800'000'000s};

// The network is 3 s ahead of a virtual clock's source, or of this machine's raw clock.
Content usual(Source source = Source::real) {
    const Duration offset = source == Source::real ? 3s : start.real + 3s - start.raw;
    return {.at = start,
            .slack = clock::ppm(1000),
            .source = source,
            .offset = offset,
            .rate = clock::ppm(100),
            .error = 1ms,
            .growth = clock::ppm(10),
            .status = TimeStatus::synchronised};
}
Clocks after(Duration passed) { return {start.raw + passed, start.real + passed}; }

TEST(PageContent, is_an_interval_around_the_networks_time) {
    for (const Source source : {Source::real, Source::raw}) {
        const TimeInterval now = interval_at(usual(source), start);
        EXPECT_EQ(now.earliest, start.real + 3s - 1ms - 1ns);
        EXPECT_EQ(now.latest, start.real + 3s + 1ms + 1ns);
        EXPECT_EQ(now.status, TimeStatus::synchronised);
    }
}

TEST(PageContent, runs_at_the_networks_rate_and_grows) {
    const TimeInterval later = interval_at(usual(), after(2s));
    EXPECT_EQ(later.earliest, start.real + 5s + 200us - 1ms - 20us - 1ns);
    EXPECT_EQ(later.latest, start.real + 5s + 200us + 1ms + 20us + 1ns);
}

TEST(PageContent, is_holdover_when_it_grows_old_and_unknown_in_the_end) {
    EXPECT_EQ(interval_at(usual(), after(fresh)).status, TimeStatus::synchronised);
    EXPECT_EQ(interval_at(usual(), after(fresh + 1ns)).status, TimeStatus::holdover);
    EXPECT_EQ(interval_at(usual(), after(valid)).status, TimeStatus::holdover);
    EXPECT_EQ(interval_at(usual(), after(valid + 1ns)), TimeInterval{});
    EXPECT_EQ(interval_at(usual(), after(-1ns)), TimeInterval{});
}

TEST(PageContent, is_unknown_after_sleep_and_when_the_clock_was_set) {
    for (const Duration jump : {Duration(-1h), Duration(-3ms), Duration(3ms), Duration(60s)}) {
        const Clocks now{start.raw + 1s, start.real + 1s + jump};
        for (const Source source : {Source::real, Source::raw})
            EXPECT_EQ(interval_at(usual(source), now), TimeInterval{}) << jump.count();
    }
    const Clocks steered{start.raw + 1s, start.real + 1s + 1900us};
    EXPECT_NE(interval_at(usual(), steered), TimeInterval{});
}

TEST(PageContent, that_is_unknown_holds_all_times) {
    Content content = usual();
    content.status = TimeStatus::unknown;
    const TimeInterval now = interval_at(content, start);
    EXPECT_EQ(now.earliest, Time::min());
    EXPECT_EQ(now.latest, Time::max());
}

TEST(PageContent, is_read_as_it_was_written) {
    EXPECT_EQ(decode(encode(usual())), usual());
    EXPECT_EQ(decode(encode(usual(Source::raw))), usual(Source::raw));
}

TEST(PageContent, that_makes_no_sense_is_refused) {
    const auto refused = [](auto change) {
        Content content = usual();
        change(content);
        return !decode(encode(content));
    };
    EXPECT_TRUE(refused([](Content& c) { c.at.raw = -1ns; }));
    EXPECT_TRUE(refused([](Content& c) { c.at.real = -1ns; }));
    EXPECT_TRUE(refused([](Content& c) { c.error = -1ns; }));
    EXPECT_TRUE(refused([](Content& c) { c.growth = clock::ppm(-1); }));
    EXPECT_TRUE(refused([](Content& c) { c.slack = clock::ppm(-1); }));
    EXPECT_TRUE(refused([](Content& c) { c.rate = clock::ppm(300'000); }));
    EXPECT_TRUE(refused([](Content& c) { c.real_rate = clock::ppm(-300'000); }));
    EXPECT_TRUE(refused([](Content& c) { c.status = static_cast<TimeStatus>(3); }));
    EXPECT_TRUE(refused([](Content& c) { c.source = static_cast<Source>(2); }));
}

TEST(PageContent, at_the_end_of_time_is_unknown) {
    Content content = usual();
    content.offset = Duration::max();
    EXPECT_EQ(interval_at(content, start), TimeInterval{});
    content = usual();
    content.error = Duration::max();
    EXPECT_EQ(interval_at(content, start), TimeInterval{});
}

}  // namespace content_test
}  // namespace conclave::page
