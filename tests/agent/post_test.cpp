// Sealed datagrams over real sockets of this machine.
#include "conclave/agent/group/post.hpp"

#include <gmock/gmock.h>

#include <list>
#include <map>

#include "conclave/net/random.hpp"

namespace conclave::agent {
namespace post_test {

using std::chrono::milliseconds;

Bytes words(std::string_view text) {
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
}

// A meeting place of this test alone.
net::Address meeting() {
    static const auto port = static_cast<std::uint16_t>(20'000 + net::random_number() % 20'000);
    return net::parse_address("239.255.76.77")->with_port(port);
}

class Speaker {
public:
    Speaker(net::Loop& loop, std::uint64_t own_identity, wire::Keys keys = {},
            const std::string& group = "g", wire::Versions versions = wire::spoken,
            std::uint32_t incarnation = 1)
        : identity(own_identity),
          post(loop,
               {.group = group,
                .keys = std::move(keys),
                .identity = own_identity,
                .incarnation = incarnation,
                .local = *net::parse_address("127.0.0.1"),
                .meeting = meeting(),
                .versions = versions},
               {[this](const Delivery& delivery) {
                    heard.push_back(delivery.envelope.body);
                    version_of[heard.back()] = delivery.envelope.version;
                    from = delivery.from;
                },
                [this](const Receiver&, bool first) { proved += first ? 1 : 0; }}) {}

    std::uint64_t dropped(wire::Drop reason) const {
        return post.counts().dropped[static_cast<std::size_t>(reason)];
    }
    Receiver receiver() const { return {identity, post.local()}; }

