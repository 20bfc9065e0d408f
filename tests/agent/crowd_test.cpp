// Large groups: a hand-over moves one node, not all of them; and what `bound` says of many members.
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace crowd_test {

using std::chrono::milliseconds;

std::vector<std::string> names_of(int count) {
    std::vector<std::string> names;
    for (int i = 1; i <= count; ++i) names.push_back((i < 10 ? "n0" : "n") + std::to_string(i));
    return names;
}

std::string list_of(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
    return list;
}

struct Crowd : Party {
    explicit Crowd(int count, const Words& words = {})
        : Party(words, list_of(names_of(count))), names(names_of(count)) {
        for (const std::string& name : names) invite(name);
    }
    // Of all but one.
    std::uint64_t sent(const std::string& but) {
        std::uint64_t sum = 0;
        for (const std::string& name : names)
            if (name != but) sum += node(name).status().traffic.sent;
        return sum;
    }
    std::uint64_t changes(const std::string& at) { return node(at).status().lease.changes; }
    void pass(Duration time) {
        const Time end = net::boot_time() + time;
        while (net::boot_time() < end) loop.step(milliseconds(5));
    }
    std::vector<std::string> names;
};

// All 25 answer the successor's ask, store, and answer its next renewals.
TEST(Crowd, a_hand_over_among_25_costs_a_few_datagrams_for_each_and_one_term) {
    constexpr int members = 25;
    Crowd crowd(members, {{"detect", "2s"}});
    ASSERT_TRUE(crowd.wait_for_leader());
    crowd.pass(milliseconds(2500));  // whoever has come up promises nothing before
    const std::string former = crowd.leader();
    const std::string other = former == "n01" ? "n02" : "n01";
    const std::uint64_t before = crowd.sent(former), changes = crowd.changes(other);
    crowd.node(former).leave();
    ASSERT_TRUE(crowd.wait_for([&] {
        const std::string leader = crowd.node(other).status().leader;
        return !leader.empty() && leader != former;
    }));
    crowd.pass(milliseconds(500));  // a heartbeat
    EXPECT_LE(crowd.sent(former) - before, 6u * members);
    EXPECT_EQ(crowd.changes(other), changes + 1);
}

TEST(Crowd, a_leader_that_is_lost_with_the_two_next_best_is_replaced_within_the_bound) {
    Crowd crowd(7, {{"detect", "600ms"}});
    ASSERT_TRUE(crowd.wait_for_leader());
    crowd.pass(milliseconds(700));
    std::vector<std::string> lost{crowd.leader()};
    for (auto name = crowd.names.rbegin(); lost.size() < 3; ++name)
        if (*name != lost.front()) lost.push_back(*name);  // the greater, the better
    const Bound bound = crowd.leading().bound();
    for (const std::string& name : lost) crowd.lose(name);
    const Time since = net::boot_time();
    ASSERT_TRUE(crowd.wait_for_leader());
    const Duration passed = net::boot_time() - since;
    const Duration late = crowd.leading().status().fitness.late_ns;
    EXPECT_LE(passed, bound.silent_ns + 20 * late + milliseconds(50));
}

TEST(Crowd, the_bound_counts_all_that_may_fail_but_nobody_for_longer_than_it_takes_to_miss_them) {
    Config config;
    config.detect = std::chrono::seconds(1);
    config.heartbeat = milliseconds(250);
    const auto died = [&](std::uint32_t members) {
        return compute_bound(config, members, "pid").died_ns / milliseconds(1);
    };
    const auto place = config.queue_time(1) / milliseconds(1);
    EXPECT_EQ(died(5), died(3));          // one that is better may be slow, or may fail
    EXPECT_EQ(died(7), died(5) + place);  // two may
    EXPECT_EQ(died(9), died(5) + 2 * place);
    EXPECT_EQ(died(25), died(50));
    EXPECT_EQ(died(25) - died(2), config.patience() / milliseconds(1));
}

}  // namespace crowd_test
}  // namespace conclave::agent
