// The host takes turns as the simulator does, and nothing leaves before it is stored.
#include "conclave/agent/host.hpp"

#include <gmock/gmock.h>

#include "conclave/net/clock.hpp"

namespace conclave::agent {
namespace host_test {

using std::chrono::milliseconds;
using testing::ElementsAre;

constexpr Id one{1}, two{2}, three{3};

wire::Body body_of(const Bytes& bytes) { return {wire::spoken.newest, bytes}; }

struct Sent {
    Id to;
    Bytes message;
};

// Remembers what was asked for, in the order in which it was.
struct Recorder final : Stage {
    std::uint64_t store(const Memory& memory) override {
        if (!full) order.emplace_back("store");
        next.assign(memory.stored.begin(), memory.stored.end());
        return ++asked;
    }
    // The disk is done with what it was last given.
    void write(Host& host) {
        while (!slow && std::exchange(written, asked) != asked) {
            if (!full) disk = next;
            host.stored(asked, !full);
        }
    }
    std::uint8_t version() const override { return wire::spoken.newest; }
    void require(std::uint8_t) override {}
    void send(Id to, Input message) override {
        order.emplace_back("send");
        sent.push_back({to, {message.begin(), message.end()}});
    }
    void show(Id to) override { shown.push_back(to); }
    void report(std::string_view) override {}
    void turned(const member::News& news) override {
        for (const member::Change& each : news.changes) {
            order.emplace_back("follow");
            leader = each.leader;
        }
    }

