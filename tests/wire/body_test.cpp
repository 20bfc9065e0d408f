#include "conclave/wire/body.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/golden.hpp"
#include "tests/wire/bodies.hpp"

namespace conclave::wire {
namespace body_test {

std::string hex(const Bytes& bytes) {
    std::string text;
    for (const std::byte byte : bytes)
        for (const int shift : {4, 0})
            text += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> shift & 15];
    return text;
}

std::string bodies_of(std::uint8_t version) {
    std::string lines;
    for_each_body([&]<class Message>(const std::string& name) {
        Bytes bytes;
        encode_body(filled<Message>(), version, bytes);
        lines += name + " " + hex(bytes) + "\n";
    });
    Bytes greeting;
    encode_fields(filled<Greeting>(), version, greeting);
    return lines + "greeting " + hex(greeting) + "\n";
}

TEST(Body, the_bytes_of_every_message_of_every_version_are_these_for_ever) {
    for (std::uint8_t version = spoken.oldest; version <= spoken.newest; ++version)
        tests::expect_golden("wire", "version_" + std::to_string(version) + ".txt",
                             bodies_of(version));
}

TEST(Body, no_two_messages_have_one_tag) {
    std::map<Tag, std::string> taken;
    for_each_body([&]<class Message>(const std::string& name) {
        const auto [place, fresh] = taken.try_emplace(tag_of<Message>, name);
        EXPECT_TRUE(fresh) << name << " has the tag of " << place->second;
    });
    EXPECT_EQ(taken.count(0), 0u);
}

TEST(Body, lease_agents_and_each_algorithm_have_a_range_of_tags) {
    std::map<std::string, std::set<int>> ranges;
    for_each_body([&]<class Message>(const std::string& name) {
        const int tag = tag_of<Message>;
        ranges[name.substr(0, name.find(' '))].insert(tag < 256 ? tag / 64 : tag / 16);
    });
    EXPECT_EQ(ranges.at("lease"), std::set{0});
    EXPECT_EQ(ranges.at("agent"), std::set{1});
    std::set<int> of_algorithms;
    for (const auto& [family, each] : ranges) {
        EXPECT_EQ(each.size(), 1u) << family;
        of_algorithms.insert(*each.begin());
    }
    EXPECT_EQ(of_algorithms.size(), ranges.size());
}

// ---------------------------------------------------------------- programs of two versions

// As version 2 knew it, and as version 3 made it longer than sixteen fields.
struct Short {
    std::uint8_t a = 0;
    bool operator==(const Short&) const = default;
};
// clang-format off
struct Long {
    std::uint8_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0,
                 j = 0, k = 0, l = 0, m = 0, n = 0, o = 0, p = 0, q = 0, r = 0;
    static constexpr auto parts(auto& self) {
        return std::tie(self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h, self.i,
                        self.j, self.k, self.l, self.m, self.n, self.o, self.p, self.q, self.r);
    }
};
// clang-format on
struct Novelty {};

}  // namespace body_test
}  // namespace conclave::wire

template <>
inline constexpr conclave::Tag conclave::tag_of<conclave::wire::body_test::Short> = 7;
template <>
inline constexpr conclave::Tag conclave::tag_of<conclave::wire::body_test::Long> = 7;
template <>
inline constexpr auto conclave::growth_of<conclave::wire::body_test::Long> =
    std::array{conclave::Growth{2, 1}, conclave::Growth{3, 18}};
template <>
inline constexpr conclave::Tag conclave::tag_of<conclave::wire::body_test::Novelty> = 8;

namespace conclave::wire {
namespace body_test {

template <class Message>
Bytes said(const Message& message, std::uint8_t version) {
    Bytes bytes;
    encode_body(message, version, bytes);
    return bytes;
}
template <class Message>
std::variant<Message, Drop> heard(const Bytes& bytes, std::uint8_t version) {
    std::variant<Message, Drop> result;
    const auto drop = read_body(Types<Message>{}, {version, bytes},
                                [&](const Message& message) { result = message; });
    if (drop) result = *drop;
    return result;
}

TEST(Body, a_new_program_speaks_the_old_version_as_an_old_one_does) {
    const Long full = filled<Long>();
    EXPECT_EQ(said(full, 2), said(Short{full.a}, 2));
    EXPECT_EQ(said(full, 3).size(), 2u + 18u);
}

TEST(Body, a_new_program_hears_an_old_one_and_what_was_not_said_is_as_declared) {
    const auto read = std::get<Long>(heard<Long>(said(Short{5}, 2), 2));
    EXPECT_EQ(read.a, 5);
    EXPECT_EQ(read.r, 0);
}

TEST(Body, fields_that_are_not_known_are_skipped) {
    EXPECT_EQ(std::get<Short>(heard<Short>(said(filled<Long>(), 3), 3)), Short{1});
}

TEST(Body, more_than_sixteen_fields_are_read_as_written) {
    const Long full = filled<Long>();
    EXPECT_TRUE(std::get<Long>(heard<Long>(said(full, 3), 3)) == full);
    EXPECT_EQ(field_names<Long>.back(), "r");
}

TEST(Body, a_message_that_is_not_known_is_no_error_and_one_that_is_cut_is) {
    EXPECT_EQ(std::get<Drop>(heard<Short>(said(Novelty{}, 3), 3)), Drop::unknown);
    EXPECT_EQ(std::get<Drop>(heard<Long>(said(Short{}, 3), 3)), Drop::malformed);
    EXPECT_EQ(std::get<Drop>(heard<Short>(Bytes(1), 2)), Drop::malformed);
    EXPECT_EQ(std::get<Drop>(heard<Short>(Bytes{std::byte{7}, {}}, 2)), Drop::malformed);
}

}  // namespace body_test
}  // namespace conclave::wire
