#include "conclave/timed/daemon/peer_table.hpp"

#include <gtest/gtest.h>

#include "conclave/timed/daemon/subnet.hpp"

namespace conclave::timed {
namespace company_test {

using namespace std::chrono_literals;

net::Address at(const char* text) { return *net::parse_address(text, 525); }

TEST(Company, a_name_is_the_same_id_everywhere) {
    EXPECT_EQ(id_of("bsd1"), id_of("bsd1"));
    EXPECT_NE(id_of("bsd1"), id_of("bsd2"));
    EXPECT_NE(id_of(""), nobody);
}

TEST(Company, a_name_belongs_to_its_first_address_while_that_is_alive) {
    Company company;
    company.set_silence(10s);
    EXPECT_NE(company.meet("a", at("10.0.0.1"), 0s).peer, nullptr);
    EXPECT_EQ(company.meet("a", at("10.0.0.2"), 9s).refusal, Company::Refusal::address);
    EXPECT_NE(company.meet("a", at("10.0.0.1"), 9s).peer, nullptr);
    EXPECT_EQ(company.meet("a", at("10.0.0.2"), 18s).refusal, Company::Refusal::address);
    EXPECT_NE(company.meet("a", at("10.0.0.2"), 30s).peer, nullptr);
}

TEST(Company, another_port_is_the_same_daemon) {
    Company company;
    company.meet("a", at("10.0.0.1:525"), 0s);
    EXPECT_NE(company.meet("a", at("10.0.0.1:1023"), 1s).peer, nullptr);
}

TEST(Company, a_flood_of_names_does_not_push_out_who_is_alive) {
    Company company;
    for (std::size_t i = 0; i < Company::most; ++i)
        ASSERT_NE(company.meet("n" + std::to_string(i), at("10.0.0.1"), 0s).peer, nullptr);
    EXPECT_EQ(company.meet("one more", at("10.0.0.1"), 1s).refusal, Company::Refusal::crowded);
    EXPECT_NE(company.meet("one more", at("10.0.0.1"), 1min).peer, nullptr);
    EXPECT_EQ(company.all().size(), Company::most);
}

TEST(Subnet, ends_where_the_broadcast_address_ends_if_no_interface_tells) {
    EXPECT_EQ(subnet_bits(at("203.0.113.7"), at("203.0.113.255")), 24);
    EXPECT_EQ(subnet_bits(at("203.0.1.7"), at("203.0.1.255")), 24);  // not 23
    EXPECT_EQ(subnet_bits(at("127.0.0.5"), at("127.255.255.255")), 8);
}

TEST(Subnet, addresses_share_their_first_bits) {
    EXPECT_TRUE(share_bits(at("10.0.0.1"), at("10.0.0.200"), 24));
    EXPECT_FALSE(share_bits(at("10.0.0.1"), at("10.0.1.1"), 24));
    EXPECT_TRUE(share_bits(at("10.0.0.1"), at("192.168.0.1"), 0));
    EXPECT_FALSE(share_bits(at("10.0.0.1"), at("10.0.0.2"), 32));
}

}  // namespace company_test
}  // namespace conclave::timed
