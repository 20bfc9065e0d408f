// Two parties, a network that keeps everything, and somebody who plays it back.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/wire/parties.hpp"

namespace conclave::wire {
namespace replay_test {

TEST(Window, takes_every_number_once_and_none_that_is_too_old) {
    Window window;
    EXPECT_TRUE(window.take(1) && window.take(3) && window.take(2));
    EXPECT_FALSE(window.take(1) || window.take(2) || window.take(3));
    EXPECT_TRUE(window.take(100) && window.take(100 - 63) && window.take(99));
    EXPECT_FALSE(window.take(100 - 64));
    EXPECT_TRUE(window.take(Envelope::last));
    EXPECT_FALSE(window.take(101) || window.take(Envelope::last));
}

TEST(Window, that_starts_at_a_number_takes_only_later_ones) {
    Window window(50);
    EXPECT_FALSE(window.take(50) || window.take(49) || window.take(1));
    EXPECT_TRUE(window.take(51) && window.take(53) && window.take(52));
}

RC_GTEST_PROP(Window, never_takes_a_number_twice_and_every_recent_one_once, ()) {
    Window window;
    std::set<std::uint64_t> taken;
    std::uint64_t top = 0;
    for (const auto number :
         *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 200))) {
        const bool fresh = !taken.contains(number) && (number > top || top - number < 64);
        RC_ASSERT(window.take(number) == fresh);
        if (fresh) taken.insert(number);
        top = std::max(top, number);
    }
}

TEST(Sessions, a_hello_leads_to_trust_on_both_sides) {
    Network network;
    Party a{1}, b{2};
    network.pass(a.hello(), a, b);
    EXPECT_TRUE(a.trusts(b));
    EXPECT_TRUE(b.trusts(a));
    EXPECT_EQ(network.recorded.size(), 4u);  // hello, challenge, echo with challenge, echo
}

TEST(Sessions, any_word_of_a_stranger_leads_to_trust_but_is_itself_dropped) {
    Network network;
    Party a{1}, b{2};
    EXPECT_EQ(network.pass(a.say(), a, b), Drop::stranger);
    EXPECT_TRUE(a.trusts(b) && b.trusts(a));
    EXPECT_EQ(network.pass(a.say(), a, b), std::nullopt);
    EXPECT_EQ(network.pass(b.say(), b, a), std::nullopt);
}

TEST(Sessions, challenges_that_cross_lead_to_trust) {
    Network network;
    Party a{1}, b{2};
    const auto to_b = b.sessions.judge(a.hello(), network.now, {.from = a.place});
    const auto to_a = a.sessions.judge(b.hello(), network.now, {.from = b.place});
    network.pass(b.greet(*to_b.answer), b, a);
    network.pass(a.greet(*to_a.answer), a, b);
    EXPECT_TRUE(a.trusts(b) && b.trusts(a));
}

TEST(Sessions, a_lost_greeting_is_made_up_for) {
    for (int lost = 0; lost < 4; ++lost) {
        Network network;
        Party a{1}, b{2};
        int sent = 0;
        for (int beat = 0; beat < 8; ++beat, network.now += 100ms)
            for (auto [from, to] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
                std::optional<Envelope> flight = from->say();
                for (Party *x = from, *y = to; flight; std::swap(x, y)) {
                    if (flight->kind == Kind::greeting && sent++ == lost) break;
                    const auto verdict = y->sessions.judge(*flight, network.now += 100us,
                                                           {.from = x->place, .at = y->place});
                    flight.reset();
                    if (verdict.answer) flight = y->greet(*verdict.answer);
                }
            }
        EXPECT_TRUE(a.trusts(b) && b.trusts(a)) << lost;
    }
}

TEST(Sessions, a_replay_is_dropped_and_not_answered) {
    Network network;
    Party a{1}, b{2};
    network.pass(a.hello(), a, b);
    for (int i = 0; i < 10; ++i) network.pass(a.say(), a, b);
    for (const Envelope& old : std::vector(network.recorded)) {
        if (old.sender != a.id) continue;
        const auto verdict = b.sessions.judge(old, network.now);
        EXPECT_EQ(verdict.drop, Drop::replayed);
        EXPECT_FALSE(verdict.answer);
    }
}

TEST(Sessions, what_was_recorded_before_the_receiver_restarted_is_dropped) {
    Network network;
    Party a{1}, b{2};
    network.pass(a.hello(), a, b);
    for (int i = 0; i < 10; ++i) network.pass(a.say(), a, b);
    Party again = b.restarted();
    for (const Envelope& old : network.recorded)
        if (old.sender == a.id) {
            EXPECT_EQ(again.sessions.judge(old, network.now += 1s).drop, Drop::stranger);
        }
    EXPECT_FALSE(again.trusts(a));
    network.pass(again.hello(), again, a);
    EXPECT_TRUE(again.trusts(a) && a.trusts(again));
}

