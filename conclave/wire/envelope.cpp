#include "conclave/wire/envelope.hpp"

#include <algorithm>

#include "conclave/core/check.hpp"

namespace conclave::wire {

namespace {

constexpr std::array<std::uint8_t, 4> magic{'c', 'n', 'c', 'v'};

// As it stands on the wire, field by field.
struct Heading {
    std::array<std::uint8_t, 4> magic;
    std::uint8_t version;
    bool sealed;
    std::uint8_t kind, newest;
    std::uint64_t group, sender, receiver, session;
    std::uint32_t incarnation, hint;
    std::uint64_t sequence;
};
static_assert(fixed_size<Heading>);

// Fields on which every version agrees.
struct Front {
    std::array<std::uint8_t, 4> magic;
    std::uint8_t version;
};

bool says_last(const Heading& heading) {
    return heading.kind == static_cast<std::uint8_t>(Kind::death_notice);
}

}  // namespace

std::variant<const Key*, Drop> find_key(const Keys& keys, bool sealed, std::uint32_t hint) {
    if (!sealed) {
        if (hint != 0) return Drop::malformed;
        if (!keys.empty()) return Drop::unsealed;
        return nullptr;
    }
    if (keys.empty()) return Drop::keyed;
    const Key* key = keys.find(hint);
    if (key == nullptr) return Drop::other_key;
    return key;
}

Bytes seal(const Envelope& envelope, const Keys& keys) {
    check(envelope.body.size() <= body_most, "a body fits into a datagram");
    const Key* key = keys.empty() ? nullptr : &keys.keys.front();
    Bytes bytes;
    bytes.reserve(Envelope::heading + envelope.body.size() + Key::tag_size);
    encode(Heading{magic, envelope.version, key != nullptr,
                   static_cast<std::uint8_t>(envelope.kind), envelope.newest, envelope.group,
                   envelope.sender, envelope.receiver, envelope.session, envelope.incarnation,
                   key != nullptr ? key->hint() : 0, envelope.sequence},
           bytes);
    check(bytes.size() == Envelope::heading, "a heading has one length");
    bytes.insert(bytes.end(), envelope.body.begin(), envelope.body.end());
    if (key != nullptr) {
        const Key::Tag tag = key->tag(bytes);
        bytes.insert(bytes.end(), tag.begin(), tag.end());
    }
    return bytes;
}

std::variant<Envelope, Drop> open(Input datagram, std::uint64_t group, const Keys& keys,
                                  Versions versions) {
    Input rest = datagram;
    Front front{};
    if (!decode(front, rest)) return Drop::too_short;
    if (front.magic != magic) return Drop::foreign;
    if (front.version < versions.oldest || front.version > versions.newest) return Drop::version;
    if (datagram.size() > Envelope::longest) return Drop::too_long;
    rest = datagram;
    if (rest.size() < Envelope::heading) return Drop::too_short;
    Heading heading{};
    if (!decode(heading, rest) || heading.newest < heading.version || heading.kind >= kind_count ||
        says_last(heading) != (heading.sequence == Envelope::last))
        return Drop::malformed;
    if (heading.group != group) return Drop::group;
    const auto found = find_key(keys, heading.sealed, heading.hint);
    if (const Drop* drop = std::get_if<Drop>(&found)) return *drop;
    if (const Key* key = std::get<const Key*>(found)) {
        if (rest.size() < Key::tag_size) return Drop::too_short;
        const Input tag = datagram.last(Key::tag_size);
        if (!key->sealed(datagram.first(datagram.size() - Key::tag_size), tag)) return Drop::forged;
        rest = rest.first(rest.size() - Key::tag_size);
    }
    return Envelope{.version = heading.version,
                    .newest = heading.newest,
                    .kind = static_cast<Kind>(heading.kind),
                    .group = heading.group,
                    .sender = heading.sender,
                    .receiver = heading.receiver,
                    .session = heading.session,
                    .incarnation = heading.incarnation,
                    .sequence = heading.sequence,
                    .body = Bytes(rest.begin(), rest.end())};
}

}  // namespace conclave::wire
