// The bytes are those of a running BSD timed and the kernel that answered it.
#include "conclave/timed/daemon/bsd_round.hpp"

#include <gtest/gtest.h>

namespace conclave::timed {
namespace bsd_round_test {

std::vector<std::byte> behind_ip(std::initializer_list<unsigned> icmp) {
    std::vector<std::byte> packet(20);
    packet[0] = std::byte{0x45};
    for (const unsigned byte : icmp) packet.push_back(static_cast<std::byte>(byte));
    return packet;
}

const auto captured = behind_ip({0x0e, 0,    0x98, 0xaf, 0x1b, 0x10, 0,    0,    0x04, 0x5e,
                                 0x65, 0xb7, 0x04, 0x5e, 0x65, 0xb7, 0x04, 0x5e, 0x65, 0xb7});

TEST(Icmp, a_captured_reply_is_read) {
    const auto reply = read_icmp_reply(captured, 0x1b10);
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->originate, 73'295'287u);  // 20:21:35.287
    EXPECT_EQ(reply->receive, 73'295'287u);
    EXPECT_EQ(reply->transmit, 73'295'287u);
    EXPECT_FALSE(read_icmp_reply(captured, 1)) << "another's";
    for (std::size_t size = 0; size < captured.size(); ++size)
        EXPECT_FALSE(read_icmp_reply(std::span(captured).first(size), 0x1b10)) << size;
}

TEST(Icmp, a_request_is_written_with_its_checksum) {
    const auto request = write_icmp_request(0x1b10, 0, 0x045e65b7);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < request.size(); i += 2)
        sum += std::to_integer<std::uint32_t>(request[i]) << 8 |
               std::to_integer<std::uint32_t>(request[i + 1]);
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    EXPECT_EQ(sum, 0xffffu);
    EXPECT_EQ(request[0], std::byte{13});
    EXPECT_EQ(request[8], std::byte{0x04});
    EXPECT_EQ(request[11], std::byte{0xb7});
}

TEST(Icmp, a_reading_is_both_ways) {
    const auto reading = reading_of({.originate = 1000, .receive = 1300, .transmit = 1301}, 1005);
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->there, 300);
    EXPECT_EQ(reading->back, -296);
}

TEST(Icmp, midnight_between_two_clocks_is_no_day) {
    const auto reading =
        reading_of({.originate = 86'399'990, .receive = 10, .transmit = 10}, 86'399'992);
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->there, 20);
    EXPECT_EQ(reading->back, -18);
}

TEST(Icmp, what_cannot_be_read_is_not) {
    EXPECT_FALSE(reading_of({.originate = 5, .receive = 1u << 31, .transmit = 5}, 6))
        << "not in milliseconds of the day";
    EXPECT_FALSE(reading_of({.originate = 86'399'999, .receive = 1, .transmit = 1}, 1))
        << "it was midnight here meanwhile";
}

}  // namespace bsd_round_test
}  // namespace conclave::timed
