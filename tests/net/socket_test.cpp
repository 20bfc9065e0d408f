#include "conclave/net/socket.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "conclave/core/bytes.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/net/interfaces.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::net {
namespace socket_test {

using std::chrono::seconds;

Bytes words(std::string_view text) {
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
}

std::optional<Arrival> wait_for(Socket& socket) {
    std::optional<Arrival> got;
    Loop loop;
    loop.watch(socket.fd(), [&] { got = socket.receive(); });
    for (int i = 0; i < 50 && !got; ++i) loop.step(std::chrono::milliseconds(100));
    return got;
}

std::uint32_t loopback_index() {
    for (const Interface& each : list_interfaces())
        if (each.loopback) return each.index;
    return 0;
}

class SocketOf : public testing::TestWithParam<const char*> {
protected:
    Address here() const { return *parse_address(GetParam()); }
    bool missing() const {
        for (const Interface& each : list_interfaces())
            if (each.speaks(here().family)) return false;
        return true;
    }
};

TEST_P(SocketOf, a_datagram_arrives_with_its_sender_and_interface) {
    if (missing()) GTEST_SKIP() << "this machine does not speak " << GetParam();
    Socket sender(here(), Socket::Use::alone), receiver(here(), Socket::Use::alone);
    ASSERT_TRUE(sender.send(receiver.local(), words("hello")));
    const auto arrival = wait_for(receiver);
    ASSERT_TRUE(arrival);
    EXPECT_EQ(arrival->from, sender.local());
    EXPECT_EQ(arrival->interface, loopback_index());
    EXPECT_EQ(Bytes(arrival->bytes.begin(), arrival->bytes.end()), words("hello"));
    EXPECT_FALSE(receiver.receive());
}

// The kernel begins to stamp a little after it was asked to, so the first datagrams may have none.
TEST_P(SocketOf, the_kernel_says_when_a_datagram_arrived) {
    if (missing()) GTEST_SKIP() << "this machine does not speak " << GetParam();
    Socket sender(here(), Socket::Use::alone), receiver(here(), Socket::Use::alone);
    ASSERT_TRUE(receiver.stamp_arrivals());
    const Time before = unix_time();
    std::optional<Time> stamp;
    for (int tries = 0; tries < 1000 && !stamp; ++tries) {
        ASSERT_TRUE(sender.send(receiver.local(), words("hello")));
        const auto arrival = wait_for(receiver);
        ASSERT_TRUE(arrival);
        stamp = arrival->stamp;
        if (!stamp) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_TRUE(stamp);
    EXPECT_LT(*stamp - before, seconds(60));
    EXPECT_GT(*stamp - before, -seconds(60));
}

INSTANTIATE_TEST_SUITE_P(Families, SocketOf, testing::Values("127.0.0.1", "::1"),
                         [](const auto& each) { return each.index == 0 ? "ipv4" : "ipv6"; });

// IPv6 has no route for multicast on the loopback; tests/cluster tries it between namespaces.
TEST(Socket, all_who_share_a_port_hear_a_multicast_from_its_senders_own_port) {
    const Address home = *parse_address("127.0.0.1");
    Address group = *parse_address("239.255.1.2");
    Socket first(any_address(Family::ipv4, 0), Socket::Use::shared);
    const Address shared = any_address(Family::ipv4, first.local().port);
    Socket second(shared, Socket::Use::shared), own(home, Socket::Use::alone);
    for (Socket* each : {&first, &second}) {
        EXPECT_TRUE(each->join(group, loopback_index()));
        EXPECT_TRUE(each->join(group, loopback_index()));  // once more does no harm
    }
    ASSERT_TRUE(own.send(group.with_port(shared.port), words("all"), {loopback_index(), home}));
    for (Socket* each : {&first, &second}) {
        const auto arrival = wait_for(*each);
        ASSERT_TRUE(arrival);
        EXPECT_EQ(arrival->from, own.local());
    }
}

TEST(Socket, who_joined_no_group_hears_no_multicast) {
    const Address home = *parse_address("127.0.0.1"), group = *parse_address("239.255.1.3");
    Socket deaf(any_address(Family::ipv4, 0), Socket::Use::shared), own(home, Socket::Use::alone);
    const Address shared = any_address(Family::ipv4, deaf.local().port);
    Socket hears(shared, Socket::Use::shared);
    EXPECT_TRUE(hears.join(group, loopback_index()));
    ASSERT_TRUE(own.send(group.with_port(shared.port), words("all"), {loopback_index(), home}));
    EXPECT_TRUE(wait_for(hears));
    EXPECT_FALSE(deaf.receive());
}

TEST(Socket, a_port_that_is_taken_is_refused_with_its_name) {
    Socket taken(*parse_address("127.0.0.1"), Socket::Use::alone);
    try {
        const Socket again(taken.local(), Socket::Use::alone);
        FAIL() << "two sockets have one port";
    } catch (const Failure& failure) {
        EXPECT_EQ(std::string(failure.what()),
                  "cannot bind " + text(taken.local()) + ": Address already in use");
    }
}

TEST(Socket, what_the_kernel_cannot_send_is_said) {
    Socket socket(*parse_address("127.0.0.1"), Socket::Use::alone);
    EXPECT_FALSE(socket.send(*parse_address("127.0.0.1:9"), Bytes(70'000)));
    EXPECT_FALSE(socket.send(*parse_address("127.0.0.1:9"), words("x"), {9'999, {}}));
}

TEST(Interfaces, the_loopback_is_a_path_only_where_there_is_no_other) {
    const Address four = *parse_address("10.0.0.1"), home = *parse_address("127.0.0.1");
    const std::vector<Interface> all{{"lo", 1, true, false, {home}, {}},
                                     {"eth0", 2, false, true, {four}, {}},
                                     {"tun0", 3, false, false, {four}, {}}};
    EXPECT_EQ(multicast_paths(all, Family::ipv4, false), std::vector{all[1]});
    EXPECT_EQ(multicast_paths(all, Family::ipv4, true), std::vector{all[0]});
    EXPECT_EQ(multicast_paths({all[0], all[2]}, Family::ipv4, false), std::vector{all[0]});
    EXPECT_TRUE(multicast_paths(all, Family::ipv6, false).empty());
}

TEST(Interfaces, a_broadcast_leaves_by_every_subnet_or_stays_on_the_loopback) {
    const Address home = *parse_address("127.0.0.1"), near = *parse_address("10.0.0.1");
    const Address all_near = *parse_address("10.0.0.255");
    const std::vector<Interface> all{{"lo", 1, true, false, {home}, {}},
                                     {"eth0", 2, false, true, {near}, all_near},
                                     {"tun0", 3, false, true, {near}, {}}};
    EXPECT_EQ(broadcast_paths(all, false), std::vector{all[1]});
    const auto here = broadcast_paths(all, true);
    ASSERT_EQ(here.size(), 1u);
    EXPECT_EQ(text(*here[0].broadcast), "127.255.255.255:0");
}

TEST(Interfaces, this_machine_has_a_loopback) { EXPECT_NE(loopback_index(), 0u); }

}  // namespace socket_test
}  // namespace conclave::net
