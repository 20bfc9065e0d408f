// What an operator wants of the roster, and what a leader makes of it.
#include "conclave/member/wish.hpp"

#include <gmock/gmock.h>

#include "conclave/lease/willing.hpp"
#include "conclave/member/member.hpp"
#include "tests/election/actor.hpp"

namespace conclave::member {
namespace wish_test {

using namespace std::chrono_literals;

constexpr Id one{1}, two{2}, three{3}, four{4};

// a, b and c, as they formed the group.
lease::Roster trio() {
    lease::Roster roster;
    roster.members = {{one, 1}, {two, 1}, {three, 1}};
    roster.before = roster.members;
    roster.titles = {{one, "a"}, {two, "b"}, {three, "c=10.0.0.3"}};
    roster.promise = roster.longest = 300ms;
    roster.lease = 280ms;
    roster.last = 3;
    return roster;
}
lease::Roster pending(lease::Roster roster) {
    roster.stamp = {{5, one, 7}, 1};
    return roster;
}

TEST(Wish, progress_is_read_from_the_roster) {
    lease::Roster roster = trio();
    EXPECT_EQ(progress_of({"d", ""}, roster), Progress::open);
    EXPECT_EQ(progress_of({"d", ""}, pending(roster)), Progress::other);
    EXPECT_EQ(progress_of({"", "x"}, roster), Progress::done);
    EXPECT_EQ(progress_of({"c", "b"}, roster), Progress::open);
    roster.members.push_back({four, 9});
    roster.titles.push_back({four, "d=10.0.0.4"});
    EXPECT_EQ(progress_of({"d=elsewhere", ""}, pending(roster)), Progress::underway);
    EXPECT_EQ(progress_of({"d", ""}, roster), Progress::done);
    EXPECT_EQ(progress_of({"d", "c"}, roster), Progress::open);
}

TEST(Wish, what_can_never_be_is_known_at_once) {
    lease::Roster roster = trio();
    EXPECT_EQ(obstacle_of({"c", ""}, roster), Obstacle::is_member);
    EXPECT_EQ(obstacle_of({"", "d"}, roster), Obstacle::no_member);
    EXPECT_EQ(obstacle_of({"d", "e"}, roster), Obstacle::no_member);
    EXPECT_EQ(obstacle_of({"d", "c"}, roster), Obstacle::none);
    roster.last = lease::last_id;
    EXPECT_EQ(obstacle_of({"d", ""}, roster), Obstacle::no_id_left);
    roster.members = {{one, 1}};
    EXPECT_EQ(obstacle_of({"", "a"}, roster), Obstacle::last_member);
}

TEST(Wish, other_times_keep_the_proportion_of_the_heartbeat) {
    lease::Roster roster = trio();
    roster.heartbeat = 75ms;
    const auto alter = alter_of({"", "", 1s, {}}, roster, {}, 1000);
    ASSERT_TRUE(alter);
    EXPECT_EQ(alter->promise, 1s);
    EXPECT_EQ(alter->lease, lease::lease_time(1s, 1000, {}));
    EXPECT_EQ(alter->heartbeat, 250ms);
    EXPECT_EQ(alter->members, roster.members);
    EXPECT_EQ(alter_of({"", "", {}, 50ms}, roster, {}, 1000)->promise, 300ms);
    EXPECT_EQ(alter_of({"", "", {}, 50ms}, roster, {}, 1000)->lease, roster.lease);
    EXPECT_EQ(alter_of({"", "", 1s, 50ms}, roster, {}, 1000)->heartbeat, 50ms);
}

TEST(Wish, times_are_done_when_the_roster_has_them) {
    lease::Roster roster = trio();
    roster.heartbeat = 75ms;
    const Wish wish{"", "", 300ms, 100ms};
    EXPECT_EQ(progress_of(wish, roster), Progress::open);
    EXPECT_EQ(obstacle_of(wish, roster), Obstacle::none);
    EXPECT_EQ(obstacle_of({"", "", 300ms, {}}, roster), Obstacle::same_times);
    EXPECT_EQ(obstacle_of({"", "", {}, 200ms}, roster), Obstacle::long_beat);
    roster.heartbeat = 100ms;
    EXPECT_EQ(progress_of(wish, pending(roster)), Progress::underway);
    EXPECT_EQ(progress_of(wish, roster), Progress::done);
}

TEST(Wish, whoever_comes_gets_the_next_id_and_the_key_of_its_answers) {
    lease::Roster roster = trio();
    roster.last = 6;  // 4 to 6 were here, and left
    lease::Candidacy candidacy;
    EXPECT_FALSE(alter_of({"d", "b"}, roster, candidacy, 1000));
    candidacy.answers = {{Id{7}, 0ms, 280ms, 99}};
    const auto alter = alter_of({"d=10.0.0.4", "b"}, roster, candidacy, 1000);
    ASSERT_TRUE(alter);
    EXPECT_EQ(alter->members, (lease::Seats{{one, 1}, {three, 1}, {Id{7}, 99}}));
    EXPECT_EQ(alter->last, 7u);
    EXPECT_EQ(alter->titles, (lease::Titles{{Id{7}, "d=10.0.0.4"}}));
}

// ---------------------------------------------------------------- a member

// Member 1 of a, b and c, with a place for one more; its disk does what it is told.
struct One : Actor<Member<lease::Willing>> {
    using Tested = Member<lease::Willing>;
    One() : Actor(1, 4) {
        settings.lease.formed = true;
        settings.lease.nonces = 1;
        settings.lease.first.founders = 3;
        tell(Told{trio()});
        tell(Start{});
    }
    template <class Event>
    void tell(const Event& event, Id from = nobody) {
        after(event, static_cast<std::uint32_t>(from));
        if (effects().stored) tell(lease::Kept{});
    }
    void promise(Id from, std::uint32_t key = 1) {
        tell(lease::Promise{node.lease.candidacy.ballot, node.lease.candidacy.k, key}, from);
    }
    void lead() {
        tell(Present{{}, nobody}, two);
        tell(Present{{}, nobody}, three);
        now += 200ms;
        tell(Tested::Stand{});
        tell(Tested::Elect{});
        promise(two);
        promise(three);
    }
    const lease::Roster& roster() const { return node.lease.disk.roster; }
};

TEST(MemberOfAChangingGroup, adds_whoever_has_answered_and_completes_it_by_both_majorities) {
    One member;
    member.lead();
    ASSERT_TRUE(member.node.lease.acting);
    member.tell(Wish{"d", ""});
    EXPECT_FALSE(member.roster().changed());  // it has not answered
    EXPECT_EQ(outlook_of(member.node, {"d", ""}, one, member.now).awaited, Awaited::newcomer);
    member.promise(four, 99);
    member.tell(Wish{"d", ""});
    ASSERT_TRUE(member.roster().pending());
    member.promise(two);
    EXPECT_TRUE(member.roster().pending());  // two of three, but not three of four
    member.promise(four, 99);
    EXPECT_FALSE(member.roster().pending());
    EXPECT_EQ(member.roster().members.size(), 4u);
    EXPECT_EQ(member.node.standing.members, 4u);
    EXPECT_TRUE(member.node.lease.acting);
}

TEST(MemberOfAChangingGroup, does_not_hear_strangers_and_forgets_whoever_left) {
    One member;
    member.tell(Present{{}, nobody}, four);
    EXPECT_TRUE(member.node.detector.suspects(four));
    member.lead();
    member.tell(Wish{"", "c=10.0.0.3"});
    EXPECT_FALSE(member.roster().changed());  // a name, not an entry
    member.tell(Wish{"", "c"});
    member.promise(two);
    ASSERT_EQ(member.roster().members.size(), 2u);
    ASSERT_FALSE(member.roster().pending());
    EXPECT_FALSE(member.node.counts(three));
    EXPECT_FALSE(member.node.introduced.at(three).known);
    EXPECT_EQ(member.roster().titles.size(), 2u);
    EXPECT_EQ(member.roster().last, 3u);
}

TEST(MemberOfAChangingGroup, begins_nothing_that_needs_somebody_who_fell_silent) {
    One member;
    member.lead();
    member.now += 226ms;  // longer than patience, not so long as the lease
    member.promise(two);
    member.tell(One::Tested::Look{});
    ASSERT_TRUE(member.node.detector.suspects(three));
    const Outlook outlook = outlook_of(member.node, {"", "b"}, one, member.now);
    EXPECT_EQ(outlook.awaited, Awaited::more_members);
    EXPECT_EQ(outlook.needed, 2u);
    EXPECT_EQ(outlook.up, 1u);
    member.tell(Wish{"", "b"});
    EXPECT_FALSE(member.roster().changed());
}

TEST(MemberOfAChangingGroup, hands_over_before_it_is_removed) {
    One member;
    member.lead();
    member.tell(Wish{"", "a"});
    EXPECT_TRUE(member.node.lease.leaving);
    EXPECT_FALSE(member.roster().changed());
}

// ---------------------------------------------------------------- rosters from a network

TEST(Roster, only_what_a_leader_could_have_written_is_sound) {
    const auto sound_with = [](auto change) {
        lease::Roster roster = trio();
        change(roster);
        return lease::is_sound(roster, 64);
    };
    EXPECT_TRUE(lease::is_sound({}, 64));
    EXPECT_TRUE(sound_with([](auto&) {}));
    EXPECT_TRUE(sound_with([](auto& r) { r.stamp.n = 1, r.before.pop_back(); }));
    EXPECT_FALSE(sound_with([](auto& r) { r.before.pop_back(); }));
    EXPECT_FALSE(sound_with([](auto& r) { r.last = 2; }));
    EXPECT_FALSE(sound_with([](auto& r) { r.last = 0xffff; }));
    EXPECT_FALSE(sound_with([](auto& r) { std::swap(r.members[0], r.members[1]); }));
    EXPECT_FALSE(sound_with([](auto& r) { r.members[1].member = one; }));
    EXPECT_FALSE(sound_with([](auto& r) { r.members.clear(); }));
    EXPECT_FALSE(sound_with([](auto& r) { r.longest = 1ms; }));
    EXPECT_FALSE(sound_with([](auto& r) { r.lease = 0ms; }));
    EXPECT_FALSE(sound_with([](auto& r) { r.promise = 1ms; }));
    EXPECT_FALSE(lease::is_sound(trio(), 2));
}

}  // namespace wish_test
}  // namespace conclave::member
