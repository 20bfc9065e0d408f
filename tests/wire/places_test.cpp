// Where a session is: somebody without the key repeats, relays and redirects.
#include <gtest/gtest.h>

#include <utility>

#include "tests/wire/parties.hpp"

namespace conclave::wire {
namespace places_test {

// Somebody without the key, at a place of its own, who hears and repeats what it likes.
constexpr Place thief{.family = 4, .port = 666};

struct Meeting : Network {
    Party a{1}, b{2};
    Meeting() {
        pass(a.hello(), a, b);
        now += 1s;
    }
    Sessions::Verdict hear(const Envelope& envelope, const Place& from) {
        return b.sessions.judge(envelope, now += 1ms, {.from = from, .at = b.place});
    }
    Place place_of_a() { return hear(a.say(), a.place).place; }
};

TEST(Places, a_datagram_repeated_from_elsewhere_is_heard_and_moves_nobody) {
    Meeting m;
    const auto verdict = m.hear(m.a.say(), thief);
    EXPECT_FALSE(verdict.drop);
    EXPECT_EQ(verdict.place, m.a.place);
    ASSERT_TRUE(verdict.answer);  // a challenge, in case a is there now
    EXPECT_NE(verdict.answer->challenge, 0u);
    EXPECT_EQ(m.place_of_a(), m.a.place);
}

TEST(Places, a_relayed_challenge_and_its_relayed_echo_move_nobody) {
    Meeting m;
    const auto challenge = m.hear(m.a.say(), thief).answer;
    const auto echo =
        m.a.sessions.judge(m.b.greet(*challenge), m.now += 1ms, {.from = thief, .at = m.a.place});
    ASSERT_TRUE(echo.answer);
    EXPECT_EQ(echo.answer->echo, challenge->challenge);
    const auto verdict = m.hear(m.a.greet(*echo.answer), thief);
    EXPECT_FALSE(verdict.alive);
    EXPECT_EQ(verdict.place, m.a.place);
}

TEST(Places, a_stranger_whose_greetings_are_all_relayed_is_not_trusted_there) {
    Network network;
    Party a{1}, b{2};
    const auto challenge = b.sessions.judge(a.hello(), network.now, {.from = thief, .at = b.place});
    const auto echo =
        a.sessions.judge(b.greet(*challenge.answer), network.now, {.from = thief, .at = a.place});
    const auto verdict =
        b.sessions.judge(a.greet(*echo.answer), network.now, {.from = thief, .at = b.place});
    EXPECT_EQ(verdict.drop, Drop::stranger);
    EXPECT_FALSE(b.trusts(a));
}

TEST(Places, whoever_repeats_everything_first_does_not_keep_two_from_meeting) {
    Network network;
    Party a{1}, b{2};
    const Envelope hello = a.hello();
    b.sessions.judge(hello, network.now, {.from = thief, .at = b.place});
    network.pass(hello, a, b);
    EXPECT_TRUE(a.trusts(b) && b.trusts(a));
}

TEST(Places, who_moved_is_found_at_its_new_place_when_it_has_answered_from_there) {
    Meeting m;
    const Place former = std::exchange(m.a.place, Place{.family = 4, .port = 4711});
    const Envelope word = m.a.say();
    const auto first = m.hear(word, m.a.place);
    EXPECT_EQ(first.place, former);
    const auto echo = m.a.sessions.judge(m.b.greet(*first.answer), m.now += 1ms,
                                         {.from = m.b.place, .at = m.a.place});
    const auto verdict = m.hear(m.a.greet(*echo.answer), m.a.place);
    EXPECT_TRUE(verdict.alive);
    EXPECT_EQ(verdict.place, m.a.place);
    EXPECT_EQ(m.place_of_a(), m.a.place);
}

TEST(Places, a_relay_that_an_operator_named_is_a_place) {
    Party a{1}, b{2};
    const Arrived by_relay{.from = thief, .at = b.place, .named = true};
    const auto challenge = b.sessions.judge(a.hello(), 1s, by_relay);
    const auto echo =
        a.sessions.judge(b.greet(*challenge.answer), 1s, {.from = thief, .at = a.place});
    EXPECT_TRUE(b.sessions.judge(a.greet(*echo.answer), 1s, by_relay).proved);
    EXPECT_EQ(b.sessions.judge(a.say(), 1s, by_relay).place, thief);
}

TEST(Places, a_thief_is_challenged_at_most_once_a_second) {
    Meeting m;
    int answers = 0;
    for (int i = 0; i < 100; ++i, m.now += 9ms) answers += m.hear(m.a.say(), thief).answer ? 1 : 0;
    EXPECT_EQ(answers, 1);
}

TEST(Places, a_session_is_asked_whether_it_is_still_alive) {
    Meeting m;
    m.now += 1s;
    const auto probe = m.b.sessions.probe(m.a.id, m.now);
    ASSERT_TRUE(probe);
    EXPECT_EQ(probe->place, m.a.place);
    EXPECT_FALSE(m.hear(m.a.say(), m.a.place).alive);  // only an echo is fresh
    const auto echo =
        m.a.sessions.judge(m.b.greet(probe->greeting), m.now, {.from = m.b.place, .at = m.a.place});
    EXPECT_TRUE(m.hear(m.a.greet(*echo.answer), m.a.place).alive);
    EXPECT_FALSE(m.b.sessions.probe(99, m.now));
}

}  // namespace places_test
}  // namespace conclave::wire
