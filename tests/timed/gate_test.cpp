#include "conclave/timed/daemon/gate.hpp"

#include <gtest/gtest.h>

namespace conclave::timed {
namespace gate_test {

using namespace std::chrono_literals;
using Type = wire::TspDatagram::Type;

wire::Keys keys_of(int seed) {
    wire::Key::Secret secret{};
    secret.fill(static_cast<std::byte>(seed));
    return {{wire::Key(secret)}};
}

DaemonConfig config_of(std::vector<Trusted> trusted, bool insecure) {
    DaemonConfig config;
    config.name = "we";
    config.address = net::parse_address("203.0.113.1");
    config.broadcast = net::parse_address("203.0.113.255");
    config.trusted = std::move(trusted);
    config.insecure = insecure;
    return config;
}

struct Door {
    explicit Door(std::vector<Trusted> trusted = {}, bool insecure = false, wire::Keys with = {})
        : config(config_of(std::move(trusted), insecure)), keys(std::move(with)) {}
    // "let in", or why not
    std::string knock(Input bytes, const char* from, Time now = 1s) {
        const auto verdict = gate.judge({*net::parse_address(from, 525), 0s, true, bytes}, now);
        answered = verdict.answer.has_value();
        answer = verdict.answer.value_or(wire::Greeting{});
        const auto* reason = std::get_if<Reason>(&verdict.heard);
        return reason == nullptr ? "let in" : std::string(*reason);
    }
    std::string say(Type type, const std::string& name, const char* from) {
        return knock(wire::write_datagram({.type = type, .name = name}), from);
    }

    DaemonConfig config;
    wire::Keys keys;
    Gate gate{config, keys, 1};
    bool answered = false;
    wire::Greeting answer{};
};

TEST(Gate, without_a_key_only_who_is_trusted_is_heard) {
    Door door({{"bsd1", {}, 0}, {"", net::parse_address("203.0.113.64"), 26}});
    EXPECT_EQ(door.say(Type::adjtime, "bsd1", "203.0.113.9"), "let in");
    EXPECT_EQ(door.say(Type::adjtime, "bsd2", "203.0.113.9"), "untrusted");
    EXPECT_EQ(door.say(Type::adjtime, "bsd2", "203.0.113.65"), "let in");
    EXPECT_FALSE(door.answered);
}

TEST(Gate, nobody_is_heard_from_another_network) {
    Door everybody({}, true);
    EXPECT_EQ(everybody.say(Type::masterreq, "x", "203.0.113.9"), "let in");
    EXPECT_EQ(everybody.say(Type::masterreq, "x", "198.51.100.9"), "untrusted");
    Door named({{"bsd1", {}, 0}});
    EXPECT_EQ(named.say(Type::masterreq, "bsd1", "198.51.100.9"), "untrusted");
}

TEST(Gate, tools_are_heard_from_this_machine_only) {
    Door door({}, true);
    for (const Type type :
         {Type::msite, Type::test, Type::traceon, Type::traceoff, Type::setdate}) {
        EXPECT_EQ(door.say(type, "x", "203.0.113.9"), "tool");
        EXPECT_EQ(door.say(type, "x", "203.0.113.1"), "let in");
        EXPECT_EQ(door.say(type, "we", "127.0.0.1"), "let in");
    }
}

TEST(Gate, ones_own_name_is_ones_own_broadcast_or_a_namesake) {
    Door door({}, true);
    EXPECT_EQ(door.say(Type::loop, "we", "203.0.113.1"), "self");
    EXPECT_EQ(door.say(Type::loop, "we", "203.0.113.9"), "namesake");
}

TEST(Gate, with_a_key_nothing_unsealed_is_heard) {
    Door door({}, false, keys_of(1));
    EXPECT_EQ(door.say(Type::adjtime, "bsd1", "203.0.113.9"), "unsealed");
    EXPECT_EQ(door.say(Type::quit, "bsd1", "203.0.113.9"), "unsealed");
    const Bytes other = wire::write_own({.type = Type::quit, .name = "n"}, {}, keys_of(2));
    EXPECT_EQ(door.knock(other, "203.0.113.9"), "other_key");
    EXPECT_FALSE(door.answered);
}

TEST(Gate, a_session_is_heard_once_it_has_proved_to_be_alive_and_never_twice) {
    Door door({}, false, keys_of(1));
    wire::TspTrailer trailer{.session = 77, .sequence = 1};
    const wire::TspDatagram quit{.type = Type::quit, .name = "n"};
    EXPECT_EQ(door.knock(wire::write_own(quit, trailer, door.keys), "203.0.113.9"), "stranger");
    ASSERT_TRUE(door.answered);
    ++trailer.sequence;
    trailer.body = wire::Greeting{.challenge = 0, .echo = door.answer.challenge};
    const wire::TspDatagram greeting{.type = Type::ack, .name = "n"};
    EXPECT_EQ(door.knock(wire::write_own(greeting, trailer, door.keys), "203.0.113.9", 1100ms),
              "greeting");
    ++trailer.sequence;
    trailer.body = {};
    const Bytes said = wire::write_own(quit, trailer, door.keys);
    EXPECT_EQ(door.knock(said, "203.0.113.9", 1200ms), "let in");
    EXPECT_EQ(door.knock(said, "203.0.113.9", 1300ms), "replayed");
}

TEST(Gate, noise_is_dropped) {
    Door door({}, true);
    EXPECT_EQ(door.knock(Bytes(43), "203.0.113.9"), "malformed");
    EXPECT_EQ(door.knock(Bytes(268), "203.0.113.9"), "malformed");
    EXPECT_EQ(door.say(Type::masterreq, "", "203.0.113.9"), "malformed");
}

}  // namespace gate_test
}  // namespace conclave::timed
