#include "conclave/net/address.hpp"

#include <gtest/gtest.h>

namespace conclave::net {
namespace address_test {

std::string round_trip(std::string_view given, std::uint16_t port = 0) {
    const auto address = parse_address(given, port);
    return address ? text(*address) : "refused";
}

TEST(Address, reads_as_it_is_written) {
    EXPECT_EQ(round_trip("10.0.0.1:7676"), "10.0.0.1:7676");
    EXPECT_EQ(round_trip("[::1]:7676"), "[::1]:7676");
    EXPECT_EQ(round_trip("[fe80::1%lo]:1"), "[fe80::1%lo]:1");
}

TEST(Address, takes_the_port_that_it_is_given_where_it_names_none) {
    EXPECT_EQ(round_trip("10.0.0.1", 99), "10.0.0.1:99");
    EXPECT_EQ(round_trip("fe80::2", 99), "[fe80::2]:99");
    EXPECT_EQ(round_trip("[fe80::2]", 99), "[fe80::2]:99");
}

TEST(Address, refuses_what_is_none) {
    for (const char* wrong :
         {"", "localhost", "10.0.0", "10.0.0.1:", "10.0.0.1:0", "10.0.0.1:65536", "[::1", "[::1]:x",
          "::1%nowhere", "10.0.0.1:1:1", ":7676"})
        EXPECT_EQ(round_trip(wrong), "refused") << wrong;
}

TEST(Address, survives_the_kernels_form) {
    for (const char* given : {"10.0.0.1:7676", "[fe80::1%lo]:7676"}) {
        const Address address = *parse_address(given);
        EXPECT_EQ(from_raw(to_raw(address).get()), address);
    }
    EXPECT_EQ(from_raw(nullptr), std::nullopt);
}

TEST(Address, knows_its_kind) {
    EXPECT_TRUE(parse_address("127.3.2.1")->is_loopback());
    EXPECT_TRUE(parse_address("::1")->is_loopback());
    EXPECT_FALSE(parse_address("10.0.0.1")->is_loopback());
    EXPECT_FALSE(parse_address("fe80::1")->is_loopback());
    EXPECT_TRUE(parse_address("239.1.2.3")->is_multicast());
    EXPECT_TRUE(parse_address("ff02::1")->is_multicast());
    EXPECT_FALSE(parse_address("10.0.0.1")->is_multicast());
}

}  // namespace address_test
}  // namespace conclave::net
