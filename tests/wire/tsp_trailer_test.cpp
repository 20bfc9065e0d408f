#include "conclave/wire/tsp_trailer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace conclave::wire {
namespace tsp_trailer_test {

using namespace std::chrono_literals;
using Type = TspDatagram::Type;

Key key_of(std::uint8_t seed) {
    Key::Secret secret{};
    secret.fill(std::byte{seed});
    return Key(secret);
}
const Keys none{}, one{{key_of(1)}}, two{{key_of(2)}};

const TspDatagram datagram{.type = Type::adjtime, .sequence = 7, .name = "n1"};

TspTrailer probe_trailer() {
    clock::Correction correction{.term = {3, Id{9}},
                                 .line = {1'794'774'095s, -50ms, clock::ppm(20)},
                                 .error = 100ns,
                                 .rate_error = clock::ppb(5),
                                 .clocks = 5,
                                 .path = 50us,
                                 .epoch = 2,
                                 .date_changes = 3,
                                 .rate_bound = clock::ppb(7)};
    return {.deputy = true,
            .session = 0x1122334455667788,
            .sequence = 42,
            .incarnation = 6,
            .term = {3, Id{9}},
            .clocks = 5,
            .body = TspTrailer::Probe{17, true, false, correction}};
}

std::string hex_of(Input bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : bytes) {
        const auto value = std::to_integer<std::size_t>(byte);
        text += {digits[value >> 4], digits[value & 15]};
    }
    return text;
}

TEST(TspTrailer, is_written_as_its_heading_says) {
    const Bytes bytes = write_own(datagram, probe_trailer(), none);
    ASSERT_EQ(bytes.size(), own_length);
    EXPECT_EQ(hex_of(Input(bytes).first(16)), "0101000700000000000000006e310000");
    EXPECT_EQ(hex_of(Input(bytes).subspan(268, 49)),
              "74737063"                  // "tspc"
              "03000600"                  // version, not sealed, deputy and eligible
              "8877665544332211"          // session
              "2a00000000000000"          // sequence
              "0600000000000000"          // incarnation, no key
              "030000000000000009000000"  // term
              "05000000"                  // clocks
              "01");                      // a probe
    EXPECT_EQ(hex_of(Input(bytes).subspan(268 + 49, 84)),
              "110000000100"              // its number, it corrects, it does not doubt
              "030000000000000009000000"  // under this term
              "00568cc08751e818"          // at this time
              "800f05fdffffffff"
              "002d310100000000"  // 50 ms less, growing by 20 ppm
              "6400000000000000"
              "8813000000000000"    // wrong by 100 ns and 5 ppb
              "05000000"            // by five clocks
              "50c3000000000000"    // 50 us of the path in doubt
              "02"                  // in the second epoch of the slave's clock
              "03000000"            // the date was set three times
              "00"                  // not established
              "581b000000000000");  // up to 7 ppb of the rate
    const Input rest = Input(bytes).subspan(268 + 49 + 84);
    EXPECT_TRUE(
        std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{}; }));
}

TEST(TspTrailer, is_read_as_it_was_written) {
    for (const Keys& keys : {none, one}) {
        const auto read = read_trailer(write_own(datagram, probe_trailer(), keys), keys);
        const auto* trailer = std::get_if<TspTrailer>(&read);
        ASSERT_NE(trailer, nullptr);
        EXPECT_TRUE(trailer->deputy);
        EXPECT_TRUE(trailer->eligible);
        EXPECT_FALSE(trailer->bsd_mode);
        EXPECT_EQ(trailer->sequence, 42u);
        EXPECT_EQ(trailer->term, (clock::Term{3, Id{9}}));
        const auto& probe = std::get<TspTrailer::Probe>(trailer->body);
        EXPECT_EQ(probe.number, 17u);
        EXPECT_EQ(probe.correction.line.offset, -50ms);
        EXPECT_EQ(probe.correction.clocks, 5u);
    }
}

TEST(TspTrailer, leaves_the_datagram_to_bsd_timed) {
    const Bytes bytes = write_own(datagram, probe_trailer(), one);
    EXPECT_EQ(read_datagram(bytes), datagram);
    EXPECT_EQ(Bytes(bytes.begin(), bytes.begin() + 268), write_datagram(datagram));
}

TEST(TspTrailer, is_missing_where_another_daemon_wrote) {
    Bytes bytes = write_datagram(datagram);
    EXPECT_TRUE(std::holds_alternative<NoTrailer>(read_trailer(bytes, one)));
    bytes.resize(1000);
    EXPECT_TRUE(std::holds_alternative<NoTrailer>(read_trailer(bytes, one)));
    bytes.resize(44);
    EXPECT_TRUE(std::holds_alternative<NoTrailer>(read_trailer(bytes, one)));
}

Drop drop_of(Input bytes, const Keys& keys) {
    const auto read = read_trailer(bytes, keys);
    return std::holds_alternative<Drop>(read) ? std::get<Drop>(read) : Drop::self;
}