    std::uint64_t identity;
    Post post;
    std::vector<Bytes> heard{};
    net::Address from{};
    std::map<Bytes, int> version_of{};  // of what was heard
    int proved = 0;
};

template <class Condition>
bool run_until(net::Loop& loop, Condition condition) {
    for (int i = 0; i < 2000 && !condition(); ++i) loop.step(milliseconds(5));
    return condition();
}

void meet(net::Loop& loop, Speaker& a, Speaker& b) {
    a.post.send_all(wire::Kind::agent, words("who is there?"));
    ASSERT_TRUE(run_until(loop, [&] { return a.proved == 1 && b.proved == 1; }));
}

TEST(Post, who_has_proved_to_be_alive_is_heard_by_all_and_can_be_answered) {
    net::Loop loop;
    Speaker a(loop, 1), b(loop, 2);
    meet(loop, a, b);
    a.post.send_all(wire::Kind::agent, words("hello"));
    ASSERT_TRUE(run_until(loop, [&] { return !b.heard.empty(); }));
    EXPECT_EQ(b.heard.back(), words("hello"));
    EXPECT_EQ(b.from, a.post.local());
    b.post.send({1, b.from}, wire::Kind::algorithm, words("yes?"));
    ASSERT_TRUE(run_until(loop, [&] { return !a.heard.empty(); }));
    EXPECT_EQ(a.heard.back(), words("yes?"));
}

TEST(Post, the_last_word_counts_and_nothing_after_it) {
    net::Loop loop;
    Speaker a(loop, 1), b(loop, 2);
    meet(loop, a, b);
    const Bytes death_notice = a.post.seal_death_notice(words("death_notice"));
    a.post.send(b.receiver(), wire::Kind::agent, words("before"));
    ASSERT_TRUE(run_until(loop, [&] { return b.heard.size() == 1; }));
    net::Socket guardian(*net::parse_address("127.0.0.1"), net::Socket::Use::alone);
    for (int i = 0; i < 2; ++i) guardian.send(b.post.local(), death_notice);
    ASSERT_TRUE(run_until(loop, [&] { return b.dropped(wire::Drop::replayed) == 1; }));
    a.post.send(b.receiver(), wire::Kind::agent, words("after"));
    ASSERT_TRUE(run_until(loop, [&] { return b.dropped(wire::Drop::replayed) == 2; }));
    EXPECT_EQ(b.heard.size(), 2u);
    EXPECT_EQ(b.heard.back(), words("death_notice"));
}

// Somebody without the key who sees datagrams on their way, and sends them on from its own address.
class Thief {
public:
    Receiver posing_as(std::uint64_t identity) const { return {identity, socket_.local()}; }
    // What was sent here; waits for it.
    Bytes take(net::Loop& loop) {
        Bytes taken;
        run_until(loop, [&] {
            if (const auto arrival = socket_.receive())
                taken.assign(arrival->bytes.begin(), arrival->bytes.end());
            return !taken.empty();
        });
        return taken;
    }
    bool has_any() { return socket_.receive().has_value(); }
    void pass_on(const Speaker& to, Input datagram) { socket_.send(to.post.local(), datagram); }

private:
    net::Socket socket_{*net::parse_address("127.0.0.1"), net::Socket::Use::alone};
};

TEST(Post, answers_go_where_a_peer_has_proved_to_be_whoever_repeats_its_words) {
    net::Loop loop;
    const wire::Keys keys{{wire::Key::random()}};
    Speaker a(loop, 1, keys), b(loop, 2, keys);
    meet(loop, a, b);
    Thief thief;
    for (int i = 0; i < 5; ++i) {
        a.post.send(thief.posing_as(2), wire::Kind::agent, words("intercepted"));
        thief.pass_on(b, thief.take(loop));
        ASSERT_TRUE(run_until(loop, [&] { return b.heard.size() == 1; }));
        EXPECT_EQ(b.from, a.post.local());
        b.heard.clear();
        if (i > 0) continue;
        // The challenge that b sends there is relayed, and so is its echo: in vain.
        thief.pass_on(a, thief.take(loop));
        thief.pass_on(b, thief.take(loop));
    }
}

TEST(Post, a_datagram_for_another_node_is_dropped) {
    net::Loop loop;
    Speaker a(loop, 1), b(loop, 2);
    meet(loop, a, b);
    a.post.send({3, b.post.local()}, wire::Kind::agent, words("for c"));
    ASSERT_TRUE(run_until(loop, [&] { return b.dropped(wire::Drop::misdirected) == 1; }));
    EXPECT_TRUE(b.heard.empty());
}

TEST(Post, what_is_said_to_everyone_counts_only_where_everyone_hears_it) {
    net::Loop loop;
    Speaker a(loop, 1), b(loop, 2);
    meet(loop, a, b);
    net::Socket listener(meeting(), net::Socket::Use::shared);
    for (const net::Interface& each : net::list_interfaces())
        if (each.loopback) listener.join(meeting(), each.index);
    a.post.send_all(wire::Kind::agent, words("to all"));
    Bytes recorded;
    ASSERT_TRUE(run_until(loop, [&] {
        if (const auto arrival = listener.receive())
            recorded.assign(arrival->bytes.begin(), arrival->bytes.end());
        return !recorded.empty() && b.heard.size() == 1;
    }));
    Thief thief;
    thief.pass_on(b, recorded);
    ASSERT_TRUE(run_until(loop, [&] { return b.dropped(wire::Drop::misdirected) == 1; }));
    EXPECT_FALSE(thief.has_any());
}

TEST(Post, other_groups_and_other_keys_are_dropped_and_never_answered) {
    net::Loop loop;
    const wire::Keys keys{{wire::Key::random()}}, others{{wire::Key::random()}};
    Speaker a(loop, 1, keys), stranger(loop, 2, keys, "h"), thief(loop, 3, others), bare(loop, 4);
    for (Speaker* each : {&stranger, &thief, &bare})
        each->post.send_all(wire::Kind::agent, words("let me in"));
    ASSERT_TRUE(run_until(loop, [&] {
        return a.dropped(wire::Drop::group) == 1 && a.dropped(wire::Drop::other_key) == 1 &&
               a.dropped(wire::Drop::unsealed) == 1;
    }));
    EXPECT_EQ(a.post.counts().sent, 0u);
    EXPECT_TRUE(a.heard.empty());
}

TEST(Post, a_group_is_upgraded_node_by_node) {
    net::Loop loop;
    const wire::Versions old{1, 1}, fresh{1, 2};
    const auto speaker = [&](std::uint64_t identity, wire::Versions opened, std::uint32_t life) {
        return std::make_unique<Speaker>(loop, identity, wire::Keys{}, "g", opened, life);
    };
    auto a = speaker(1, old, 1), b = speaker(2, old, 1), c = speaker(3, fresh, 1);
    const auto all_proved = [&] {
        for (const auto& each : {a.get(), b.get(), c.get()}) {
            each->post.send_all(wire::Kind::agent, words("who is there?"));
            if (each->proved < 2) return false;
        }
        return true;
    };
    int said = 0;
    const auto spoken = [&](Speaker& from, Speaker& to) {
        const Bytes word = words("word " + std::to_string(++said));
        from.post.send(to.receiver(), wire::Kind::agent, word);
        EXPECT_TRUE(run_until(loop, [&] { return to.version_of.contains(word); }));
        return to.version_of[word];
    };
    ASSERT_TRUE(run_until(loop, all_proved));
    EXPECT_EQ(spoken(*c, *a), 1);
    a = speaker(1, fresh, 2);
    ASSERT_TRUE(run_until(loop, all_proved));
    EXPECT_EQ(spoken(*c, *a), 1);  // b could not open another
    b = speaker(2, fresh, 2);
    ASSERT_TRUE(run_until(loop, all_proved));
    EXPECT_TRUE(run_until(loop, [&] { return spoken(*c, *a) == 2; }));
    EXPECT_TRUE(run_until(loop, [&] { return spoken(*a, *b) == 2; }));
    b = speaker(2, old, 3);  // the upgrade is taken back
    ASSERT_TRUE(run_until(loop, all_proved));
    EXPECT_EQ(spoken(*c, *b), 1);
    EXPECT_EQ(spoken(*b, *c), 1);
}

TEST(Post, the_loopback_is_used_alone_or_when_it_is_named) {
    const auto names = [](const std::string& interface, bool broadcast, bool loopback_only) {
        const net::Interface near{"lo", 1, true, false, {*net::parse_address("127.0.0.1")}, {}};
        const net::Interface far{"eth0",
                                 2,
                                 false,
                                 true,
                                 {*net::parse_address("192.0.2.1")},
                                 net::parse_address("192.0.2.255")};
        std::vector<std::string> found;
        for (const net::Interface& path : meeting_paths({.meeting = meeting(),
                                                         .broadcast = broadcast,
                                                         .interface = interface,
                                                         .loopback_only = loopback_only},
                                                        {near, far}))
            found.push_back(path.name);
        return found;
    };
    for (const bool broadcast : {false, true}) {
        EXPECT_THAT(names("", broadcast, false), testing::ElementsAre("eth0"));
        EXPECT_THAT(names("eth0", broadcast, false), testing::ElementsAre("eth0"));
        EXPECT_THAT(names("lo", broadcast, false), testing::ElementsAre("lo"));
        EXPECT_THAT(names("", broadcast, true), testing::ElementsAre("lo"));
        EXPECT_THAT(names("eth0", broadcast, true), testing::IsEmpty());
    }
}

TEST(Post, the_usual_port_is_taken_once_and_others_take_any) {
    net::Loop loop;
    const auto home = *net::parse_address("127.0.0.1");
    const std::uint16_t usual = net::Socket(home, net::Socket::Use::alone).local().port;
    const auto open = [&](std::uint64_t identity) {
        return std::make_unique<Post>(loop,
                                      PostSettings{.group = "g",
                                                   .identity = identity,
                                                   .local = home,
                                                   .usual_port = usual,
                                                   .meeting = meeting()},
                                      Post::Handlers{[](const Delivery&) {}});
    };
    const auto first = open(1), second = open(2);
    EXPECT_EQ(first->local().port, usual);
    EXPECT_NE(second->local().port, usual);
    EXPECT_NE(second->local().port, 0);
}

TEST(Post, without_multicast_everybody_is_sent_to) {
    net::Loop loop;
    const auto home = *net::parse_address("127.0.0.1");
    std::vector<net::Address> at;
    for (int i = 0; i < 3; ++i) at.push_back(net::Socket(home, net::Socket::Use::alone).local());
    std::map<std::uint64_t, std::vector<Bytes>> heard;
    std::map<std::uint64_t, int> proved;
    std::list<Post> posts;
    for (std::uint64_t me = 1; me <= 3; ++me) {
        PostSettings settings{
            .group = "g", .identity = me, .local = at[me - 1], .by_address = true, .each = at};
        std::erase(settings.each, settings.local);
        posts.emplace_back(loop, settings,
                           Post::Handlers{[&heard, me](const Delivery& d) {
                                              heard[me].push_back(d.envelope.body);
                                          },
                                          [&proved, me](const Receiver&, bool) { ++proved[me]; }});
    }
    posts.front().send_all(wire::Kind::agent, words("one"));
    ASSERT_TRUE(run_until(loop, [&] { return proved[2] == 1 && proved[3] == 1; }));
    posts.front().send_all(wire::Kind::agent, words("two"));
    ASSERT_TRUE(run_until(loop, [&] { return heard[2].size() == 1 && heard[3].size() == 1; }));
    EXPECT_TRUE(posts.front().paths().empty());
}

}  // namespace post_test
}  // namespace conclave::agent