TEST(Sessions, what_was_recorded_before_the_sender_restarted_is_dropped) {
    Network network;
    Party a{1}, b{2};
    network.pass(a.hello(), a, b);
    for (int i = 0; i < 10; ++i) network.pass(a.say(), a, b);
    const auto old = network.recorded;
    Party again = a.restarted();
    network.pass(again.hello(), again, b);
    EXPECT_TRUE(b.trusts(again) && again.trusts(b));
    for (const Envelope& each : old)
        if (each.sender == a.id) {
            EXPECT_TRUE(b.sessions.judge(each, network.now += 1ms).drop);
        }
    EXPECT_TRUE(b.trusts(again));
}

TEST(Sessions, a_copy_with_the_same_id_waits_until_the_first_is_silent) {
    Network network;
    Party a{1}, b{2}, copy{1};
    network.pass(a.hello(), a, b);
    EXPECT_EQ(network.pass(copy.hello(), copy, b), Drop::twin);
    EXPECT_EQ(network.pass(copy.hello(), copy, a), Drop::twin);
    EXPECT_TRUE(b.trusts(a));
    network.now += 3s;
    network.pass(copy.hello(), copy, b);
    EXPECT_TRUE(b.trusts(copy));
}

TEST(Sessions, our_own_words_come_back_and_are_dropped) {
    Party a{1};
    EXPECT_EQ(a.sessions.judge(a.say(), 1s).drop, Drop::self);
}

TEST(Sessions, a_death_notice_ends_the_session) {
    Network network;
    Party a{1}, b{2};
    network.pass(a.hello(), a, b);
    Envelope death_notice = a.say(Kind::death_notice);
    death_notice.sequence = Envelope::last;
    for (int i = 0; i < 200; ++i) network.pass(a.say(), a, b);
    EXPECT_EQ(network.pass(death_notice, a, b), std::nullopt);
    EXPECT_EQ(network.pass(death_notice, a, b), Drop::replayed);
    EXPECT_EQ(network.pass(a.say(), a, b), Drop::replayed);
    Party again = a.restarted();
    network.pass(again.hello(), again, b);
    EXPECT_TRUE(b.trusts(again));
}

TEST(Sessions, an_echo_that_comes_too_late_proves_nothing) {
    Party a{1}, b{2};
    const auto challenge = b.sessions.judge(a.hello(), 1s).answer;
    const auto echo = a.greet({.echo = challenge->challenge});
    EXPECT_FALSE(b.sessions.judge(echo, 2100ms).proved);
    EXPECT_FALSE(b.trusts(a));
}

TEST(Sessions, strangers_take_no_more_than_their_place_and_never_that_of_the_trusted) {
    Network network;
    Party a{1}, b{2};
    network.pass(a.hello(), a, b);
    std::size_t answers = 0;
    for (std::uint64_t id = 100; id < 10'100; ++id) {
        Party stranger{id};
        if (b.sessions.judge(stranger.hello(), network.now).answer) ++answers;
    }
    EXPECT_EQ(b.sessions.size(), 256u);
    EXPECT_TRUE(b.trusts(a));
    EXPECT_LE(answers, 64u);
    Party late{3};
    network.now += 1s;
    network.pass(late.hello(), late, b);
    EXPECT_TRUE(b.trusts(late));
}

TEST(Sessions, when_all_places_are_taken_by_the_trusted_a_stranger_gets_none) {
    Network network;
    Party a{1}, b{2}, c{3};
    b.sessions = Sessions(b.id, b.session, next_number, {.peers = 1});
    network.pass(a.hello(), a, b);
    EXPECT_EQ(network.pass(c.hello(), c, b), Drop::crowded);
    EXPECT_TRUE(b.trusts(a));
}

TEST(Sessions, a_greeting_that_nobody_writes_is_malformed) {
    Party a{1}, b{2};
    const auto verdict = b.sessions.judge(a.say(Kind::greeting, Bytes(38)), 1s);
    EXPECT_EQ(verdict.drop, Drop::malformed);
    EXPECT_FALSE(verdict.answer);
}

// Whoever records everything and plays it back in any order, across restarts of both, never gets a
// word delivered twice, and never a word of a session that is over.
RC_GTEST_PROP(Sessions, no_word_is_delivered_twice, ()) {
    Network network;
    Party a{1}, b{2};
    std::set<std::pair<std::uint64_t, std::uint64_t>> delivered;
    const auto hear = [&](const Envelope& envelope, bool live) {
        const auto verdict = b.sessions.judge(envelope, network.now += 1ms, {.from = a.place});
        if (envelope.kind != Kind::greeting && !verdict.drop) {
            RC_ASSERT(live || envelope.session == a.session);
            RC_ASSERT(delivered.insert({envelope.session, envelope.sequence}).second);
        }
        if (!verdict.answer || !live) return;
        network.pass(b.greet(*verdict.answer), b, a);
    };
    for (const int step : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 100))) {
        if (step < 5)
            a = a.restarted();
        else if (step < 10)
            b = b.restarted();
        else if (step < 50 || network.recorded.empty()) {
            network.recorded.push_back(a.say());
            hear(network.recorded.back(), true);
        } else {
            const auto which = *rc::gen::inRange<std::size_t>(0, network.recorded.size());
            const Envelope old = network.recorded[which];
            if (old.sender == a.id) hear(old, false);
        }
    }
}

}  // namespace replay_test
}  // namespace conclave::wire
