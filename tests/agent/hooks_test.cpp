#include "conclave/agent/work/hooks.hpp"

#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace hooks_test {

using conclave::tests::Folder;
using conclave::tests::lines_of;
using conclave::tests::read_file;
using testing::ElementsAre;

class HookTest : public testing::Test {
protected:
    HookTest() {
        config.group = "g";
        config.name = "a";
        const std::string say = " >> " + (folder / "log");
        config.on_leader = "sleep 0.05; echo leader $CONCLAVE_TOKEN $CONCLAVE_REASON" + say;
        config.on_follower = "echo follower $CONCLAVE_LEADER" + say;
        config.on_lost = "echo lost $CONCLAVE_EVENT $CONCLAVE_NODE" + say;
        config.on_no_leader = "echo none" + say;
    }
    static NodeStatus status_of(const std::string& state, const std::string& leader,
                                std::uint64_t token = 7, std::uint64_t merges = 0) {
        NodeStatus status{.state = state, .leader = leader};
        status.lease.token = token;
        status.lease.merges = merges;
        status.lease.reason = "elected";
        return status;
    }
    void finish(const Hooks& hooks) {
        const Time end = net::boot_time() + std::chrono::seconds(30);
        while (!hooks.idle() && net::boot_time() < end) loop.step(std::chrono::milliseconds(20));
        ASSERT_TRUE(hooks.idle());
    }
    std::vector<std::string> log() const { return lines_of(read_file(folder / "log")); }

    net::Loop loop;
    Folder folder;
    Config config;
};

TEST_F(HookTest, hooks_run_one_at_a_time_in_the_order_of_events) {
    Hooks hooks(loop, config);
    hooks.look(status_of("leader", "a"));
    hooks.look(status_of("leaderless", ""));
    hooks.look(status_of("follower", "b"));
    hooks.look(status_of("follower", "b"));  // nothing new
    finish(hooks);
    EXPECT_THAT(log(), ElementsAre("leader 7 elected", "lost lost a", "none", "follower b"));
}

TEST_F(HookTest, an_observer_says_who_leads_and_that_nobody_does) {
    Hooks hooks(loop, config);
    hooks.look(status_of("leaderless", ""));
    hooks.look(status_of("observer", "b"));
    hooks.look(status_of("observer", "c"));
    hooks.look(status_of("leaderless", ""));
    finish(hooks);
    EXPECT_THAT(log(), ElementsAre("follower b", "follower c", "none"));
}

TEST_F(HookTest, a_leader_says_it_again_after_a_merge_or_under_a_new_token) {
    Hooks hooks(loop, config);
    hooks.look(status_of("leader", "a"));
    hooks.look(status_of("leader", "a", 7, 1));
    hooks.look(status_of("leader", "a", 9, 1));
    finish(hooks);
    EXPECT_THAT(log(), ElementsAre("leader 7 elected", "leader 7 merge", "leader 9 elected"));
}

TEST_F(HookTest, a_slow_hook_is_ended_and_the_next_one_runs) {
    config.on_leader = "sleep 600";
    config.hook_timeout = std::chrono::milliseconds(50);
    Hooks hooks(loop, config);
    hooks.look(status_of("leader", "a"));
    hooks.look(status_of("follower", "b"));
    finish(hooks);
    EXPECT_THAT(log(), ElementsAre("lost lost a", "follower b"));
}

TEST_F(HookTest, where_too_many_wait_the_last_one_still_runs) {
    Hooks hooks(loop, config);
    for (int i = 0; i < 40; ++i) {
        hooks.look(status_of("follower", "x" + std::to_string(i)));
    }
    finish(hooks);
    EXPECT_EQ(log().back(), "follower x39");
    EXPECT_EQ(log().size(), 1 + Hooks::waiting_most);
}

TEST(Party, a_member_that_was_cut_off_and_comes_back_is_a_merge) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string lost = party.follower();
    party.lose(lost);
    Node& leader = party.leading();
    ASSERT_TRUE(party.wait_for([&] {
        for (const MemberStatus& member : leader.status().members)
            if (member.name == lost) return !member.alive;
        return false;
    }));
    EXPECT_EQ(leader.status().lease.merges, 0u);
    party.invite(lost);
    EXPECT_TRUE(party.wait_for([&] { return leader.status().lease.merges == 1; }));
}

}  // namespace hooks_test
}  // namespace conclave::agent
