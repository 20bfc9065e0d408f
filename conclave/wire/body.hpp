// The body of a datagram: the tag of a message, then its fields, as the datagram's version has
// them.
//
// Whatever a newer program adds is no error: bytes behind the last field that is known are skipped,
// and a message whose tag is not known is dropped and counted.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "conclave/core/bytes.hpp"
#include "conclave/core/tags.hpp"
#include "conclave/core/types.hpp"
#include "conclave/wire/envelope.hpp"

namespace conclave::wire {

struct Body {
    std::uint8_t version;
    Input bytes;
};
inline Body body_of(const Envelope& envelope) { return {envelope.version, envelope.body}; }

// How many fields of a message a version has.
template <Plain Message>
constexpr std::size_t fields_in(std::uint8_t version) {
    constexpr auto& all = growth_of<Message>;
    if constexpr (all.empty()) {
        return field_count<Message>;
    } else {
        static_assert(all.back().fields == field_count<Message>, "growth_of leaves a field out");
        std::size_t count = 0;
        for (const Growth& growth : all)
            if (growth.version <= version) count = growth.fields;
        return count;
    }
}

// Fields alone, where the kind of the datagram says which message it is.
template <Plain Message>
void encode_fields(const Message& message, std::uint8_t version, ByteSink auto& out) {
    const std::size_t count = fields_in<Message>(version);
    std::size_t i = 0;
    std::apply([&](const auto&... field) { ((i++ < count ? encode(field, out) : void()), ...); },
               fields(message));
}
template <Plain Message>
[[nodiscard]] bool decode_fields(Message& message, Body body) {
    const std::size_t count = fields_in<Message>(body.version);
    std::size_t i = 0;
    return std::apply(
        [&](auto&... field) { return ((i++ >= count || decode(field, body.bytes)) && ...); },
        fields(message));
}

template <Plain Message>
void encode_body(const Message& message, std::uint8_t version, ByteSink auto& out) {
    static_assert(tag_of<Message> != 0, "give this message a tag: see core/tags.hpp");
    encode(tag_of<Message>, out);
    encode_fields(message, version, out);
}

// Each has a tag, and no two have the same.
template <class... Messages>
constexpr bool are_tagged(Types<Messages...>) {
    constexpr std::array<Tag, sizeof...(Messages)> tags{tag_of<Messages>...};
    for (std::size_t i = 0; i < tags.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            if (tags[i] == (j < i ? tags[j] : 0)) return false;
    return true;
}

// Calls hear(message) with the one of these that the body is. Else: why it is none of them.
template <class... Messages, class Hear>
[[nodiscard]] std::optional<Drop> read_body(Types<Messages...> known, Body body, const Hear& hear) {
    static_assert(are_tagged(known), "give each message a tag of its own: see core/tags.hpp");
    Tag tag = 0;
    if (!decode(tag, body.bytes)) return Drop::malformed;
    std::optional<Drop> drop = Drop::unknown;
    const auto offer = [&]<class Message>(Message message) {
        drop = decode_fields(message, body) ? std::nullopt : std::optional(Drop::malformed);
        if (!drop) hear(std::as_const(message));
    };
    ((tag == tag_of<Messages> ? offer(Messages{}) : void()), ...);
    return drop;
}

}  // namespace conclave::wire
