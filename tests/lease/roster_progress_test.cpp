// The rules of changing rosters without which nobody acts twice, but somebody waits for ever; and
// what a change looks like from one member.
#include <gtest/gtest.h>

#include <deque>

#include "tests/lease/keeper.hpp"

namespace conclave::lease {
namespace roster_progress_test {

using namespace std::chrono_literals;

struct Machine : Keeper {
    Machine(std::uint32_t me, std::uint32_t founders) : Keeper(me, 3) {
        settings.formed = true;
        settings.nonces = 1;
        settings.first.founders = founders;
        after(Start{});
    }
    void leave_out(RosterRule rule) { rows.rules_off |= bit(rule); }
    const Roster& roster() const { return node.disk.roster; }
};

Seats seats(std::initializer_list<std::uint32_t> ids) {
    Seats list;
    for (const std::uint32_t id : ids) list.push_back({Id{id}, founding_key});
    return list;
}
Alter to(std::initializer_list<std::uint32_t> ids) { return {seats(ids), 300ms, 280ms}; }

// Three machines and what they say to each other, delivered while both sides are up.
struct Trio {
    Machine one, two, three;
    std::uint32_t down = 0;  // nothing reaches it, and nothing comes from it

    explicit Trio(std::uint32_t founders = 3)
        : one(1, founders), two(2, founders), three(3, founders) {}
    Machine& at(std::uint32_t id) { return id == 1 ? one : id == 2 ? two : three; }

    template <class Event>
    void tell(std::uint32_t id, const Event& event, std::uint32_t from = 0) {
        at(id).Actor::after(event, from);
        const auto effects = at(id).effects();
        for (const auto& send : effects.sends)
            for (std::uint32_t to = 1; to <= 3; ++to)
                if (to != id && (send.to == everyone || send.to == Id{to}) && to != down &&
                    id != down)
                    under_way.push_back({id, to, send.message});
        if (effects.stored) tell(id, Kept{});
    }
    void deliver() {
        while (!under_way.empty()) {
            const Parcel parcel = under_way.front();
            under_way.pop_front();
            std::visit([&](const auto& message) { tell(parcel.to, message, parcel.from); },
                       parcel.message);
        }
    }
    template <class Event>
    void settle(std::uint32_t id, const Event& event) {
        tell(id, event);
        deliver();
    }
    void pass(Duration span) {
        for (Machine* each : {&one, &two, &three}) each->now += span;
    }