    bool full = false, slow = false;
    std::uint64_t asked = 0, written = 0;
    Bytes next, disk;
    Id leader = nobody;
    std::vector<Sent> sent;
    std::vector<Id> shown;
    std::vector<std::string> order;
};

HostSettings settings_of(const std::string& algorithm) {
    return {.algorithm = algorithm,
            .promise = milliseconds(200),
            .lease = milliseconds(190),
            .heartbeat = milliseconds(50),
            .answer = milliseconds(5)};
}

// Three hosts in one loop; what one sends the others hear at once.
class Trio {
public:
    explicit Trio(const std::string& algorithm) {
        for (std::uint32_t i = 0; i < 3; ++i)
            hosts.push_back(make_host(settings_of(algorithm), {Id{i + 1}, 3, 1}, loop, stages[i]));
        for (auto& host : hosts) host->start();
        write();
    }
    void write() {
        for (std::uint32_t i = 0; i < 3; ++i) stages[i].write(*hosts[i]);
    }
    void run(Duration span) {
        const Time end = net::boot_time() + span;
        while (net::boot_time() < end) {
            loop.step(milliseconds(1));
            deliver();
        }
    }
    template <class Condition>
    bool run_until(Condition condition) {
        for (int i = 0; i < 10'000 && !condition(); ++i) run(milliseconds(1));
        return condition();
    }
    void deliver() {
        write();
        for (std::uint32_t from = 0; from < 3; ++from) {
            for (const Sent& each : std::exchange(stages[from].sent, {}))
                for (std::uint32_t to = 0; to < 3; ++to) hand_over(from, to, each);
            for (const Id each : std::exchange(stages[from].shown, {}))
                for (std::uint32_t to = 0; to < 3; ++to)
                    if (reaches(from, to, each))
                        hosts[to]->hear_present(Id{from + 1}, {{}, stages[from].leader});
        }
        write();
    }
    bool reaches(std::uint32_t from, std::uint32_t to, Id named) const {
        return to != from && alive[to] && alive[from] && (named == everyone || named == Id{to + 1});
    }
    void hand_over(std::uint32_t from, std::uint32_t to, const Sent& each) {
        if (!reaches(from, to, each.to)) return;
        EXPECT_FALSE(hosts[to]->receive(Id{from + 1}, body_of(each.message)));
    }
    bool agree(Id leader) const {
        for (std::uint32_t i = 0; i < 3; ++i)
            if (alive[i] && stages[i].leader != leader) return false;
        return true;
    }

    net::Loop loop;
    std::array<Recorder, 3> stages;
    std::array<bool, 3> alive{true, true, true};
    std::vector<std::unique_ptr<Host>> hosts;
};

class HostOfAlgorithm : public testing::TestWithParam<std::string_view> {};

TEST_P(HostOfAlgorithm, three_agree_on_a_leader_and_it_may_act) {
    Trio trio{std::string(GetParam())};
    const auto someone = [&] {
        for (const Id id : {one, two, three})
            if (trio.agree(id)) return true;
        return false;
    };
    ASSERT_TRUE(trio.run_until(someone));
    const Id leader = trio.stages[0].leader;
    const member::View view = trio.hosts[static_cast<std::uint32_t>(leader) - 1]->view();
    EXPECT_TRUE(view.acting);
    EXPECT_GT(view.ends, net::boot_time());
    EXPECT_EQ(view.ballot.member, leader);
    EXPECT_GT(view.ballot.round, 1'600'000'000'000u);  // Unix milliseconds
}

TEST_P(HostOfAlgorithm, a_death_notice_lets_the_successor_lead_at_once) {
    Trio trio{std::string(GetParam())};
    ASSERT_TRUE(
        trio.run_until([&] { return trio.agree(one) || trio.agree(two) || trio.agree(three); }));
    const auto old = static_cast<std::uint32_t>(trio.stages[0].leader) - 1;
    const std::uint32_t successor = (old + 1) % 3, other = (old + 2) % 3;
    const Bytes death_notice = trio.hosts[old]->death_notice(Id{successor + 1});
    trio.alive[old] = false;
    for (const std::uint32_t each : {successor, other})
        EXPECT_FALSE(trio.hosts[each]->hear_death(Id{old + 1}, body_of(death_notice)));
    for (int i = 0; i < 4; ++i) trio.deliver();  // ask and promise: no timer was needed
    EXPECT_TRUE(trio.hosts[successor]->view().acting);
    EXPECT_EQ(trio.stages[successor].leader, Id{successor + 1});
}

INSTANTIATE_TEST_SUITE_P(Algorithms, HostOfAlgorithm, testing::ValuesIn(hosted_algorithms()),
                         [](const auto& each) { return std::string(each.param); });

// Until it leads, or for so many milliseconds.
void run(net::Loop& loop, Host& host, Recorder& stage, int ms = 5000) {
    for (int i = 0; i < ms && stage.leader != one; ++i) {
        stage.write(host);
        loop.step(milliseconds(1));
    }
}

TEST(Host, what_is_stored_is_stored_before_anything_leaves) {
    net::Loop loop;
    Recorder stage;
    const auto host = make_host(settings_of("bully"), {one, 1, 1}, loop, stage);
    host->start();
    host->vouch();
    stage.order.clear();
    run(loop, *host, stage);
    const auto place = [&](const char* what) {
        return std::find(stage.order.begin(), stage.order.end(), what) - stage.order.begin();
    };
    const auto last_store =
        stage.order.rend() - std::find(stage.order.rbegin(), stage.order.rend(), "store") - 1;
    EXPECT_EQ(stage.order.at(static_cast<std::size_t>(last_store) + 1), "send");  // it asks
    EXPECT_EQ(last_store + 2, place("follow"));  // and leads: its own vote counts by now
}

TEST(Host, behind_a_store_that_fails_nothing_leaves_and_it_is_tried_again) {
    net::Loop loop;
    Recorder stage;
    const auto host = make_host(settings_of("bully"), {one, 1, 1}, loop, stage);
    host->start();
    run(loop, *host, stage, 60);
    stage.full = true;
    stage.order.clear();
    host->vouch();
    run(loop, *host, stage, 100);
    EXPECT_THAT(stage.order, testing::Not(testing::Contains("follow")));
    EXPECT_FALSE(host->view().acting);
    stage.full = false;
    run(loop, *host, stage);
    EXPECT_TRUE(host->view().acting);
}

TEST(Host, while_the_disk_is_slow_nothing_is_asked_and_heartbeats_go_on) {
    net::Loop loop;
    Recorder stage;
    const auto host = make_host(settings_of("bully"), {one, 3, 1}, loop, stage);
    host->start();
    stage.write(*host);
    stage.slow = true;
    host->vouch();
    stage.write(*host);
    stage.order.clear();
    stage.shown.clear();
    host->hear_present(two, {{}, nobody});
    run(loop, *host, stage, 500);
    Recorder other;
    const auto listener = make_host(settings_of("bully"), {two, 3, 1}, loop, other);
    listener->start();
    other.write(*listener);
    listener->vouch();
    other.write(*listener);
    for (const Sent& each : stage.sent) EXPECT_FALSE(listener->receive(one, body_of(each.message)));
    EXPECT_FALSE(listener->view().promised.stands());
    EXPECT_GE(stage.shown.size(), 5u);   // a heartbeat of 50 ms
    EXPECT_FALSE(host->view().healthy);  // so that somebody else stands
    stage.slow = false;
    run(loop, *host, stage, 100);
    EXPECT_TRUE(host->view().healthy);
}

// What came of it is known only later: a member that withdrew meanwhile has more to store.
TEST(Host, a_store_that_was_given_up_and_done_at_last_does_not_count_for_what_came_after) {
    net::Loop loop;
    Recorder stage;
    const auto host = make_host(settings_of("bully"), {one, 1, 1}, loop, stage);
    host->start();
    stage.write(*host);
    host->vouch();
    stage.write(*host);
    stage.slow = true;
    for (int i = 0; i < 2000 && stage.asked == stage.written; ++i) loop.step(milliseconds(1));
    for (int i = 0; i < 100; ++i) loop.step(milliseconds(1));  // two heartbeats
    EXPECT_FALSE(host->view().ballot.stands());
    const std::uint64_t given_up = stage.asked;
    stage.slow = false;
    run(loop, *host, stage);
    EXPECT_TRUE(host->view().acting);
    EXPECT_GT(stage.asked, given_up);
}

TEST(Host, work_that_starts_again_has_a_greater_ballot) {
    Trio trio("bully");
    ASSERT_TRUE(
        trio.run_until([&] { return trio.agree(one) || trio.agree(two) || trio.agree(three); }));
    Host& leader = *trio.hosts[static_cast<std::uint32_t>(trio.stages[0].leader) - 1];
    const lease::Ballot first = leader.view().ballot;
    leader.anew();
    EXPECT_FALSE(leader.view().acting);
    for (int i = 0; i < 4; ++i) trio.deliver();  // ask and promise: nobody waits for the clock
    EXPECT_TRUE(leader.view().acting);
    EXPECT_TRUE(lease::less(first, leader.view().ballot));
}

TEST(Host, what_was_stored_is_remembered_and_foreign_bytes_are_refused) {
    net::Loop loop;
    Recorder stage;
    const auto first = make_host(settings_of("bully"), {one, 1, 1}, loop, stage);
    first->start();
    first->vouch();
    run(loop, *first, stage);
    const lease::Ballot used = first->view().ballot;
    Recorder later;
    const auto second = make_host(settings_of("bully"), {one, 1, 2}, loop, later);
    ASSERT_TRUE(second->recover(stage.disk, false));
    EXPECT_EQ(second->view().promised, used);
    EXPECT_FALSE(second->recover(Bytes(3), false));
    EXPECT_EQ(second->receive(two, body_of(Bytes(1))), wire::Drop::malformed);
    EXPECT_EQ(second->receive(two, body_of(Bytes(3))), wire::Drop::unknown);
    EXPECT_EQ(second->hear_death(two, body_of(Bytes{std::byte{1}, {}})), wire::Drop::unknown);
    EXPECT_EQ(make_host(settings_of("franklin"), {one, 1, 1}, loop, stage), nullptr);
}

}  // namespace host_test
}  // namespace conclave::agent
