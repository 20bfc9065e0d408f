// One member, event by event: whom it believes in, when it stands, and what it hands over.
#include "conclave/member/member.hpp"

#include <gmock/gmock.h>

#include "conclave/lease/willing.hpp"
#include "tests/election/actor.hpp"

namespace conclave::member {
namespace member_test {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::Not;

using Tested = Member<lease::Willing>;
constexpr Id one{1}, two{2}, three{3};

// Member 2 of three; L = 300 ms, a heartbeat every 100 ms. Its disk does what it is told.
struct Two : Actor<Tested> {
    Two() : Actor(2, 3) {
        settings.lease.formed = true;
        settings.lease.nonces = 1;
        tell(Start{});
    }
    template <class Event>
    Lines tell(const Event& event, Id from = nobody) {
        Lines lines = after(event, static_cast<std::uint32_t>(from));
        if (!effects().stored) return lines;
        const Lines more = disk_fails ? tell(lease::Unkept{}) : tell(lease::Kept{});
        lines.insert(lines.end(), more.begin(), more.end());
        return lines;
    }
    void hear_both(Id follows) {
        tell(Present{{}, follows}, one);
        tell(Present{{}, follows}, three);
    }
    lease::Ask ask_of(Id owner, std::uint32_t k) const {
        return {{5, owner, 7}, k, true, settings.lease.seal};
    }
    // It hears the lease of 3, for the first time 200 ms ago, and just now.
    void follow_three() {
        tell(ask_of(three, 1), three);
        now += 200ms;
        tell(ask_of(three, 2), three);
    }
    void lead() {
        hear_both(nobody);
        now += 200ms;
        tell(Tested::Stand{});
        tell(Tested::Elect{});
        tell(lease::Promise{node.lease.candidacy.ballot, 1}, one);
    }
    bool stands() const { return node.lease.candidacy.ballot.stands(); }
    bool disk_fails = false;
};

bool some(const Lines& lines, std::string_view part) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.find(part) != std::string::npos;
    });
}

TEST(Member, stands_only_when_a_majority_says_that_it_follows_nobody) {
    Two member;
    member.now = 500ms;
    member.tell(Tested::Elect{});
    EXPECT_TRUE(member.node.lease.inner.wants);
    EXPECT_FALSE(member.stands());
    member.tell(Present{{}, nobody}, one);
    EXPECT_FALSE(member.stands());  // 1 is not better: only 3 would be, and is not alive
    member.tell(Tested::Stand{});
    EXPECT_TRUE(member.stands());
}

TEST(Member, what_waited_while_it_was_paused_does_not_let_it_stand) {
    Two member;
    member.now = 500ms;
    member.tell(Tested::Elect{});
    member.tell(Present{{}, nobody, true}, one);
    EXPECT_FALSE(member.node.standing.allowed);
}

TEST(Member, follows_whom_a_majority_follows_and_does_not_stand_beside_it) {
    Two member;
    member.hear_both(three);
    EXPECT_EQ(member.node.leader, three);
    EXPECT_TRUE(member.node.hearsay);
    EXPECT_TRUE(member.node.ineligible);
}

TEST(Member, a_silent_leader_is_lost_and_nobody_stands_without_the_others_word) {
    Two member;
    member.follow_three();
    member.now += 224ms;
    member.tell(Tested::Look{});
    EXPECT_EQ(member.node.leader, three);
    member.now += 1ms;
    member.tell(Tested::Look{});
    EXPECT_EQ(member.node.leader, nobody);
    EXPECT_EQ(member.node.news.changes.back().cause, Cause::silent);
    EXPECT_FALSE(member.node.standing.allowed);
}

TEST(Member, a_successor_stands_at_once_when_the_death_of_the_leader_is_reported) {
    Two member;
    member.follow_three();
    const Died died{{{5, three, 7}, two}};
    EXPECT_TRUE(some(member.tell(died, three), "Ask(Ballot(6, 2"));
    EXPECT_TRUE(member.node.detector.suspects(three));
}

TEST(Member, whoever_is_not_the_successor_waits_for_it_for_a_heartbeat) {
    Two member;
    member.follow_three();
    member.tell(Present{{}, three}, one);
    const Died died{{{5, three, 7}, one}};
    EXPECT_FALSE(some(member.tell(died, three), "Ask("));
    EXPECT_EQ(member.node.agenda.elect, member.now + 100ms);
}

// It came back without a memory, and cannot release what it held before.
TEST(Member, a_leader_that_says_that_it_follows_nobody_is_followed_no_longer) {
    Two member;
    member.follow_three();
    member.tell(Present{{}, three}, three);
    EXPECT_EQ(member.node.leader, three);
    member.tell(Present{{}, nobody}, three);
    EXPECT_EQ(member.node.leader, nobody);
}