TEST(TspTrailer, is_opened_by_the_right_key_only) {
    const Bytes sealed = write_own(datagram, probe_trailer(), one);
    EXPECT_EQ(drop_of(sealed, two), Drop::other_key);
    EXPECT_EQ(drop_of(sealed, none), Drop::keyed);
    EXPECT_EQ(drop_of(write_own(datagram, probe_trailer(), none), one), Drop::unsealed);
}

TEST(TspTrailer, no_byte_of_a_sealed_datagram_can_be_changed) {
    const Bytes sealed = write_own(datagram, probe_trailer(), one);
    for (std::size_t i = 0; i < sealed.size(); ++i) {
        Bytes changed = sealed;
        changed[i] ^= std::byte{1};
        EXPECT_FALSE(std::holds_alternative<TspTrailer>(read_trailer(changed, one))) << i;
    }
}

TEST(TspTrailer, a_length_or_version_that_nobody_writes_is_refused) {
    Bytes bytes = write_own(datagram, probe_trailer(), none);
    Bytes longer = bytes, later = bytes;
    longer.push_back(std::byte{0});
    EXPECT_EQ(drop_of(longer, none), Drop::malformed);
    later[272] = std::byte{TspTrailer::current_version + 1};
    EXPECT_EQ(drop_of(later, none), Drop::version);
    bytes.pop_back();
    EXPECT_EQ(drop_of(bytes, none), Drop::malformed);
}

// What would overflow or loop in the arithmetic of clocks does not come in.
TEST(TspTrailer, times_that_cannot_be_are_refused) {
    const auto with = [](auto change) {
        TspTrailer trailer = probe_trailer();
        change(std::get<TspTrailer::Probe>(trailer.body).correction);
        return drop_of(write_own(datagram, trailer, none), none);
    };
    using C = clock::Correction;
    EXPECT_EQ(with([](C&) {}), Drop::self);
    EXPECT_EQ(with([](C& c) { c.line.at = Time::max(); }), Drop::malformed);
    EXPECT_EQ(with([](C& c) { c.line.at = Time{-1}; }), Drop::malformed);
    EXPECT_EQ(with([](C& c) { c.line.offset = Duration::min(); }), Drop::malformed);
    EXPECT_EQ(with([](C& c) { c.line.rate = clock::ppm(20'000); }), Drop::malformed);
    EXPECT_EQ(with([](C& c) { c.error = Duration{-1}; }), Drop::malformed);
    EXPECT_EQ(with([](C& c) { c.rate_bound = clock::ppb(-1); }), Drop::malformed);
    TspTrailer change = probe_trailer(), answer = probe_trailer();
    change.body = TspTrailer::Change{Duration::max()};
    EXPECT_EQ(drop_of(write_own(datagram, change, none), none), Drop::malformed);
    answer.body = TspTrailer::Answer{.number = 1, .received = 2s, .answered = 1s};
    EXPECT_EQ(drop_of(write_own(datagram, answer, none), none), Drop::malformed);
}

TEST(TspTrailer, a_sent_datagram_is_recognised_behind_its_frame) {
    Bytes frame(42);
    const Bytes bytes = write_own(datagram, probe_trailer(), one);
    frame.insert(frame.end(), bytes.begin(), bytes.end());
    EXPECT_EQ(find_sequence(frame, 0x1122334455667788), 42u);
    EXPECT_EQ(find_sequence(frame, 1), std::nullopt);
    EXPECT_EQ(find_sequence(Input(frame).first(100), 0x1122334455667788), std::nullopt);
}

RC_GTEST_PROP(TspTrailer, survives_the_way, ()) {
    TspTrailer sent = probe_trailer();
    sent.sequence = *rc::gen::arbitrary<std::uint64_t>();
    const Time received{*rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000'000'000)};
    TspTrailer::Answer answer{.number = *rc::gen::arbitrary<std::uint32_t>(),
                              .received = received,
                              .answered = received + 30us,
                              .earlier = 5,
                              .earlier_answered = 3s};
    answer.report.shown =
        Duration{*rc::gen::inRange<std::int64_t>(-2'000'000'000'000'000'000, 2'000'000'000'000)};
    answer.report.clocks = *rc::gen::arbitrary<std::uint32_t>();
    sent.body = answer;
    const auto read = read_trailer(write_own(datagram, sent, one), one);
    RC_ASSERT(std::holds_alternative<TspTrailer>(read));
    const auto& back = std::get<TspTrailer::Answer>(std::get<TspTrailer>(read).body);
    RC_ASSERT(std::get<TspTrailer>(read).sequence == sent.sequence);
    RC_ASSERT(back.received == answer.received);
    RC_ASSERT(back.report.shown == answer.report.shown);
    RC_ASSERT(back.report.clocks == answer.report.clocks);
}

}  // namespace tsp_trailer_test
}  // namespace conclave::wire
