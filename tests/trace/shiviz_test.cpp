#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conclave/trace/exports.hpp"
#include "tests/trace/examples.hpp"
#include "tests/trace/golden.hpp"

namespace conclave::trace {
namespace shiviz_test {

using Clock = std::map<std::string, int>;

struct Logged {
    std::string event, host;
    Clock clock;
};

std::vector<Logged> read_log(const std::string& log) {
    std::istringstream in(log);
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, R"((?<time>\S+) (?<event>.*)\n(?<host>\S+) (?<clock>\{.*\}))");
    std::getline(in, line);
    EXPECT_EQ(line, "") << "the second line would divide the log into several runs";
    std::vector<Logged> entries;
    while (std::getline(in, line)) {
        Logged entry;
        entry.event = line.substr(line.find(' ') + 1);
        EXPECT_TRUE(std::getline(in, line));
        entry.host = line.substr(0, line.find(' '));
        entry.clock = nlohmann::json::parse(line.substr(line.find(' ') + 1)).get<Clock>();
        entries.push_back(entry);
    }
    return entries;
}

bool before(const Clock& a, const Clock& b) {
    for (const auto& [host, ticks] : a)
        if (!b.contains(host) || b.at(host) < ticks) return false;
    return a != b;
}

// The records that are events of the log: losses and the copies of a broadcast are not.
std::vector<std::size_t> logged_records(const Trace& trace) {
    std::vector<std::size_t> logged;
    bool copies = false;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Record& record = trace.records[i];
        const bool copy = copies && record.kind == Kind::send && record.other != everyone &&
                          record.node == trace.records[i - 1].node &&
                          record.time == trace.records[i - 1].time &&
                          record.text == trace.records[i - 1].text;
        copies = copy || (record.kind == Kind::send && record.other == everyone);
        if (!copy && record.kind != Kind::lose) logged.push_back(i);
    }
    return logged;
}

TEST(Shiviz, a_ring_election) { expect_golden("ring_election.shiviz", shiviz(ring_election())); }
TEST(Shiviz, a_broadcast) { expect_golden("broadcast_all.shiviz", shiviz(broadcast_all())); }

TEST(Shiviz, every_host_counts_its_own_events_from_one) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        std::map<std::string, int> counts;
        for (const Logged& entry : read_log(shiviz(random_trace(seed, 5, 200))))
            ASSERT_EQ(entry.clock.at(entry.host), ++counts[entry.host]);
    }
}

// Two events are ordered by their clocks exactly if the one could have caused the other: by the
// order of one host, by a message, or by a chain of both.
TEST(Shiviz, clocks_tell_what_happened_before_what) {
    std::vector<Trace> traces{ring_election(), bully_crash(), partition_heal(), broadcast_all()};
    for (std::uint64_t seed = 0; seed < 20; ++seed) traces.push_back(random_trace(seed, 5, 120));
    for (const Trace& trace : traces) {
        const std::vector<Logged> log = read_log(shiviz(trace));
        const std::vector<std::size_t> logged = logged_records(trace);
        ASSERT_EQ(log.size(), logged.size());
        std::map<std::uint64_t, std::size_t> sends;  // flight -> its event in the log
        for (std::size_t i = 0, event = 0; i < trace.records.size(); ++i) {
            while (event + 1 < logged.size() && logged[event + 1] <= i) ++event;
            if (trace.records[i].kind == Kind::send) sends[trace.records[i].flight] = event;
        }
        std::vector<std::vector<bool>> causes(log.size(), std::vector<bool>(log.size()));
        for (std::size_t b = 0; b < log.size(); ++b) {
            const auto follow = [&](std::size_t a) {
                causes[b][a] = true;
                for (std::size_t c = 0; c < a; ++c) causes[b][c] = causes[b][c] || causes[a][c];
            };
            for (std::size_t a = 0; a < b; ++a)
                if (log[a].host == log[b].host) follow(a);
            const Record& record = trace.records[logged[b]];
            if (record.kind == Kind::arrive) follow(sends.at(record.flight));
        }
        for (std::size_t b = 0; b < log.size(); ++b)
            for (std::size_t a = 0; a < b; ++a) {
                ASSERT_EQ(before(log[a].clock, log[b].clock), causes[b][a]) << a << ' ' << b;
                ASSERT_FALSE(before(log[b].clock, log[a].clock));
            }
    }
}

TEST(Shiviz, a_second_arrival_of_the_same_copy_knows_its_send_too) {
    Scribe s("", 2);
    const auto flight = s.send(1, 2, "Hello");
    s.arrive(flight), s.arrive(flight);
    s.send(1, 2, "Late");
    const std::vector<Logged> log = read_log(shiviz(s.trace));
    EXPECT_EQ(log[2].clock, (Clock{{"n1", 1}, {"n2", 2}}));
}

TEST(Shiviz, a_send_tells_of_its_loss) {
    EXPECT_EQ(read_log(shiviz(lost_message()))[2].event,
              "sends Election(1) to 2 (lost for 2: loss)");
    EXPECT_EQ(read_log(shiviz(broadcast_all()))[7].event,
              "sends Hello(3) to all (lost for 5: loss)");
}

TEST(Shiviz, the_network_is_a_host) {
    const std::vector<Logged> log = read_log(shiviz(partition_heal()));
    const auto network = std::find_if(log.begin(), log.end(),
                                      [](const Logged& entry) { return entry.host == "network"; });
    ASSERT_NE(network, log.end());
    EXPECT_EQ(network->event, "partition 1,2 | 3,4");
}

}  // namespace shiviz_test
}  // namespace conclave::trace
