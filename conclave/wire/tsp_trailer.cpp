#include "conclave/wire/tsp_trailer.hpp"

#include "conclave/core/check.hpp"

namespace conclave::wire {

namespace {

constexpr std::array<std::uint8_t, 4> trailer_magic{'t', 's', 'p', 'c'};
constexpr std::size_t tag_at = TspTrailer::length - Key::tag_size;
constexpr std::uint8_t bsd_sign = 1, deputy_sign = 2, eligible_sign = 4;

// As it stands on the wire, field by field.
struct TrailerHeading {
    std::array<std::uint8_t, 4> magic;
    std::uint8_t version;
    bool sealed;
    std::uint8_t signs, zero;
    std::uint64_t session, sequence;
    std::uint32_t incarnation, hint;
    std::uint64_t term;
    std::uint32_t master, clocks;
};
static_assert(fixed_size<TrailerHeading>);

// Within these, no sum or difference of times that the daemon forms can overflow.
constexpr Time year_2100 = std::chrono::seconds(4'102'444'800);
constexpr Duration furthest = std::chrono::seconds(2'200'000'000);
constexpr Duration vaguest = std::chrono::hours(24 * 365);

bool is_stamp(Time time) { return time >= Time{0} && time < year_2100; }
bool is_offset(Duration offset) { return offset >= -furthest && offset <= furthest; }
bool is_error(Duration error) { return error >= Duration{0} && error <= vaguest; }
bool is_rate(clock::Rate rate) {
    return rate >= -(2 * clock::rate_limit) && rate <= 2 * clock::rate_limit;
}

bool makes_sense(const TspTrailer::Words&) { return true; }
bool makes_sense(const Greeting&) { return true; }
bool makes_sense(const TspTrailer::Reigns&) { return true; }
bool makes_sense(const TspTrailer::Change& change) { return is_offset(change.by); }
bool makes_sense(const TspTrailer::Probe& probe) {
    const clock::Correction& c = probe.correction;
    return is_stamp(c.line.at) && is_offset(c.line.offset) && is_rate(c.line.rate) &&
           is_error(c.error) && is_error(c.path) && c.rate_error >= clock::Rate{} &&
           is_rate(c.rate_error) && c.rate_bound >= clock::Rate{} && is_rate(c.rate_bound);
}
bool makes_sense(const TspTrailer::Answer& answer) {
    const clock::Report& r = answer.report;
    return is_stamp(answer.received) && is_stamp(answer.answered) &&
           is_stamp(answer.earlier_answered) && answer.received <= answer.answered &&
           answer.answered - answer.received < std::chrono::minutes(1) && is_offset(r.shown) &&
           is_offset(r.network) && is_error(r.bound) && is_rate(r.rate) && is_offset(r.opinion);
}

std::uint8_t signs_of(const TspTrailer& trailer) {
    return static_cast<std::uint8_t>((trailer.bsd_mode ? bsd_sign : 0) |
                                     (trailer.deputy ? deputy_sign : 0) |
                                     (trailer.eligible ? eligible_sign : 0));
}

bool all_zero(Input bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

Bytes write_own(const TspDatagram& datagram, const TspTrailer& trailer, const Keys& keys) {
    const Key* key = keys.empty() ? nullptr : &keys.keys.front();
    Bytes bytes = write_datagram(datagram);
    bytes.reserve(own_length);
    encode(
        TrailerHeading{trailer_magic, TspTrailer::current_version, key != nullptr,
                       signs_of(trailer), 0, trailer.session, trailer.sequence, trailer.incarnation,
                       key != nullptr ? key->hint() : 0, trailer.term.number,
                       static_cast<std::uint32_t>(trailer.term.master), trailer.clocks},
        bytes);
    encode(trailer.body, bytes);
    check(bytes.size() <= TspDatagram::length + tag_at, "a trailer has room for every body");
    bytes.resize(TspDatagram::length + tag_at);
    if (key != nullptr) {
        const Key::Tag tag = key->tag(bytes);
        bytes.insert(bytes.end(), tag.begin(), tag.end());
    }
    bytes.resize(own_length);
    return bytes;
}

std::variant<TspTrailer, NoTrailer, Drop> read_trailer(Input bytes, const Keys& keys) {
    if (bytes.size() < TspDatagram::length + trailer_magic.size()) return NoTrailer{};
    Input rest = bytes.subspan(TspDatagram::length);
    for (std::size_t i = 0; i < trailer_magic.size(); ++i)
        if (std::to_integer<std::uint8_t>(rest[i]) != trailer_magic[i]) return NoTrailer{};
    if (rest.size() > trailer_magic.size() &&
        std::to_integer<std::uint8_t>(rest[trailer_magic.size()]) != TspTrailer::current_version)
        return Drop::version;
    if (bytes.size() != own_length) return Drop::malformed;
    rest = rest.first(tag_at);
    TrailerHeading heading{};
    if (!decode(heading, rest) || heading.zero != 0 ||
        heading.signs > (bsd_sign | deputy_sign | eligible_sign))
        return Drop::malformed;
    const auto found = find_key(keys, heading.sealed, heading.hint);
    if (const Drop* drop = std::get_if<Drop>(&found)) return *drop;
    const Input tag = bytes.last(Key::tag_size);
    if (const Key* key = std::get<const Key*>(found)) {
        if (!key->sealed(bytes.first(bytes.size() - Key::tag_size), tag)) return Drop::forged;
    } else if (!all_zero(tag)) {
        return Drop::malformed;
    }
    TspTrailer trailer{.bsd_mode = (heading.signs & bsd_sign) != 0,
                       .deputy = (heading.signs & deputy_sign) != 0,
                       .eligible = (heading.signs & eligible_sign) != 0,
                       .session = heading.session,
                       .sequence = heading.sequence,
                       .incarnation = heading.incarnation,
                       .term = {heading.term, Id{heading.master}},
                       .clocks = heading.clocks};
    if (!decode(trailer.body, rest) || !all_zero(rest) ||
        !std::visit([](const auto& body) { return makes_sense(body); }, trailer.body))
        return Drop::malformed;
    return trailer;
}

std::optional<std::uint64_t> find_sequence(Input frame, std::uint64_t session) {
    if (frame.size() < TspTrailer::length) return std::nullopt;
    Input rest = frame.last(TspTrailer::length);
    TrailerHeading heading{};
    if (!decode(heading, rest) || heading.magic != trailer_magic || heading.session != session)
        return std::nullopt;
    return heading.sequence;
}

}  // namespace conclave::wire
