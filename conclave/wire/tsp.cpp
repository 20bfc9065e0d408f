#include "conclave/wire/tsp.hpp"

#include <algorithm>

#include "conclave/wire/big_endian.hpp"

namespace conclave::wire {

namespace {

constexpr std::size_t sequence_at = 2, seconds_at = 4, microseconds_at = 8, name_at = 12;

}  // namespace

bool carries_time(TspDatagram::Type type) {
    using enum TspDatagram::Type;
    return type == adjtime || type == settime || type == setdate || type == setdatereq;
}

Bytes write_datagram(const TspDatagram& datagram) {
    Bytes bytes(TspDatagram::length);
    bytes[0] = static_cast<std::byte>(datagram.type);
    bytes[1] = static_cast<std::byte>(datagram.version);
    put_number(bytes, sequence_at, 2, datagram.sequence);
    if (carries_time(datagram.type)) {  // -2.45 s is -3 s and 550000 us
        const auto whole = std::chrono::floor<std::chrono::seconds>(datagram.time);
        const auto rest = std::chrono::floor<std::chrono::microseconds>(datagram.time - whole);
        put_number(bytes, seconds_at, 4, static_cast<std::uint32_t>(whole.count()));
        put_number(bytes, microseconds_at, 4, static_cast<std::uint32_t>(rest.count()));
    }
    if (datagram.type == TspDatagram::Type::loop)
        bytes[seconds_at] = static_cast<std::byte>(datagram.hops);
    const std::size_t letters =
        std::min(datagram.name.size(), TspDatagram::length - name_at - 1);  // a zero ends it
    for (std::size_t i = 0; i < letters; ++i)
        bytes[name_at + i] = static_cast<std::byte>(datagram.name[i]);
    return bytes;
}

std::optional<TspDatagram> read_datagram(std::span<const std::byte> bytes) {
    if (bytes.size() < TspDatagram::shortest) return std::nullopt;
    bytes = bytes.first(std::min(bytes.size(), TspDatagram::length));
    TspDatagram datagram;
    datagram.type = static_cast<TspDatagram::Type>(bytes[0]);
    datagram.version = std::to_integer<std::uint8_t>(bytes[1]);
    const auto name = bytes.subspan(name_at);
    const auto end = std::find(name.begin(), name.end(), std::byte{0});
    if (datagram.type == TspDatagram::Type::any || datagram.type > TspDatagram::Type::loop ||
        datagram.version > TspDatagram::current_version || end == name.end())
        return std::nullopt;
    datagram.sequence = static_cast<std::uint16_t>(get_number(bytes, sequence_at, 2));
    if (carries_time(datagram.type)) {
        const auto seconds = static_cast<std::int32_t>(get_number(bytes, seconds_at, 4));
        const auto rest = static_cast<std::int32_t>(get_number(bytes, microseconds_at, 4));
        datagram.time = std::chrono::seconds(seconds) + std::chrono::microseconds(rest);
    }
    if (datagram.type == TspDatagram::Type::loop)
        datagram.hops = std::to_integer<std::uint8_t>(bytes[seconds_at]);
    for (auto letter = name.begin(); letter != end; ++letter)
        datagram.name += static_cast<char>(*letter);
    return datagram;
}

}  // namespace conclave::wire
