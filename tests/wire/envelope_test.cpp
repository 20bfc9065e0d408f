#include "conclave/wire/envelope.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace conclave::wire {
namespace envelope_test {

Key key_of(std::uint8_t first) {
    Key::Secret secret{};
    for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::byte>(first + i);
    return Key(secret);
}
Keys keys_of(std::initializer_list<std::uint8_t> firsts) {
    Keys keys;
    for (const std::uint8_t first : firsts) keys.keys.push_back(key_of(first));
    return keys;
}
const Keys none{};

Envelope sample() {
    return {.version = 2,
            .newest = 2,
            .kind = Kind::agent,
            .group = 0x1122334455667788,
            .sender = 0x0102030405060708,
            .receiver = 0x2122232425262728,
            .session = 0x1112131415161718,
            .incarnation = 7,
            .sequence = 9,
            .body = {std::byte{0xaa}, std::byte{0xbb}}};
}

std::string hex(Input bytes) {
    std::string text;
    for (const std::byte byte : bytes)
        for (const int shift : {4, 0})
            text += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> shift & 15];
    return text;
}

std::optional<Drop> dropped(Input bytes, const Keys& keys = none,
                            std::uint64_t group = sample().group) {
    const auto opened = open(bytes, group, keys);
    const Drop* drop = std::get_if<Drop>(&opened);
    return drop == nullptr ? std::nullopt : std::optional(*drop);
}

TEST(Envelope, its_bytes_are_these_for_ever) {
    const std::string heading =
        "636e6376"          // "cncv"
        "02000202"          // version 2, not sealed, kind agent, version 2 is the newest
        "8877665544332211"  // group
        "0807060504030201"  // sender
        "2827262524232221"  // receiver
        "1817161514131211"  // session
        "07000000"          // incarnation
        "00000000"          // key hint
        "0900000000000000"  // sequence
        "aabb";
    EXPECT_EQ(hex(seal(sample(), none)), heading);
}

TEST(Envelope, its_sealed_bytes_are_these_for_ever) {
    EXPECT_EQ(hex(seal(sample(), keys_of({1}))),
              "636e6376020102028877665544332211"
              "08070605040302012827262524232221"
              "181716151413121107000000a3a89b95"
              "0900000000000000aabbe08c797c733a"
              "f8463a6577e7fb4f6fee");
}

TEST(Envelope, the_digest_of_a_group_is_this_for_ever) {
    EXPECT_EQ(digest_of("jobs"), 0xf7a1ad0c567a1765u);
}

TEST(Envelope, kinds_and_drops_have_names) {
    EXPECT_EQ(name_of(Kind::death_notice), "death_notice");
    EXPECT_EQ(static_cast<std::size_t>(Kind::death_notice) + 1, kind_count);
    EXPECT_EQ(name_of(Drop::other_key), "other_key");
    EXPECT_EQ(static_cast<std::size_t>(Drop::unknown) + 1, drop_count);
}

Envelope any_envelope() {
    Envelope envelope{.kind = static_cast<Kind>(*rc::gen::inRange(0, int{kind_count})),
                      .group = *rc::gen::arbitrary<std::uint64_t>(),
                      .sender = *rc::gen::arbitrary<std::uint64_t>(),
                      .receiver = *rc::gen::arbitrary<std::uint64_t>(),
                      .session = *rc::gen::arbitrary<std::uint64_t>(),
                      .incarnation = *rc::gen::arbitrary<std::uint32_t>(),
                      .sequence = *rc::gen::inRange<std::uint64_t>(0, Envelope::last)};
    if (envelope.kind == Kind::death_notice) envelope.sequence = Envelope::last;
    for (const auto byte : *rc::gen::arbitrary<std::vector<std::uint8_t>>())
        envelope.body.push_back(static_cast<std::byte>(byte));
    return envelope;
}

RC_GTEST_PROP(Envelope, what_was_sealed_is_opened, ()) {
    const Envelope envelope = any_envelope();
    for (const Keys& keys : {none, keys_of({1})}) {
        const auto opened = open(seal(envelope, keys), envelope.group, keys);
        RC_ASSERT(std::holds_alternative<Envelope>(opened));
        RC_ASSERT(std::get<Envelope>(opened) == envelope);
    }
}

RC_GTEST_PROP(Envelope, a_changed_bit_is_noticed, ()) {
    const Envelope envelope = any_envelope();
    const Keys keys = keys_of({1});
    Bytes bytes = seal(envelope, keys);
    const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
    bytes[at] ^= std::byte{1} << *rc::gen::inRange(0, 8);
    RC_ASSERT(dropped(bytes, keys, envelope.group).has_value());
}