    struct Parcel {
        std::uint32_t from, to;
        Member::Turn::Message message;
    };
    std::deque<Parcel> under_way;
};

TEST(RosterChange, a_member_is_removed_in_two_steps_that_everybody_stores) {
    Trio trio;
    trio.settle(1, Call{});
    trio.settle(1, to({1, 2}));
    EXPECT_TRUE(trio.one.node.acting);
    for (Machine* each : {&trio.one, &trio.two}) {
        EXPECT_EQ(each->roster().members, seats({1, 2}));
        EXPECT_EQ(each->roster().before, seats({1, 2}));
        EXPECT_FALSE(each->roster().pending());
        EXPECT_EQ(each->roster().stamp, (Stamp{trio.one.node.candidacy.ballot, 2}));
    }
}

TEST(RosterChange, a_newcomer_counts_when_it_has_answered_and_both_majorities_know_it) {
    Trio trio(2);
    EXPECT_FALSE(trio.three.roster().known());
    trio.settle(1, Call{});
    EXPECT_EQ(trio.three.roster().members, seats({1, 2}));  // it has learned, and does not count
    trio.settle(1, to({1, 2, 3}));
    EXPECT_EQ(trio.three.roster().members, seats({1, 2, 3}));
    EXPECT_FALSE(trio.one.roster().pending());
}

TEST(RosterChange, a_leader_that_removes_itself_completes_the_change_and_leaves) {
    Trio trio;
    trio.settle(1, Call{});
    trio.settle(1, to({2, 3}));
    EXPECT_TRUE(trio.one.node.leaving);
    EXPECT_EQ(trio.two.roster().members, seats({2, 3}));
    trio.settle(1, Gone{});
    trio.settle(1, Call{}), trio.settle(1, Call{});
    EXPECT_FALSE(trio.one.node.candidacy.ballot.stands());
}

TEST(RosterChange, a_successor_completes_what_it_finds_pending_under_its_own_stamp) {
    Trio trio;
    trio.settle(1, Call{});
    trio.tell(1, to({1, 2}));
    for (auto& parcel : trio.under_way)  // only 2 hears of it, and its answer is lost
        if (parcel.to == 2)
            std::visit([&](const auto& m) { trio.two.after(m, 1); }, parcel.message);
    trio.under_way.clear();
    EXPECT_TRUE(trio.two.roster().pending());
    trio.settle(1, Resign{Id{2}});
    trio.settle(1, Gone{});
    EXPECT_TRUE(trio.two.node.acting);
    EXPECT_EQ(trio.two.roster().members, seats({1, 2}));
    EXPECT_EQ(trio.two.roster().stamp, (Stamp{trio.two.node.candidacy.ballot, 2}));
}

TEST(RosterChange, a_second_change_waits_for_the_first) {
    Trio trio;
    trio.settle(1, Call{});
    trio.tell(1, to({1, 2}));
    trio.tell(1, to({1}));
    EXPECT_EQ(trio.one.roster().members, seats({1, 2}));
    EXPECT_EQ(trio.one.roster().stamp.n, 1u);
}

// M3. 2 knows a newer roster than 3, which asks with its own.
TEST(RosterProgress, who_asks_with_an_older_roster_is_told_of_the_newer) {
    for (const bool told : {true, false}) {
        Trio trio;
        if (!told) trio.two.leave_out(RosterRule::refusal_tells_roster);
        trio.down = 3;
        trio.settle(1, Call{});
        trio.settle(1, Alter{seats({1, 2, 3}), 400ms, 380ms});
        EXPECT_EQ(trio.two.roster().promise, 400ms);
        trio.down = 1;
        trio.pass(1s);
        trio.settle(3, Call{});
        trio.pass(1s);
        trio.settle(3, Member::Renew{});
        EXPECT_EQ(trio.three.node.acting, told);
    }
}

// M6. Only 3, which is on its way out, wants to lead.
TEST(RosterProgress, who_is_on_its_way_out_may_stand_and_complete_the_change) {
    for (const bool allowed : {true, false}) {
        Trio trio;
        if (!allowed) trio.three.leave_out(RosterRule::former_members_stand);
        trio.settle(3, Call{});
        trio.tell(3, to({1, 2}));
        trio.under_way.clear();  // nobody hears of it
        trio.settle(3, Resign{});
        trio.settle(3, Gone{});
        trio.pass(1s);
        trio.settle(3, Call{}), trio.settle(3, Call{});
        trio.settle(3, Member::Renew{});
        EXPECT_EQ(trio.three.node.candidacy.acted, allowed);
    }
}

// M7. 2, which is to be added, is down.
TEST(RosterProgress, a_leader_that_adds_somebody_who_has_not_answered_would_depose_itself) {
    for (const bool waits : {true, false}) {
        Trio trio(1);
        if (!waits) trio.one.leave_out(RosterRule::newcomers_answer_first);
        trio.down = 2;
        trio.settle(1, Call{});
        EXPECT_TRUE(trio.one.node.holds(trio.one.now));
        trio.settle(1, to({1, 2}));
        EXPECT_EQ(trio.one.node.holds(trio.one.now), waits);
        EXPECT_EQ(trio.one.roster().pending(), !waits);
    }
}

TEST(RosterProgress, a_leader_whose_disk_fails_begins_no_change) {
    Trio trio;
    trio.settle(1, Call{});
    trio.one.node.on_disk = OnDisk::no;
    trio.settle(1, to({1, 2}));
    EXPECT_EQ(trio.one.roster().stamp.n, 0u);
}

// R10, with a roster of one: nobody else knows what it decided.
TEST(RosterAmnesia, a_roster_of_one_that_loses_its_disk_needs_an_operators_word) {
    Trio trio;
    trio.settle(1, Call{});
    trio.settle(1, to({1, 2}));
    trio.settle(1, to({1}));
    EXPECT_EQ(trio.one.roster().members, seats({1}));
    trio.one.node = {};
    trio.one.settings.formed = false;
    trio.settle(1, Start{});
    trio.pass(1s);
    trio.settle(1, Member::Enquire{});
    EXPECT_EQ(trio.one.roster().members, seats({1}));  // 2 and 3 have heard of it
    EXPECT_TRUE(trio.one.node.voter.amnesiac);
    trio.settle(1, Vouch{});
    EXPECT_FALSE(trio.one.node.voter.amnesiac);
}

// ---------------------------------------------------------------- M9, by directed runs

// Its disk is lost; what it promised is over when it asks.
void forget(Trio& trio, RosterRule without, bool kept) {
    if (!kept) trio.one.leave_out(without);
    trio.one.node = {};
    trio.one.settings.formed = false;
    ++trio.one.chosen;
    trio.settle(1, Start{});
    trio.pass(1s);
    trio.settle(1, Member::Enquire{});
    trio.pass(100ms);
    trio.settle(1, Member::Enquire{});
}

// 3 was added, and 2 has not heard that the change is done. 1 and 3 start the work again under a
// token that 2 does not know of.
TEST(RosterAmnesia, who_asks_only_those_that_it_knew_of_lets_a_token_fall) {
    for (const bool kept : {true, false}) {
        Trio trio(2);
        for (Machine* each : {&trio.one, &trio.two, &trio.three}) each->settings.nonces = 8;
        trio.settle(1, Call{});
        trio.tell(1, to({1, 2, 3}));
        std::erase_if(trio.under_way, [](const auto& parcel) { return parcel.to == 3; });
        trio.down = 3;
        trio.deliver();
        EXPECT_EQ(trio.one.roster().stamp.n, 2u);
        trio.down = 2;
        trio.settle(1, Anew{});
        EXPECT_TRUE(trio.one.node.acting);
        const std::uint64_t token = token_of(trio.one.node.candidacy.ballot);
        trio.two.node.disk.roster.stamp.n = 1;  // the last step did not reach it
        trio.two.node.disk.roster.before = seats({1, 2});
        trio.down = 3;
        forget(trio, RosterRule::census_of_newest_roster, kept);
        EXPECT_EQ(trio.one.node.voter.amnesiac, kept);
        if (kept) continue;
        trio.settle(1, Call{});
        EXPECT_TRUE(trio.one.node.acting);
        EXPECT_LE(token_of(trio.one.node.candidacy.ballot), token);
    }
}

// 2 led by the promise of 1 and left a change that only it knows of: 3 is removed. 3 leads after
// it, by the promise of 1, under a token that 2 does not know of.
TEST(RosterAmnesia, who_does_not_ask_the_former_members_lets_a_token_fall) {
    for (const bool kept : {true, false}) {
        Trio trio;
        for (Machine* each : {&trio.one, &trio.two, &trio.three}) each->settings.nonces = 8;
        trio.three.settings.round_floor = 2;
        trio.down = 3;
        trio.settle(2, Call{});
        trio.tell(2, to({1, 2}));
        EXPECT_TRUE(trio.two.roster().pending());
        trio.under_way.clear();
        trio.pass(1s);
        trio.down = 2;
        trio.settle(3, Call{});
        EXPECT_TRUE(trio.three.node.acting);
        const std::uint64_t token = token_of(trio.three.node.candidacy.ballot);
        trio.down = 3;
        forget(trio, RosterRule::census_of_former_members, kept);
        EXPECT_EQ(trio.one.node.voter.amnesiac, kept);
        if (kept) continue;
        trio.settle(1, Call{});
        EXPECT_TRUE(trio.one.node.acting);
        EXPECT_LT(token_of(trio.one.node.candidacy.ballot), token);
    }
}

}  // namespace roster_progress_test
}  // namespace conclave::lease
