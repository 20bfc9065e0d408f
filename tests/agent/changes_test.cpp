// Members that come and go while the group runs.
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace changes_test {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const Words joins{{"join", "true"}};

std::vector<std::string> names_at(Node& node) {
    std::vector<std::string> names;
    for (const MemberStatus& member : node.status().members) names.push_back(member.name);
    return names;
}
std::uint32_t id_at(Node& node, const std::string& name) {
    for (const MemberStatus& member : node.status().members)
        if (member.name == name) return member.id;
    return 0;
}

struct Changes : testing::Test {
    explicit Changes(const Words& words = {}) : party(words) {
        party.invite_all();
        EXPECT_TRUE(party.wait_for_leader());
    }
    bool all_have(const std::vector<std::string>& who, const std::vector<std::string>& names) {
        return party.wait_for([&] {
            return std::all_of(who.begin(), who.end(), [&](const std::string& each) {
                return names_at(party.node(each)) == names &&
                       party.node(each).status().pending.empty();
            });
        });
    }
    Party party;
};

// Where the leader must stay: a busy machine changes none.
struct CalmChanges : Changes {
    CalmChanges() : Changes(Words{{"detect", "2s"}}) {}
};

TEST_F(CalmChanges, a_fourth_member_is_added_from_any_node_while_the_leader_leads_on) {
    const auto token = party.leading().status().lease.token;
    party.invite("d", joins);
    EXPECT_THAT(party.change(party.follower(), "add d"), StartsWith("done 'd' is a member"));
    EXPECT_TRUE(all_have({"a", "b", "c", "d"}, {"a", "b", "c", "d"}));
    EXPECT_EQ(id_at(party.node("a"), "d"), 4u);
    EXPECT_EQ(party.leading().status().lease.token, token);
    EXPECT_EQ(party.leading().status().work.starts, 1u);
}

TEST_F(Changes, with_the_fourth_member_two_may_fail_in_turn_and_the_group_elects_again) {
    party.invite("d", joins);
    party.invite("e", joins);
    ASSERT_THAT(party.change("a", "add d"), StartsWith("done"));
    ASSERT_THAT(party.change("b", "add e"), StartsWith("done"));
    for (int i = 0; i < 2; ++i) {
        party.lose(party.leader());
        ASSERT_TRUE(party.wait_for_leader());
    }
}

TEST_F(Changes, a_removed_member_ends_with_its_own_code_and_is_refused_when_it_starts_again) {
    const std::string gone = party.follower();
    EXPECT_THAT(party.change(gone, "remove " + gone),
                StartsWith("done '" + gone + "' is no member any more"));
    EXPECT_TRUE(party.wait_for([&] { return party.ended(gone) == exit_code::removed; }));
    party.lose(gone);
    try {
        party.invite(gone);
        FAIL();
    } catch (const ConfigRefusal& refusal) {
        EXPECT_EQ(refusal.code, exit_code::removed);
        EXPECT_THAT(refusal.sentence, HasSubstr("was removed from group 'party'"));
    }
}

TEST_F(CalmChanges, a_leader_that_is_removed_hands_over_first) {
    const std::string former = party.leader();
    const auto token = party.leading().status().lease.token;
    EXPECT_THAT(party.change(party.follower(), "remove " + former), StartsWith("done"));
    EXPECT_TRUE(party.wait_for([&] { return party.ended(former) == exit_code::removed; }));
    EXPECT_NE(party.leader(), former);
    party.lose(former);
    ASSERT_TRUE(party.wait_for_leader());
    EXPECT_GT(party.leading().status().lease.token, token);
    EXPECT_EQ(party.leading().status().lease.changes, 2u);  // one hand-over
}

TEST_F(Changes, a_dead_machine_is_replaced_in_one_step) {
    const std::string dead = party.follower();
    party.lose(dead);
    party.invite("d", joins);
    EXPECT_THAT(party.change(party.leader(), "replace " + dead + " d"),
                StartsWith("done 'd' replaces '" + dead + "'"));
    // It comes back, and is told.
    party.invite(dead);
    EXPECT_TRUE(party.wait_for([&] { return party.ended(dead) == exit_code::removed; }));
}

TEST_F(Changes, a_number_is_given_once) {
    party.invite("d", joins);
    ASSERT_THAT(party.change("a", "add d"), StartsWith("done"));
    ASSERT_THAT(party.change("a", "remove d"), StartsWith("done"));
    ASSERT_TRUE(party.wait_for([&] { return party.ended("d") == exit_code::removed; }));
    party.lose_with_memory("d");
    party.invite("d", joins);
    ASSERT_THAT(party.change("a", "add d"), StartsWith("done"));
    EXPECT_EQ(id_at(party.node("a"), "d"), 5u);
    EXPECT_TRUE(all_have({"a", "b", "c", "d"}, {"a", "b", "c", "d"}));
}

TEST_F(Changes, two_newcomers_at_once_come_one_after_the_other) {
    party.invite("d", joins);
    party.invite("e", joins);
    ASSERT_THAT(party.change("a", "add e"), StartsWith("done"));
    ASSERT_THAT(party.change("b", "add d"), StartsWith("done"));
    EXPECT_EQ(id_at(party.node("c"), "e"), 4u);
    EXPECT_TRUE(all_have({"a", "d", "e"}, {"a", "b", "c", "e", "d"}));
}

TEST_F(Changes, every_member_remembers_them_over_a_restart_of_all) {
    party.invite("d", joins);
    ASSERT_THAT(party.change("a", "add d"), StartsWith("done"));
    ASSERT_TRUE(all_have({"a", "b", "c", "d"}, {"a", "b", "c", "d"}));
    const auto token = party.leading().status().lease.token;
    for (const char* name : {"a", "b", "c", "d"}) party.lose(name);
    for (const char* name : {"a", "b", "c"}) party.invite(name);  // as it was formed
    party.invite("d", joins);
    ASSERT_TRUE(party.wait_for_leader());
    EXPECT_TRUE(all_have({"a", "b", "c", "d"}, {"a", "b", "c", "d"}));
    EXPECT_GT(party.leading().status().lease.token, token);
}

TEST_F(Changes, a_member_that_was_down_meanwhile_learns_of_them) {
    const std::string away = party.follower();
    party.lose(away);
    party.invite("d", joins);
    ASSERT_THAT(party.change(party.leader(), "add d"), StartsWith("done"));
    party.invite(away);
    EXPECT_TRUE(all_have({away, "d"}, {"a", "b", "c", "d"}));
}

// Its names, in their order, would give it another number.
TEST_F(Changes, a_member_that_lost_its_disk_is_told_which_one_it_is) {
    party.invite("aa", joins);
    ASSERT_THAT(party.change("a", "add aa"), StartsWith("done"));
    ASSERT_TRUE(all_have({"a", "b", "c", "aa"}, {"a", "b", "c", "aa"}));
    const std::string wiped = party.leader() == "b" ? "c" : "b";
    party.lose_with_memory(wiped);
    party.invite(wiped, {{"members", "a,aa,b,c"}});
    EXPECT_TRUE(party.wait_for([&] {
        const NodeStatus status = party.node(wiped).status();
        return !status.lease.amnesiac && status.members.size() == 4 && !status.leader.empty();
    }));
    EXPECT_EQ(id_at(party.node(wiped), wiped), wiped == "b" ? 2u : 3u);
    EXPECT_EQ(party.node(wiped).status().leader, party.leader());
}

TEST_F(Changes, what_cannot_be_is_refused_in_a_sentence) {
    const auto asked = [&](const std::string& words) {
        return party.node("a").change(words, true);
    };
    EXPECT_EQ(asked("add b"),
              "refused 'b' is a member already: a, b, c; a machine replaced under its own name "
              "needs no change");
    EXPECT_EQ(asked("remove x"), "refused 'x' is no member: a, b, c");
    EXPECT_THAT(asked("add d=10.0.0.4"), HasSubstr("without addresses: say d"));
    EXPECT_THAT(asked("add ä"), HasSubstr("is no name"));
    EXPECT_THAT(asked("add"), HasSubstr("is no change"));
    EXPECT_THAT(asked("add d e"), HasSubstr("is no change"));
    EXPECT_THAT(asked("rename a b"), HasSubstr("is no change"));
}

TEST_F(Changes, nothing_begins_that_would_cost_the_majority) {
    const std::string dead = party.follower();
    party.lose(dead);
    const std::string leader = party.leader(), alive = party.follower();
    ASSERT_TRUE(party.wait_for([&] {
        const auto members = party.node(leader).status().members;
        return std::any_of(members.begin(), members.end(), [](auto& each) { return !each.alive; });
    }));
    // Of the two that would be left, the dead one is needed.
    EXPECT_TRUE(party.wait_for([&] {
        return party.node(leader).change("remove " + alive, true) ==
               "refused after this change 2 members must be up, and 1 is: start the others first, "
               "or remove those that are gone";
    }));
    EXPECT_EQ(party.leading().status().members.size(), 3u);
    EXPECT_EQ(party.leader(), leader);
}

TEST_F(Changes, a_change_waits_for_a_newcomer_and_says_so) {
    EXPECT_TRUE(party.wait_for([&] {
        return party.node(party.follower()).change("add d", true) ==
               "waits nothing has changed yet: waits for 'd': start it there with conclave run "
               "--join --name d";
    }));
    EXPECT_EQ(party.leading().status().members.size(), 3u);
}

TEST_F(Changes, a_newcomer_with_the_name_of_a_member_is_refused) {
    const std::string dead = party.follower();
    party.lose_with_memory(dead);
    party.invite(dead, joins);
    EXPECT_TRUE(party.wait_for([&] { return party.ended(dead) == exit_code::refused; }));
}

TEST_F(Changes, a_newcomer_takes_the_times_of_the_group) {
    party.invite("d", {{"join", "true"}, {"detect", "400ms"}});
    ASSERT_THAT(party.change("a", "add d"), StartsWith("done"));
    EXPECT_EQ(party.node("d").status().detect_ns, milliseconds(300));
    EXPECT_EQ(party.node("d").status().heartbeat_ns, milliseconds(75));
}

TEST_F(Changes, every_member_has_the_new_times_and_the_leader_leads_on) {
    const auto token = party.leading().status().lease.token;
    const auto all_have_times = [&](Duration detect, Duration heartbeat) {
        return party.wait_for([&] {
            for (const char* name : {"a", "b", "c"}) {
                const NodeStatus status = party.node(name).status();
                if (status.detect_ns != detect || status.heartbeat_ns != heartbeat ||
                    !status.pending.empty())
                    return false;
            }
            return true;
        });
    };
    EXPECT_EQ(party.change(party.follower(), "set detect 600ms"),
              "done the group has --detect 600ms and --heartbeat 150ms; the group is a, b, c");
    EXPECT_TRUE(all_have_times(milliseconds(600), milliseconds(150)));
    EXPECT_THAT(party.change(party.leader(), "set detect 200ms heartbeat 40ms"),
                StartsWith("done"));
    EXPECT_TRUE(all_have_times(milliseconds(200), milliseconds(40)));
    EXPECT_THAT(party.change(party.follower(), "set heartbeat 100ms"), StartsWith("done"));
    EXPECT_TRUE(all_have_times(milliseconds(200), milliseconds(100)));
    EXPECT_EQ(party.leading().status().lease.token, token);
    EXPECT_EQ(party.leading().status().work.starts, 1u);
}

TEST_F(Changes, new_times_outlast_a_restart_whatever_the_nodes_are_started_with) {
    ASSERT_THAT(party.change("a", "set detect 500ms"), StartsWith("done"));
    ASSERT_TRUE(
        party.wait_for([&] { return party.node("c").status().detect_ns == milliseconds(500); }));
    ASSERT_TRUE(
        party.wait_for([&] { return party.node("b").status().detect_ns == milliseconds(500); }));
    for (const char* name : {"a", "b", "c"}) party.lose(name);
    party.invite_all();  // with --detect 300ms
    ASSERT_TRUE(party.wait_for_leader());
    for (const char* name : {"a", "b", "c"}) {
        EXPECT_EQ(party.node(name).status().detect_ns, milliseconds(500));
        EXPECT_EQ(party.node(name).status().heartbeat_ns, milliseconds(125));
    }
}

TEST_F(Changes, a_member_that_was_down_or_lost_its_disk_learns_of_new_times) {
    const std::string away = party.follower();
    party.lose_with_memory(away);
    ASSERT_THAT(party.change(party.leader(), "set detect 500ms"), StartsWith("done"));
    party.invite(away);
    EXPECT_TRUE(party.wait_for([&] {
        const NodeStatus status = party.node(away).status();
        return status.detect_ns == milliseconds(500) && !status.lease.amnesiac &&
               !status.leader.empty();
    }));
}

// Its first seal is not that of its new setting, and not the group's with its present times.
TEST_F(Changes, a_member_that_was_down_may_come_back_with_the_new_times_in_its_settings) {
    const std::string away = party.follower();
    party.lose(away);
    ASSERT_THAT(party.change(party.leader(), "set detect 500ms"), StartsWith("done"));
    party.invite(away, {{"detect", "500ms"}});
    EXPECT_TRUE(party.wait_for([&] {
        const NodeStatus status = party.node(away).status();
        return status.detect_ns == milliseconds(500) && status.heartbeat_ns == milliseconds(125) &&
               !status.leader.empty();
    }));
    const std::string leader = party.leader();
    party.lose(leader);  // so that it is needed
    EXPECT_TRUE(party.wait_for([&] { return !party.leader().empty(); }));
}

TEST_F(Changes, times_that_cannot_be_are_refused_in_a_sentence) {
    const auto asked = [&](const std::string& words) {
        return party.node("a").change(words, true);
    };
    EXPECT_EQ(asked("set detect 300ms"),
              "refused the group has --detect 300ms and --heartbeat 75ms already");
    EXPECT_THAT(asked("set heartbeat 200ms"), HasSubstr("too long for --detect 300ms"));
    EXPECT_EQ(asked("set detect 10ms"), "refused --detect cannot be 10ms: give 40ms to 24h");
    EXPECT_THAT(asked("set detect 1000h"), HasSubstr("give 40ms to 24h"));
    for (const char* words :
         {"set", "set detect", "set detect 1", "set detect -1s", "set lease 1s",
          "set detect 1s detect 2s", "set detect 1s heartbeat", "set detect 0s"})
        EXPECT_THAT(asked(words), HasSubstr("is no change")) << words;
}

struct Force : Changes {
    // Two of three are gone for good.
    Force() : left(party.follower()) {
        for (const char* name : {"a", "b", "c"})
            if (name != left) lost.push_back(name);
        phrase = lost[0] + ", " + lost[1] + " are lost for good";
    }
    void lose_both() {
        for (const std::string& name : lost) party.lose_with_memory(name);
    }
    bool may_be_forced() {
        return party.wait_for(
            [&] { return party.node(left).change("force " + left, true).starts_with("confirm "); });
    }
    std::string left, phrase;
    std::vector<std::string> lost;
};

TEST_F(Force, one_that_is_left_goes_on_alone_and_the_group_grows_again) {
    const auto token = party.leading().status().lease.token;
    lose_both();
    ASSERT_TRUE(may_be_forced());
    EXPECT_EQ(party.change(left, "force " + left + " " + phrase),
              "done the group is " + left + ", by an operator's word");
    ASSERT_TRUE(party.wait_for_leader());
    EXPECT_GT(party.leading().status().lease.token, token);
    for (const char* name : {"d", "e"}) {
        party.invite(name, joins);
        ASSERT_THAT(party.change(left, "add " + std::string(name)), StartsWith("done"));
    }
    party.lose(left);
    EXPECT_TRUE(party.wait_for_leader());
}

TEST_F(Force, nothing_happens_without_the_phrase_that_names_who_is_lost) {
    lose_both();
    ASSERT_TRUE(may_be_forced());
    for (const std::string& said : {std::string(), std::string(" yes"), " " + phrase + "!"}) {
        const std::string answer = party.node(left).change("force " + left + said, true);
        EXPECT_THAT(answer, StartsWith("confirm " + phrase + "\n"));
        EXPECT_THAT(answer, HasSubstr("two commands at once"));
    }
    EXPECT_EQ(names_at(party.node(left)).size(), 3u);
}

TEST_F(Force, it_is_refused_while_a_majority_may_be_there) {
    const auto asked = [&](const std::string& words) {
        return party.node(left).change(words, true);
    };
    EXPECT_THAT(asked("force " + left), HasSubstr("leads, so a majority is there"));
    EXPECT_THAT(asked("force x"), HasSubstr("'x' is no member: a, b, c"));
    EXPECT_THAT(asked("force " + lost[0]), HasSubstr("is not among those that stay"));
    EXPECT_THAT(asked("force a,a"), HasSubstr("is no list of members"));
    EXPECT_THAT(asked("force a,"), HasSubstr("is no list of members"));
    party.lose(lost[0]);
    party.lose(lost[1]);
    ASSERT_TRUE(party.wait_for([&] { return party.node(left).status().leader.empty(); }));
    EXPECT_THAT(asked("force " + left), HasSubstr("so it is not lost"));
    EXPECT_THAT(asked("force " + left + "," + lost[0]), HasSubstr("these are a majority"));
}

TEST_F(Force, a_member_that_was_called_lost_and_comes_back_is_told) {
    for (const std::string& name : lost) party.lose(name);  // their disks are there
    ASSERT_TRUE(may_be_forced());
    ASSERT_THAT(party.change(left, "force " + left + " " + phrase), StartsWith("done"));
    party.invite(lost[0]);
    EXPECT_TRUE(party.wait_for([&] { return party.ended(lost[0]) == exit_code::removed; }));
}

TEST(ChangesOfOne, a_group_of_one_grows_to_three_and_shrinks_again) {
    Party party({}, "a");
    party.invite("a");
    ASSERT_TRUE(party.wait_for_leader());
    for (const char* name : {"b", "c"}) {
        party.invite(name, joins);
        ASSERT_THAT(party.change("a", "add " + std::string(name)), StartsWith("done"));
    }
    for (const char* name : {"a", "b"}) {
        ASSERT_THAT(party.change("c", "remove " + std::string(name)), StartsWith("done"));
        ASSERT_TRUE(party.wait_for([&] { return party.ended(name) == exit_code::removed; }));
        party.lose(name);
    }
    ASSERT_TRUE(party.wait_for_leader());
    EXPECT_EQ(party.leader(), "c");
    EXPECT_THAT(party.node("c").change("remove c", true), HasSubstr("is the only member"));
}

}  // namespace changes_test
}  // namespace conclave::agent
