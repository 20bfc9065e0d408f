// The bytes are those of a running BSD timed.
#include "conclave/wire/tsp.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

namespace conclave::wire {
namespace tsp_test {

using namespace std::chrono_literals;
using Type = TspDatagram::Type;

Bytes bytes_of(const char* hex, std::size_t size = TspDatagram::length) {
    Bytes bytes;
    std::istringstream stream(hex);
    for (unsigned byte = 0; stream >> std::hex >> byte;)
        bytes.push_back(static_cast<std::byte>(byte));
    bytes.resize(size);
    return bytes;
}

TEST(TspDatagram, is_written_as_bsd_writes_it) {
    EXPECT_EQ(write_datagram({.type = Type::masterack, .sequence = 0x1ab3, .name = "bsd1"}),
              bytes_of("04 01 1a b3 00 00 00 00 00 00 00 00 62 73 64 31"));
    EXPECT_EQ(write_datagram({.type = Type::loop, .sequence = 0xf2c5, .hops = 10, .name = "bsd1"}),
              bytes_of("18 01 f2 c5 0a 00 00 00 00 00 00 00 62 73 64 31"));
    EXPECT_EQ(
        write_datagram({.type = Type::adjtime, .sequence = 0xb18c, .time = -2450ms, .name = "n1"}),
        bytes_of("01 01 b1 8c ff ff ff fd 00 08 64 70 6e 31"));
}

TEST(TspDatagram, is_read_as_bsd_wrote_it) {
    const auto set = read_datagram(
        bytes_of("05 01 f2 c3 6a fa 14 4f 00 04 3b 89 62 73 64 31 00 00 00 00 00 00 00 00 e0 17"));
    EXPECT_EQ(set, (TspDatagram{.type = Type::settime,
                                .sequence = 0xf2c3,
                                .time = 1794774095s + 277385us,
                                .name = "bsd1"}));
}

// Everything that was captured of a running BSD timed, as it means it.
TEST(TspDatagram, is_read_from_every_captured_packet) {
    const auto read = [](const char* hex) { return read_datagram(bytes_of(hex)); };
    EXPECT_EQ(read("04 01 1a b3 00 00 00 00 00 00 00 00 62 73 64 31"),
              (TspDatagram{.type = Type::masterack, .sequence = 0x1ab3, .name = "bsd1"}));
    EXPECT_EQ(read("02 01 f2 c3 00 00 00 00 00 00 00 00 62 73 64 32"),
              (TspDatagram{.type = Type::ack, .sequence = 0xf2c3, .name = "bsd2"}));
    EXPECT_EQ(
        read("01 01 b1 8c ff ff ff fd 00 08 64 70 6e 31 00 00 80 ca bf 1f 9c 55 00 00"),
        (TspDatagram{.type = Type::adjtime, .sequence = 0xb18c, .time = -2450ms, .name = "n1"}));
    EXPECT_EQ(
        read("01 01 b1 8d 00 00 00 02 00 06 41 90 6e 31 00 00 80 ca bf 1f 9c 55 00 00"),
        (TspDatagram{.type = Type::adjtime, .sequence = 0xb18d, .time = 2410ms, .name = "n1"}));
    EXPECT_EQ(read("08 01 d7 2a 62 55 00 00 00 00 00 00 62 73 64 32 00 68 2a d7 62 55 00 00"),
              (TspDatagram{.type = Type::election, .sequence = 0xd72a, .name = "bsd2"}));
    EXPECT_EQ(read("0a 01 8f 8b ee 55 00 00 00 00 00 00 62 73 64 34 00 a8 23 95 ee 55 00 00"),
              (TspDatagram{.type = Type::refuse, .sequence = 0x8f8b, .name = "bsd4"}));
    EXPECT_EQ(read("0d 01 f2 cd 0a 00 00 00 00 00 00 00 62 73 64 31"),
              (TspDatagram{.type = Type::quit, .sequence = 0xf2cd, .name = "bsd1"}));
    EXPECT_EQ(read("18 01 f2 c5 0a 00 00 00 00 00 00 00 62 73 64 31 00 00 00 00 00 00 00 00 00 dd"),
              (TspDatagram{.type = Type::loop, .sequence = 0xf2c5, .hops = 10, .name = "bsd1"}));
    EXPECT_EQ(read("17 01 1a b6 6a fa 14 6e 00 00 00 22 62 73 64 32"),
              (TspDatagram{.type = Type::setdatereq,
                           .sequence = 0x1ab6,
                           .time = 1794774126s + 34us,
                           .name = "bsd2"}));
    EXPECT_EQ(read("10 01 1a b6 00 00 00 00 00 00 00 00 62 73 64 31"),
              (TspDatagram{.type = Type::dateack, .sequence = 0x1ab6, .name = "bsd1"}));
}

TEST(TspDatagram, what_its_type_does_not_use_is_ignored_and_never_sent) {
    const auto request = read_datagram(
        bytes_of("03 01 f2 c2 bd 55 00 00 00 00 00 00 62 73 64 31 00 00 00 00 00 00 00 00 bd d9"));
    EXPECT_EQ(request, (TspDatagram{.type = Type::masterreq, .sequence = 0xf2c2, .name = "bsd1"}));
    EXPECT_EQ(write_datagram({.type = Type::masterreq, .time = 5s, .hops = 3}), bytes_of("03 01"));
}

TEST(TspDatagram, is_accepted_from_44_bytes_up) {
    const char* request = "03 01 00 01 00 00 00 00 00 00 00 00 61";
    EXPECT_FALSE(read_datagram(bytes_of(request, 43)));
    for (const std::size_t size : {44u, 76u, 268u, 280u, 1000u})
        EXPECT_EQ(read_datagram(bytes_of(request, size)).value_or(TspDatagram{}).name, "a");
}

TEST(TspDatagram, is_refused_if_its_version_type_or_name_cannot_be) {
    EXPECT_TRUE(read_datagram(bytes_of("03 00")));
    EXPECT_FALSE(read_datagram(bytes_of("03 02")));
    EXPECT_FALSE(read_datagram(bytes_of("00 01")));
    EXPECT_FALSE(read_datagram(bytes_of("19 01")));
    Bytes endless(TspDatagram::length, std::byte{'a'});
    endless[0] = std::byte{3};
    endless[1] = std::byte{1};
    EXPECT_FALSE(read_datagram(endless));
}

TEST(TspDatagram, a_long_name_is_cut_and_still_ends) {
    const auto read =
        read_datagram(write_datagram({.type = Type::slaveup, .name = std::string(300, 'x')}));
    EXPECT_EQ(read.value_or(TspDatagram{}).name, std::string(255, 'x'));
}

RC_GTEST_PROP(TspDatagram, survives_the_way, ()) {
    TspDatagram sent;
    sent.type = static_cast<Type>(*rc::gen::inRange(1, 25));
    sent.sequence = *rc::gen::arbitrary<std::uint16_t>();
    if (carries_time(sent.type))
        sent.time = std::chrono::microseconds(
            *rc::gen::inRange<std::int64_t>(-2'000'000'000'000'000, 2'000'000'000'000'000));
    sent.name = std::string(*rc::gen::inRange<std::size_t>(0, 256), 'n');
    RC_ASSERT(read_datagram(write_datagram(sent)) == sent);
}

}  // namespace tsp_test
}  // namespace conclave::wire