RC_GTEST_PROP(Envelope, a_cut_or_lengthened_datagram_is_noticed, ()) {
    const Envelope envelope = any_envelope();
    const Keys keys = keys_of({1});
    Bytes bytes = seal(envelope, keys);
    bytes.resize(
        *rc::gen::distinctFrom(rc::gen::inRange<std::size_t>(0, 2 * bytes.size()), bytes.size()));
    RC_ASSERT(dropped(bytes, keys, envelope.group).has_value());
}

TEST(Envelope, every_drop_has_its_reason) {
    const Keys mine = keys_of({1});
    const Bytes plain = seal(sample(), none), sealed = seal(sample(), mine);
    const auto with = [](Bytes bytes, std::size_t at, int value) {
        bytes[at] = static_cast<std::byte>(value);
        return bytes;
    };
    EXPECT_EQ(dropped(Bytes{}), Drop::too_short);
    EXPECT_EQ(dropped(Input(plain).first(55)), Drop::too_short);
    EXPECT_EQ(dropped(Input(sealed).first(71), mine), Drop::too_short);
    Bytes endless = plain;
    endless.resize(Envelope::longest + 1);
    EXPECT_EQ(dropped(endless), Drop::too_long);
    EXPECT_EQ(dropped(with(plain, 0, 'x')), Drop::foreign);
    EXPECT_EQ(dropped(with(plain, 4, 0)), Drop::version);
    EXPECT_EQ(dropped(with(plain, 4, spoken.newest + 1)), Drop::version);
    EXPECT_EQ(dropped(with(plain, 5, 2)), Drop::malformed);
    EXPECT_EQ(dropped(with(plain, 6, kind_count)), Drop::malformed);
    EXPECT_EQ(dropped(with(plain, 7, 0)), Drop::malformed);
    EXPECT_EQ(dropped(with(plain, 44, 1)), Drop::malformed);
    EXPECT_EQ(dropped(plain, none, 5), Drop::group);
    EXPECT_EQ(dropped(plain, mine), Drop::unsealed);
    EXPECT_EQ(dropped(sealed), Drop::keyed);
    EXPECT_EQ(dropped(sealed, keys_of({2})), Drop::other_key);
    EXPECT_EQ(dropped(with(sealed, 56, 0xab), mine), Drop::forged);
}

TEST(Envelope, only_a_death_notice_is_the_last_of_its_session) {
    Envelope envelope = sample();
    envelope.sequence = Envelope::last;
    EXPECT_EQ(dropped(seal(envelope, none)), Drop::malformed);
    envelope.kind = Kind::death_notice;
    EXPECT_EQ(dropped(seal(envelope, none)), std::nullopt);
    envelope.sequence = 5;
    EXPECT_EQ(dropped(seal(envelope, none)), Drop::malformed);
}

TEST(Envelope, a_range_of_versions_is_opened_and_says_which) {
    Envelope envelope = sample();
    envelope.newest = 6;
    for (std::uint8_t version = 2; version <= 6; ++version) {
        envelope.version = version;
        const auto opened = open(seal(envelope, none), envelope.group, none, {3, 5});
        if (version < 3 || version > 5)
            EXPECT_EQ(std::get<Drop>(opened), Drop::version);
        else
            EXPECT_EQ(std::get<Envelope>(opened).version, version);
    }
}

TEST(Envelope, while_a_key_is_changed_both_open_and_the_first_seals) {
    const Keys former = keys_of({1}), both = keys_of({1, 2}), swapped = keys_of({2, 1}),
               latter = keys_of({2});
    const auto understands = [](const Keys& reader, const Keys& writer) {
        return !dropped(seal(sample(), writer), reader);
    };
    EXPECT_TRUE(understands(former, both) && understands(both, former));
    EXPECT_TRUE(understands(both, swapped) && understands(swapped, both));
    EXPECT_TRUE(understands(swapped, latter) && understands(latter, swapped));
    EXPECT_FALSE(understands(former, swapped));
    EXPECT_FALSE(understands(former, latter));
}

TEST(Envelope, the_longest_body_fits) {
    Envelope envelope = sample();
    envelope.body.assign(body_most, std::byte{1});
    EXPECT_EQ(dropped(seal(envelope, keys_of({1})), keys_of({1})), std::nullopt);
}

}  // namespace envelope_test
}  // namespace conclave::wire
