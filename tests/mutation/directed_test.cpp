// Faults of agents that were repaired, planted again, which no storm shows often: a member driven
// event by event shows them. docs/checking.md has them as a table.
#include <gtest/gtest.h>

#include "conclave/member/member.hpp"
#include "tests/lease/keeper.hpp"

namespace conclave {
namespace directed_test {

using namespace std::chrono_literals;
using lease::Ask;
using lease::Ballot;
using lease::Keeper;
using lease::Promise;
using lease::Release;
using lease::RepairedRule;
using lease::Resign;
using lease::says;
using Lease = lease::Member;

// A member of three whose disk works; L = 300 ms, D = 280 ms. With a rule left out, or with all.
struct Alone : Keeper {
    explicit Alone(std::uint32_t me, std::uint64_t rules_off = 0) : Keeper(me, 3) {
        rows.rules_off = rules_off;
        settings.formed = true;
        after(Start{});
    }
    Ask ask() const { return {node.candidacy.ballot, node.candidacy.k, false, settings.seal}; }
    void lead() {
        after(Call{});
        after(Promise{node.candidacy.ballot, 1}, 2);
        ASSERT_TRUE(node.acting);
    }
};

// True of a run without the rule, and of none with it.
template <class Run>
void expect_planted(RepairedRule rule, const Run& run) {
    EXPECT_FALSE(run(0));
    EXPECT_TRUE(run(lease::bit(rule)));
}

// 1 stands in rounds 1 and 2, which nobody hears of, loses its disk, stands in round 1 and leads
// with the promise of 2. Then what it said in its former life arrives.
TEST(DirectedRuns, a_ballot_of_a_forgotten_life_lets_two_act) {
    expect_planted(RepairedRule::same_life_succeeds, [](std::uint64_t off) {
        Alone one{1, off}, two{2, off}, three{3, off};
        const auto give_up = [&] {
            const Release release{one.node.candidacy.ballot, nobody};
            one.after(Call{});
            return release;
        };
        one.after(Call{});
        give_up();
        one.now += one.settings.promise;
        one.after(Call{});
        const Ask late_ask = one.ask();
        const Release late_release = give_up();
        one.forget();
        one.after(Call{});
        two.after(one.ask(), 1);
        one.after(Promise{one.ask().ballot, 1}, 2);
        two.after(late_ask, 1);
        for (Alone* each : {&two, &three}) each->after(late_release, 1);
        three.after(Call{});
        if (says(two.after(three.ask(), 3), "Send(3, Promise("))
            three.after(Promise{three.ask().ballot, 1}, 2);
        return one.node.holds(one.now) && one.node.acting && three.node.acting;
    });
}

TEST(DirectedRuns, a_greater_ballot_that_gave_up_deposes_a_leader) {
    expect_planted(RepairedRule::closed_by_own_release, [](std::uint64_t off) {
        Alone one{1, off};
        const Ballot leads{1, Id{2}, 7}, gave_up{2, Id{3}, 7};
        one.after(Ask{leads, 1, true, one.settings.seal}, 2);
        one.after(Release{gave_up, nobody}, 3);
        return !says(one.after(Ask{leads, 2, true, one.settings.seal}, 2), "Send(2, Promise(");
    });
}

TEST(DirectedRuns, a_candidate_that_is_beaten_outbids_the_other) {
    expect_planted(RepairedRule::beaten_repeats_nothing, [](std::uint64_t off) {
        Alone one{1, off};
        one.settings.repeat = 20ms;
        one.after(Call{});
        one.now = 5ms;
        one.after(Ask{{9, Id{3}, 7}, 1, false, one.settings.seal}, 3);
        one.now = 20ms;
        return says(one.after(Lease::Renew{}), "Broadcast(Ask");
    });
}

// P3: what kept it from standing is over, and the election elects it again.
TEST(DirectedRuns, a_member_that_is_elected_again_never_stands) {
    expect_planted(RepairedRule::reelected_stands_again, [](std::uint64_t off) {
        Alone one{1, off};
        one.settings.ineligible = true;
        one.after(Call{});
        one.settings.ineligible = false;
        one.node.inner.wants = false;
        one.after(Call{});
        return !one.node.candidacy.ballot.stands();
    });
}

// A leader that was paused for longer than its lease asks before it notices.
TEST(DirectedRuns, a_leader_that_was_paused_misleads_a_member_that_promised_another) {
    expect_planted(RepairedRule::expired_lease_not_claimed, [](std::uint64_t off) {
        Alone former{1, off}, member{2, off};
        former.lead();
        former.now += 400ms;
        member.after(Ask{{5, Id{3}, 7}, 1, true, member.settings.seal}, 3);
        former.after(Lease::Renew{});
        const auto& said = former.effects().sends.front().message;
        return says(member.after(std::get<Ask>(said), 1), "Follow(1)");
    });
}

TEST(DirectedRuns, a_leader_whose_work_stops_slowly_forgets_its_successor) {
    expect_planted(RepairedRule::successor_stays_named, [](std::uint64_t off) {
        Alone leaver{1, off};
        leaver.lead();
        leaver.after(Resign{Id{3}});
        leaver.now = 1000ms;
        leaver.after(Call{});
        leaver.after(Call{});  // elections meanwhile, of which it wins the last
        return !says(leaver.after(lease::Gone{}), "Broadcast(Release(Ballot(1, 1, 1), 3))") &&
               leaver.node.candidacy.ballot.stands();
    });
}

// ---------------------------------------------------------------- the whole member

using Whole = member::Member<lease::Willing>;

// Member 2 of three, and its disk works.
struct Two : Actor<Whole> {
    explicit Two(std::uint64_t rules_off) : Actor(2, 3) {
        rows.rules_off = rules_off;
        settings.lease.formed = true;
        tell(Start{});
    }
    template <class Event>
    void tell(const Event& event, std::uint32_t from = 0) {
        after(event, from);
        if (effects().stored) tell(lease::Kept{});
    }
    void hear_both(Id follows) {
        for (const std::uint32_t each : {1u, 3u}) tell(member::Present{{}, follows}, each);
    }
    void wait_and_call() {
        now += 1s;
        tell(Whole::Elect{});
        tell(Whole::Stand{});
    }
};

TEST(DirectedRuns, words_that_waited_while_it_was_paused_let_a_member_stand) {
    expect_planted(RepairedRule::stale_words_ignored, [](std::uint64_t off) {
        Two two{off};
        two.now = 500ms;
        two.tell(Whole::Elect{});
        two.tell(member::Present{{}, nobody, true}, 1);
        two.tell(Whole::Stand{});
        return two.node.lease.candidacy.ballot.stands();
    });
}

TEST(DirectedRuns, a_member_that_ends_stands_again) {
    expect_planted(RepairedRule::departing_member_not_eligible, [](std::uint64_t off) {
        Two two{off};
        two.hear_both(nobody);
        two.wait_and_call();
        two.tell(Promise{two.node.lease.candidacy.ballot, 1}, 1);
        EXPECT_TRUE(two.node.lease.acting);
        two.tell(member::Depart{});
        two.tell(lease::Gone{});
        two.now += 1s;  // it backs off no longer
        two.hear_both(nobody);
        two.node.lease.inner.wants = false;  // it will be elected once more, if it takes part
        two.wait_and_call();
        return two.node.lease.candidacy.ballot.stands();
    });
}

// Elected, it could not stand, and its election would send every other candidate home.
TEST(DirectedRuns, an_unhealthy_member_is_elected) {
    expect_planted(RepairedRule::ineligible_member_abstains, [](std::uint64_t off) {
        Two two{off};
        two.tell(member::Condition{.healthy = false});
        two.hear_both(nobody);
        two.now += 1s;
        two.tell(Call{});
        return two.node.lease.elected == Id{2};
    });
}

TEST(DirectedRuns, a_member_without_a_memory_is_elected) {
    expect_planted(RepairedRule::amnesiac_member_abstains, [](std::uint64_t off) {
        Alone one{1, off};
        one.node = {};
        one.settings.formed = false;
        one.after(Start{});
        EXPECT_TRUE(one.node.voter.amnesiac);
        one.after(Call{});
        return one.node.elected == Id{1};
    });
}

}  // namespace directed_test
}  // namespace conclave