TEST(Member, what_a_new_leader_said_before_it_led_does_not_count) {
    Two member;
    member.tell(member.ask_of(three, 1), three);
    member.now += 50ms;
    member.tell(Present{{}, nobody}, three);
    EXPECT_EQ(member.node.leader, three);
}

TEST(Member, one_that_missed_the_leader_is_told) {
    Two member;
    member.follow_three();
    EXPECT_TRUE(some(member.tell(Present{{}, nobody}, one), "Send(1, Present("));
    EXPECT_FALSE(some(member.tell(Present{{}, three}, one), "Send("));
}

TEST(Member, one_whose_command_is_gone_and_that_does_not_stand_anew_leads_no_longer) {
    Two member;
    member.lead();
    ASSERT_EQ(member.node.leader, two);
    member.node.lease.wished = member.node.lease.elected = one;
    member.tell(lease::Gone{});
    EXPECT_FALSE(member.stands());
    EXPECT_EQ(member.node.leader, nobody);
}

TEST(Member, an_unhealthy_leader_hands_over_as_soon_as_there_is_a_healthy_member) {
    Two member;
    member.lead();
    member.tell(Present{{.healthy = false}, two}, one);
    member.tell(Present{{.healthy = false}, two}, three);
    EXPECT_TRUE(some(member.tell(Condition{.healthy = false}), "Broadcast(Present("));
    EXPECT_FALSE(member.node.lease.leaving);
    member.tell(Present{{}, two}, one);
    member.tell(Tested::Beat{});
    EXPECT_TRUE(member.node.lease.leaving);
    EXPECT_EQ(member.node.lease.wished, one);
}

TEST(Member, one_whose_disk_fails_is_not_eligible_until_it_works) {
    Two member;
    member.disk_fails = true;
    member.tell(member.ask_of(three, 1), three);  // a promise must be stored
    EXPECT_FALSE(member.node.introduced.at(two).said.healthy);
    EXPECT_TRUE(member.node.ineligible);
    member.disk_fails = false;
    member.tell(Tested::Beat{});
    EXPECT_TRUE(member.node.introduced.at(two).said.healthy);
}

TEST(Member, whoever_departs_stands_no_more) {
    Two member;
    member.lead();
    member.tell(Depart{});
    EXPECT_TRUE(member.node.lease.leaving);
    member.tell(lease::Gone{});
    member.hear_both(nobody);
    member.now += 1s;
    member.tell(Tested::Elect{});
    member.tell(Tested::Stand{});
    EXPECT_FALSE(member.stands());
}

TEST(Member, work_that_ended_starts_again_after_a_pause_and_under_a_greater_ballot) {
    Two member;
    member.lead();
    const lease::Ballot first = member.node.lease.candidacy.ballot;
    EXPECT_TRUE(some(member.tell(Ended{}), "Set(Again, 100ms)"));
    EXPECT_TRUE(member.node.rests());
    EXPECT_TRUE(member.node.lease.acting);  // meanwhile it leads
    member.now += 100ms;
    EXPECT_TRUE(some(member.tell(Tested::Again{}), "Broadcast(Ask("));
    EXPECT_FALSE(member.node.rests());
    EXPECT_TRUE(lease::less(first, member.node.lease.candidacy.ballot));
    member.tell(lease::Promise{member.node.lease.candidacy.ballot, 1}, one);
    EXPECT_TRUE(some(member.tell(Ended{}), "Set(Again, 200ms)"));
}

TEST(Member, whoever_is_to_leave_does_not_start_its_work_again) {
    Two member;
    member.lead();
    member.tell(Ended{});
    member.tell(lease::Resign{one});
    EXPECT_TRUE(some(member.tell(lease::Gone{}), "Stop(Again)"));
    EXPECT_FALSE(member.node.rests());
    EXPECT_FALSE(member.stands());
}

TEST(Member, one_whose_disk_keeps_it_from_answering_says_that_it_is_there) {
    Two member;
    member.disk_fails = true;
    member.tell(member.ask_of(three, 1), three);
    for (int i = 0; i < 20; ++i) {
        member.now += 100ms;
        member.tell(member.ask_of(three, static_cast<std::uint32_t>(i) + 2), three);
        EXPECT_TRUE(some(member.tell(Tested::Beat{}), "Broadcast(Present("));
    }
}

TEST(Member, changes_of_the_leader_are_told_with_their_cause) {
    Two member;
    member.follow_three();
    ASSERT_EQ(member.node.news.changes.size(), 1u);
    member.node.news.changes.clear();  // as a host does
    member.tell(Leaving{}, three);
    ASSERT_EQ(member.node.news.changes.size(), 1u);
    EXPECT_EQ(member.node.news.changes[0], (Change{three, nobody, Cause::left}));
}

}  // namespace member_test
}  // namespace conclave::member
