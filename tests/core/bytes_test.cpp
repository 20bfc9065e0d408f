#include "conclave/core/bytes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/core/samples.hpp"

namespace conclave {
namespace bytes_test {

template <class T>
Bytes bytes_of(const T& value) {
    Bytes out;
    encode(value, out);
    return out;
}

Bytes make_bytes(std::initializer_list<int> values) {
    Bytes out;
    for (const int value : values) out.push_back(static_cast<std::byte>(value));
    return out;
}

template <class T>
void expect_round_trip(const T& value) {
    const Bytes bytes = bytes_of(value);
    EXPECT_EQ(bytes.size(), encoded_size(value));
    const auto back = decode_all<T>(bytes);
    ASSERT_TRUE(back.has_value());
    EXPECT_TRUE(*back == value);
}

TEST(WireBytes, are_little_endian_without_padding) {
    EXPECT_EQ(bytes_of(std::uint32_t{0x01020304}), make_bytes({4, 3, 2, 1}));
    EXPECT_EQ(bytes_of(Point{1, -1}), make_bytes({1, 0, 0, 0, 255, 255, 255, 255}));
    EXPECT_EQ(bytes_of(Named{Id{9}, true, Duration{258}, Colour::blue}),
              make_bytes({9, 0, 0, 0, 1, 2, 1, 0, 0, 0, 0, 0, 0, 2}));
}

TEST(WireBytes, put_a_length_before_lists_and_letters_but_not_before_arrays) {
    EXPECT_EQ(bytes_of(std::vector<std::uint8_t>{7, 8}), make_bytes({2, 0, 0, 0, 7, 8}));
    EXPECT_EQ(bytes_of(std::string("hi")), make_bytes({2, 0, 0, 0, 'h', 'i'}));
    EXPECT_EQ(bytes_of(std::array<std::uint8_t, 2>{7, 8}), make_bytes({7, 8}));
}

TEST(WireBytes, put_the_place_in_the_list_before_one_of_several) {
    EXPECT_EQ(bytes_of(Choice{Empty{}}), make_bytes({0}));
    EXPECT_EQ(bytes_of(Choice{Point{2, 0}}), make_bytes({1, 2, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(WireBytes, give_back_every_kind_of_value) {
    expect_round_trip(full_sample());
    expect_round_trip(Everything{});
    expect_round_trip(Empty{});
    expect_round_trip(Sixteen{});
    expect_round_trip(never);
    expect_round_trip(Duration{-1});
    expect_round_trip(everyone);
    expect_round_trip(std::numeric_limits<std::int64_t>::min());
    expect_round_trip(std::array<std::string, 2>{"", std::string("\0x", 2)});
    expect_round_trip(Choice{Named{Id{1}, false, Duration{-5}, Colour::dark_green}});
}

TEST(Decoding, refuses_every_truncation) {
    const Bytes bytes = bytes_of(full_sample());
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_all<Everything>(Input(bytes).first(size)).has_value()) << size;
}

TEST(Decoding, refuses_a_byte_too_many) {
    Bytes bytes = bytes_of(full_sample());
    bytes.push_back(std::byte{0});
    EXPECT_FALSE(decode_all<Everything>(bytes).has_value());
    EXPECT_FALSE(decode_all<Empty>(make_bytes({0})).has_value());
}

TEST(Decoding, refuses_a_length_beyond_the_input_before_allocating_for_it) {
    const Bytes huge = make_bytes({255, 255, 255, 255, 1, 2});
    EXPECT_FALSE(decode_all<std::vector<std::uint8_t>>(huge).has_value());
    EXPECT_FALSE(decode_all<std::string>(huge).has_value());
    EXPECT_FALSE(decode_all<std::vector<Point>>(make_bytes({2, 0, 0, 0, 1, 2})).has_value());
}

TEST(Decoding, refuses_an_unknown_place_in_the_list) {
    EXPECT_FALSE(decode_all<Choice>(make_bytes({3})).has_value());
    EXPECT_FALSE(decode_all<Choice>(make_bytes({255})).has_value());
    EXPECT_FALSE(decode_all<Choice>({}).has_value());
}

TEST(Decoding, knows_one_spelling_of_yes_and_no) {
    EXPECT_EQ(decode_all<bool>(make_bytes({0})), false);
    EXPECT_EQ(decode_all<bool>(make_bytes({1})), true);
    EXPECT_FALSE(decode_all<bool>(make_bytes({2})).has_value());
}

TEST(Decoding, consumes_only_what_it_understands) {
    const Bytes bytes = make_bytes({1, 0, 2, 0});
    Input in = bytes;
    std::uint16_t first = 0, second = 0;
    ASSERT_TRUE(decode(first, in));
    EXPECT_EQ(in.size(), 2u);
    ASSERT_TRUE(decode(second, in));
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 2);
    EXPECT_TRUE(in.empty());
}

RC_GTEST_PROP(WireBytes, give_back_lists_of_words,
              (std::vector<std::string> words, std::vector<std::int16_t> numbers)) {
    const auto both = std::make_tuple(bytes_of(words), bytes_of(numbers));
    RC_ASSERT(decode_all<std::vector<std::string>>(std::get<0>(both)) == words);
    RC_ASSERT(decode_all<std::vector<std::int16_t>>(std::get<1>(both)) == numbers);
}

// What decodes has one spelling only, so nobody can write the same message in two ways.
RC_GTEST_PROP(Decoding, of_any_bytes_gives_nothing_or_the_same_bytes_again,
              (std::vector<std::uint8_t> noise)) {
    Bytes bytes;
    for (const std::uint8_t value : noise) bytes.push_back(std::byte{value});
    if (!bytes.empty()) bytes[0] = std::byte(std::to_integer<unsigned>(bytes[0]) % 4);
    if (const auto choice = decode_all<Choice>(bytes)) RC_ASSERT(bytes_of(*choice) == bytes);
}

}  // namespace bytes_test
}  // namespace conclave
