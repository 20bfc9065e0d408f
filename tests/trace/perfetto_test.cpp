#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "conclave/trace/exports.hpp"
#include "tests/trace/examples.hpp"

namespace conclave::trace {
namespace perfetto_test {

using Json = nlohmann::json;

std::vector<Json> events_of(const Trace& trace, const std::string& phase) {
    const Json all = Json::parse(perfetto(trace));
    std::vector<Json> events;
    for (const Json& event : all.at("traceEvents"))
        if (event.at("ph") == phase) events.push_back(event);
    return events;
}

std::vector<Json> named(const std::vector<Json>& events, const std::string& name) {
    std::vector<Json> some;
    for (const Json& event : events)
        if (event.at("name") == name) some.push_back(event);
    return some;
}

std::int64_t ns(const Json& microseconds) {
    return std::llround(microseconds.get<double>() * 1000);
}

TEST(Perfetto, any_trace_is_valid_json) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Trace trace = random_trace(seed, static_cast<std::uint32_t>(1 + seed % 9), 100);
        ASSERT_TRUE(Json::accept(perfetto(trace))) << "seed " << seed;
    }
    EXPECT_TRUE(Json::accept(perfetto(Trace{})));
}

TEST(Perfetto, every_node_is_a_named_thread_in_the_order_of_the_trace) {
    const std::vector<Json> names = named(events_of(ring_election(), "M"), "thread_name");
    ASSERT_EQ(names.size(), 6u);  // once for what it does, once for whom it follows
    EXPECT_EQ(names.front().at("args").at("name"), "node 1");
    EXPECT_EQ(names.back().at("tid"), 3);
}

TEST(Perfetto, a_state_is_a_slice_from_its_change_to_the_next) {
    const std::vector<Json> slices = named(events_of(ring_election(), "X"), "participating");
    ASSERT_EQ(slices.size(), 3u);
    const Json& first = slices.front();
    EXPECT_EQ(first.at("tid"), 1);
    EXPECT_EQ(ns(first.at("ts")), 0);
    EXPECT_EQ(ns(first.at("dur")), 6'000'000);
}

TEST(Perfetto, who_leads_and_who_follows_are_slices_of_their_own_group) {
    const std::vector<Json> slices = events_of(ring_election(), "X");
    ASSERT_EQ(named(slices, "leads").size(), 1u);
    EXPECT_EQ(ns(named(slices, "leads").front().at("ts")), 5'000'000);
    EXPECT_EQ(named(slices, "leads").front().at("pid"), 2);
    EXPECT_EQ(named(slices, "follows 3").size(), 2u);
}

TEST(Perfetto, a_crash_ends_leading_and_begins_down) {
    const std::vector<Json> slices = events_of(bully_crash(), "X");
    EXPECT_EQ(ns(named(slices, "leads").front().at("dur")), 49'000'000);
    EXPECT_EQ(ns(named(slices, "down").front().at("dur")), 150'000'000);
}

TEST(Perfetto, an_arrow_goes_from_every_send_to_its_arrival_and_nowhere_else) {
    for (const Trace& trace :
         {ring_election(), bully_crash(), broadcast_all(), random_trace(1, 5, 300)}) {
        std::map<std::int64_t, Json> begins, ends;
        for (const Json& event : events_of(trace, "s")) begins[event.at("id")] = event;
        for (const Json& event : events_of(trace, "f")) ends[event.at("id")] = event;
        std::size_t arrivals = 0;
        for (const Record& record : trace.records) {
            if (record.kind != Kind::arrive) continue;
            ++arrivals;
            const Json& end = ends.at(static_cast<std::int64_t>(record.flight));
            const Json& begin = begins.at(static_cast<std::int64_t>(record.flight));
            EXPECT_EQ(end.at("tid"), static_cast<std::uint32_t>(record.node));
            EXPECT_EQ(begin.at("tid"), static_cast<std::uint32_t>(record.other));
            EXPECT_EQ(ns(end.at("ts")), record.time.count());
            EXPECT_LE(ns(begin.at("ts")), record.time.count());
        }
        EXPECT_EQ(begins.size(), arrivals);
        EXPECT_EQ(ends.size(), arrivals);
    }
}

TEST(Perfetto, a_second_arrival_of_the_same_copy_has_no_arrow) {
    Scribe s("", 2);
    const auto flight = s.send(1, 2, "Hello");
    s.at(1ms), s.arrive(flight);
    s.at(2ms), s.arrive(flight);
    EXPECT_EQ(events_of(s.trace, "f").size(), 1u);
    EXPECT_EQ(named(events_of(s.trace, "X"), "Hello from 1").size(), 2u);
}

// Viewers throw away, or misplace, a slice that reaches beyond the one around it. They look at them
// by time, and in the order of the file where times are equal.
TEST(Perfetto, slices_of_one_thread_nest) {
    std::vector<Trace> traces{ring_election(), bully_crash(), partition_heal(), pause_zombie()};
    for (std::uint64_t seed = 0; seed < 50; ++seed) traces.push_back(random_trace(seed, 4, 200));
    for (const Trace& trace : traces) {
        std::map<std::pair<int, int>, std::multimap<std::int64_t, std::int64_t>> threads;
        for (const Json& slice : events_of(trace, "X")) {
            const std::int64_t begin = ns(slice.at("ts")), end = begin + ns(slice.at("dur"));
            EXPECT_LT(begin, end);
            threads[{slice.at("pid"), slice.at("tid")}].emplace(begin, end);
        }
        for (const auto& [thread, slices] : threads) {
            std::vector<std::int64_t> open;
            for (const auto& [begin, end] : slices) {
                while (!open.empty() && open.back() <= begin) open.pop_back();
                const std::int64_t limit = open.empty() ? end : open.back();
                ASSERT_LE(end, limit);
                open.push_back(end);
            }
        }
    }
}

TEST(Perfetto, a_loss_is_an_instant_with_its_reason_and_a_violation_concerns_everybody) {
    EXPECT_EQ(named(events_of(lost_message(), "i"), "lost: Election(1) from 1 (loss)").size(), 1u);
    const std::vector<Json> loud =
        named(events_of(partition_heal(), "i"), "VIOLATION one leader: 1 and 3 both lead");
    ASSERT_EQ(loud.size(), 1u);
    EXPECT_EQ(loud.front().at("s"), "g");
}

TEST(Perfetto, times_are_exact_to_the_nanosecond) {
    Trace trace{"", {Id{1}}, {}};
    trace.add(Time{1'234'567'890'123}, Kind::call, Id{1});
    EXPECT_NE(perfetto(trace).find("\"ts\":1234567890.123"), std::string::npos);
}

}  // namespace perfetto_test
}  // namespace conclave::trace
