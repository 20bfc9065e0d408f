// The rules of the lease, one by one, on a single member of three.
#include "conclave/lease/leased.hpp"

#include <gtest/gtest.h>

#include "tests/lease/keeper.hpp"

namespace conclave::lease {
namespace leased_test {

using namespace std::chrono_literals;
TEST(Lease, r1_a_ballot_is_greater_than_anything_heard_of_and_stored_before_the_first_ask) {
    One one;
    one.hear(one.ask(5, 3));
    one.after(Release{{5, Id{3}, 7}, nobody}, 3);
    const Lines lines = one.after(Call{});
    EXPECT_EQ(one.node.candidacy.ballot.round, 6u);
    EXPECT_TRUE(lines.front().starts_with("Store("));
    EXPECT_TRUE(says(lines, "Broadcast(Ask"));
    EXPECT_EQ(one.node.disk.used, one.node.candidacy.ballot);
}

TEST(Lease, r3_a_promise_binds_for_its_time_and_is_stored_before_the_answer) {
    One one;
    const Lines first = one.hear(one.ask(1, 2));
    EXPECT_TRUE(first.front().starts_with("Store("));
    EXPECT_TRUE(says(first, "Send(2, Promise"));
    EXPECT_FALSE(says(one.hear(one.ask(2, 3)), "Send(3, Promise"));
    one.now = 299ms;
    EXPECT_FALSE(says(one.hear(one.ask(2, 3)), "Send(3, Promise"));
    one.now = 300ms;
    EXPECT_TRUE(says(one.hear(one.ask(2, 3)), "Send(3, Promise"));
}

TEST(Lease, r3_a_renewal_stores_nothing_and_counts_up) {
    One one;
    one.hear(one.ask(1, 2, 1));
    const Lines renewed = one.hear(one.ask(1, 2, 2));
    EXPECT_FALSE(says(renewed, "Store("));
    EXPECT_TRUE(says(renewed, "Send(2, Promise"));
    EXPECT_FALSE(says(one.hear(one.ask(1, 2, 2)), "Send(2, Promise"));
}

TEST(Lease, r3_an_ask_of_another_roster_is_never_promised) {
    One one;
    Ask ask = one.ask(1, 2);
    ask.seal.digest = 1;
    EXPECT_TRUE(one.hear(ask).empty());
}

TEST(Lease, r3_a_hopeless_ballot_is_told_of_the_greater_one) {
    One one;
    one.hear(one.ask(4, 3));
    EXPECT_TRUE(says(one.hear(one.ask(1, 2)), "Send(2, Refusal"));
}

TEST(Lease, r4_a_lease_is_counted_from_the_ask_that_was_answered) {
    One one;
    one.after(Call{});
    one.now = 100ms;
    one.after(Member::Renew{});
    one.now = 150ms;
    one.promise(2, 1);
    EXPECT_TRUE(one.node.acting);
    EXPECT_EQ(one.node.ends, 280ms);  // member 2 answered what was sent at 0
    one.promise(2, 2);
    EXPECT_EQ(one.node.ends, 380ms);
}

TEST(Lease, r4_an_answer_that_comes_too_late_gives_no_lease) {
    One one;
    one.after(Call{});
    one.now = 280ms;
    one.promise(2);
    EXPECT_FALSE(one.node.acting);
}

TEST(Lease, r4_is_as_long_as_clocks_allow) {
    EXPECT_EQ(lease_time(300ms, 0, 0ms), 300ms);
    EXPECT_EQ(lease_time(206ms, 30'000, 4ms), 190ms);  // 206 * 0.97 / 1.03 = 194
}

TEST(Lease, r5_after_a_restart_only_the_promise_that_may_be_alive_is_renewed) {
    One one;
    one.hear(one.ask(1, 2));
    one.recover();
    EXPECT_FALSE(says(one.hear(one.ask(2, 3)), "Send(3, Promise"));
    EXPECT_TRUE(says(one.hear(one.ask(1, 2, 2)), "Send(2, Promise"));
    one.now = 300ms;
    EXPECT_TRUE(says(one.hear(one.ask(2, 3)), "Send(3, Promise"));
}

TEST(Lease, r5_a_restart_with_a_shorter_promise_waits_for_the_longer_one) {
    One one;
    one.hear(one.ask(1, 2));
    const auto stored = one.node.disk;
    One again;
    again.settings.promise = 30ms;
    again.after(Recover<Member::Stored>{stored});
    again.now = 299ms;
    EXPECT_FALSE(says(again.hear(again.ask(2, 3)), "Send(3, Promise"));
    again.now = 300ms;
    EXPECT_TRUE(says(again.hear(again.ask(3, 3)), "Send(3, Promise"));
    EXPECT_EQ(again.node.disk.promise, 30ms);
}

TEST(Lease, r6_only_its_owner_gives_a_promise_back) {
    One one;
    one.hear(one.ask(2, 2));
    one.after(Release{{1, Id{3}, 7}, nobody}, 3);
    EXPECT_FALSE(says(one.hear(one.ask(3, 3)), "Send(3, Promise"));
    one.after(Release{{2, Id{2}, 8}, nobody}, 2);  // another nonce: another claim
    EXPECT_FALSE(says(one.hear(one.ask(3, 3)), "Send(3, Promise"));
    one.after(Release{{2, Id{2}, 7}, nobody}, 2);
    EXPECT_TRUE(says(one.hear(one.ask(3, 3)), "Send(3, Promise"));
}

TEST(Lease, r6_a_release_ends_the_quarantine_of_its_promise_and_closes_its_ballot) {
    One one;
    one.hear(one.ask(1, 2));
    one.recover();
    one.after(Release{{1, Id{2}, 7}, nobody}, 2);
    EXPECT_FALSE(says(one.hear(one.ask(1, 2, 2)), "Send(2, Promise"));
    EXPECT_TRUE(says(one.hear(one.ask(2, 3)), "Send(3, Promise"));
}

TEST(Lease, r6_a_release_that_overtakes_its_ask_closes_the_ballot) {
    One one;
    one.after(Release{{1, Id{2}, 7}, nobody}, 2);
    EXPECT_FALSE(says(one.hear(one.ask(1, 2)), "Send(2, Promise"));
}

TEST(Lease, r7_is_given_back_only_when_the_work_is_gone) {
    One one;
    one.after(Call{});
    one.promise(2);
    ASSERT_TRUE(one.node.acting);
    EXPECT_FALSE(says(one.after(Resign{Id{3}}), "Broadcast(Release"));
    EXPECT_TRUE(one.node.leaving);
    EXPECT_TRUE(says(one.after(Gone{}), "Broadcast(Release"));
    EXPECT_FALSE(one.node.acting);
}

TEST(Lease, r8_a_restarted_member_releases_what_it_used_when_its_former_work_is_gone) {
    One one;
    one.after(Call{});
    EXPECT_FALSE(says(one.recover(), "Broadcast(Release"));
    EXPECT_FALSE(says(one.after(Call{}), "Broadcast(Ask"));
    const Lines lines = one.after(Gone{});
    EXPECT_TRUE(says(lines, "Broadcast(Release(Ballot(1, 1, 1), 0))"));
    EXPECT_TRUE(says(lines, "Broadcast(Ask(Ballot(2, 1, 1)"));
    EXPECT_FALSE(says(lines, "Broadcast(Release(Ballot(2"));              // and stays a candidate
    EXPECT_FALSE(says(one.after(Gone{}), "Broadcast(Release(Ballot(1"));  // once
}

TEST(Lease, r9_work_starts_only_with_enough_time_left) {
    One one;
    one.settings.enough = 50ms;
    one.after(Call{});
    one.now = 230ms;
    one.promise(2);
    EXPECT_FALSE(one.node.acting);
    one.after(Member::Renew{});
    one.promise(2, 2);
    EXPECT_TRUE(one.node.acting);
}

TEST(Lease, r9_no_second_work_starts_while_older_work_is_alive) {
    One one;
    one.after(Call{});
    one.promise(2);
    one.now = 280ms;
    one.after(Member::Lapse{});
    EXPECT_TRUE(one.node.leaving);
    EXPECT_FALSE(says(one.promise(3), "Follow(1)"));
}

// ---------------------------------------------------------------- R10

struct Amnesiac : Actor<Member> {
    Amnesiac() : Actor(1, 3) {
        settings.nonces = 1;
        after(Start{});
        now = 300ms;
        after(Member::Enquire{});
    }
    Entry entry(std::uint64_t round, bool amnesiac = false, bool founder = false) const {
        return {node.lost.nonce, {round, Id{2}, 7}, amnesiac, founder, amnesiac ? 9u : 0u};
    }
};

TEST(Lease, r10_a_member_without_a_memory_promises_nothing_until_all_others_told) {
    Amnesiac one;
    const Ask ask{{9, Id{2}, 7}, 1, false, {}};
    EXPECT_FALSE(says(one.after(ask, 2), "Send(2, Promise"));
    one.after(one.entry(4), 2);
    one.after(one.entry(4), 2);  // the same again is not another member
    EXPECT_TRUE(one.node.voter.amnesiac);
    one.after(one.entry(6), 3);
    EXPECT_FALSE(one.node.voter.amnesiac);
    EXPECT_EQ(one.node.voter.highest.round, 6u);
    EXPECT_TRUE(one.node.disk.formed);
}

TEST(Lease, r10_an_answer_to_an_earlier_life_does_not_count) {
    Amnesiac one;
    Entry old = one.entry(4);
    ++old.nonce;
    one.after(old, 2);
    one.after(one.entry(4), 3);
    EXPECT_TRUE(one.node.voter.amnesiac);
}

TEST(Lease, r10_two_amnesiac_members_beside_one_that_remembers_need_an_operator) {
    Amnesiac one;
    one.after(one.entry(4), 2);
    one.after(one.entry(0, true), 3);
    EXPECT_TRUE(one.node.voter.amnesiac);
    EXPECT_TRUE(says(one.after(Member::Enquire{}), "Report("));
    one.after(Vouch{});
    EXPECT_FALSE(one.node.voter.amnesiac);
    EXPECT_EQ(one.node.voter.highest.round, 4u);
}

TEST(Lease, r10_members_that_are_all_amnesiac_form_the_group_one_after_the_other) {
    Amnesiac one;
    one.after(one.entry(0, true), 2);
    one.after(one.entry(0, true), 3);
    EXPECT_FALSE(one.node.voter.amnesiac);
    const Lines answer = one.after(Census{9}, 2);  // 2 was amnesiac with nonce 9 ...
    EXPECT_TRUE(says(answer, "Send(2, Entry"));
    EXPECT_TRUE(one.node.lost.founded_with({Id{2}, 9}));
    EXPECT_FALSE(one.node.lost.founded_with({Id{2}, 8}));  // ... and not in a later life
    Amnesiac other;
    other.after(other.entry(0, false, true), 2);
    other.after(other.entry(0, true), 3);
    EXPECT_FALSE(other.node.voter.amnesiac);
}

TEST(Lease, r10_a_group_forms_though_its_members_crash_meanwhile) {
    Amnesiac one;
    const std::uint32_t life = one.node.lost.nonce;
    const auto restart = [](Amnesiac& member) {
        const Stored stored = member.node.disk;
        member.node = {};
        member.settings.nonces = ++member.chosen + 1;
        member.after(Recover<Stored>{stored});
    };
    restart(one);  // while it is amnesiac: the others found it so, and may say it still
    EXPECT_TRUE(one.node.voter.amnesiac);
    EXPECT_EQ(one.node.lost.nonce, life);
    one.after(one.entry(0, true), 2);
    one.after(one.entry(0, true), 3);
    EXPECT_FALSE(one.node.voter.amnesiac);
    restart(one);  // when it has formed the group, and others have not
    EXPECT_FALSE(one.node.voter.amnesiac);
    EXPECT_TRUE(one.node.lost.founded_with({Id{2}, 9}));
    EXPECT_FALSE(one.node.lost.founded_with({Id{2}, 8}));
}

TEST(Lease, r10_who_lost_its_disk_begins_another_amnesiac_life) {
    Amnesiac one;
    const std::uint32_t life = one.node.lost.nonce;
    one.node = {};
    one.settings.nonces = ++one.chosen + 1;
    one.after(Start{});
    EXPECT_NE(one.node.lost.nonce, life);
}

TEST(Lease, r11_a_round_is_no_less_than_the_clock_of_the_host) {
    One one;
    one.settings.round_floor = 1'700'000'000'000;
    one.after(Call{});
    EXPECT_EQ(one.node.candidacy.ballot.round, 1'700'000'000'000u);
    EXPECT_EQ(token_of(one.node.candidacy.ballot) >> 16, 1'700'000'000'000u);
}

TEST(Lease, r12_the_successor_stands_at_once_and_who_left_rests) {
    One one;
    one.hear(one.ask(1, 2));
    EXPECT_TRUE(says(one.after(Release{{1, Id{2}, 7}, Id{1}}, 2), "Broadcast(Ask"));
    One leaver;
    leaver.after(Call{});
    leaver.promise(2);
    leaver.after(Resign{Id{3}});
    EXPECT_FALSE(says(leaver.after(Gone{}), "Broadcast(Ask"));
    leaver.now = 300ms;
    EXPECT_TRUE(says(leaver.after(Member::Renew{}), "Broadcast(Ask"));
}

TEST(Lease, r12_work_that_stops_slowly_leads_meanwhile_and_its_heir_has_the_first_chance) {
    One leaver;
    leaver.after(Call{});
    leaver.promise(2);
    EXPECT_FALSE(says(leaver.after(Resign{Id{3}}), "Follow"));
    leaver.now = 1000ms;
    leaver.after(Call{});
    leaver.after(Call{});  // elections meanwhile, of which it wins the last
    const Lines lines = leaver.after(Gone{});
    EXPECT_TRUE(says(lines, "Follow(0)"));
    EXPECT_TRUE(says(lines, "Broadcast(Release(Ballot(1, 1, 1), 3))"));
    EXPECT_FALSE(says(lines, "Broadcast(Ask"));
    leaver.now = 1299ms;
    EXPECT_FALSE(says(leaver.after(Member::Renew{}), "Broadcast(Ask"));
    leaver.now = 1300ms;
    EXPECT_TRUE(says(leaver.after(Member::Renew{}), "Broadcast(Ask"));
}

TEST(Lease, r12_who_is_elected_lets_the_successor_go_first) {
    One one;
    one.hear(one.ask(1, 2));
    one.after(Call{});
    EXPECT_FALSE(says(one.after(Release{{1, Id{2}, 7}, Id{3}}, 2), "Broadcast(Ask"));
    one.now = 100ms;
    EXPECT_TRUE(says(one.after(Member::Renew{}), "Broadcast(Ask"));
}

TEST(Lease, r12_who_is_named_heir_while_it_rests_need_not_rest) {
    One one;
    one.after(Call{});
    one.promise(2);
    one.after(Resign{Id{2}});
    one.after(Gone{});
    const Ballot of_the_heir{one.node.disk.used.round + 1, Id{2}, 7};
    one.hear({of_the_heir, 1, true, one.settings.seal});
    EXPECT_TRUE(says(one.after(Release{of_the_heir, Id{1}}, 2), "Broadcast(Ask"));
}

TEST(Lease, r12_work_that_starts_again_has_a_greater_ballot_which_all_promise_at_once) {
    One one;
    one.after(Call{});
    one.promise(2);
    ASSERT_TRUE(one.node.acting);
    const Ballot first = one.node.candidacy.ballot;
    EXPECT_TRUE(says(one.after(Anew{}), "Broadcast(Ask(Ballot(2, 1, 1)"));
    EXPECT_FALSE(one.node.acting);
    EXPECT_TRUE(less(first, one.node.candidacy.ballot));
    EXPECT_TRUE(says(one.promise(2), "Follow(1)"));
    EXPECT_TRUE(one.node.acting);
    One other;
    other.hear(other.ask(1, 2));
    EXPECT_TRUE(says(other.hear(other.ask(2, 2)), "Send(2, Promise"));
    EXPECT_FALSE(says(other.hear(other.ask(3, 3)), "Send(3, Promise"));
}

TEST(Lease, r12_work_that_cannot_start_again_before_its_lease_ends_is_given_up) {
    One one;
    one.after(Call{});
    one.promise(2);
    one.now = 100ms;
    one.after(Anew{});
    one.now = 280ms;
    const Lines lines = one.after(Member::Lapse{});
    EXPECT_TRUE(says(lines, "Follow(0)"));
    EXPECT_TRUE(says(lines, "Broadcast(Release"));
}

TEST(Lease, a_witness_votes_and_never_stands) {
    One one;
    one.settings.witness = true;
    EXPECT_FALSE(says(one.after(Call{}), "Broadcast(Ask"));
    EXPECT_TRUE(says(one.hear(one.ask(1, 2)), "Send(2, Promise"));
}

TEST(Lease, who_asks_beside_a_leader_makes_way_for_it) {
    One one;
    one.after(Call{});
    Ask held = one.ask(9, 2);
    held.held = true;
    const Lines lines = one.hear(held);
    EXPECT_TRUE(says(lines, "Broadcast(Release"));
    EXPECT_TRUE(says(lines, "Send(2, Promise"));
    EXPECT_FALSE(one.node.candidacy.ballot.stands());
}

TEST(Lease, who_cannot_win_beside_a_greater_ballot_gives_its_promises_back_and_rests) {
    One one;
    one.after(Call{});
    one.hear(one.ask(9, 2));
    one.now = 100ms;
    EXPECT_TRUE(says(one.after(Member::Renew{}), "Broadcast(Release"));
    EXPECT_FALSE(one.node.candidacy.ballot.stands());
    EXPECT_TRUE(says(one.hear(one.ask(9, 2, 2)), "Send(2, Promise"));
}

TEST(Lease, a_leader_gives_way_to_another_that_is_elected_unless_it_is_told_to_stay) {
    for (const bool preempt : {true, false}) {
        One one;
        one.settings.preempt = preempt;
        one.after(Call{});
        one.promise(2);
        ASSERT_TRUE(one.node.acting);
        one.after(Call{});  // now it wants the next member to lead
        EXPECT_EQ(one.node.leaving, preempt);
    }
}

}  // namespace leased_test
}  // namespace conclave::lease
