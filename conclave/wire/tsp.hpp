// The datagram of the Time Synchronization Protocol (Gusella & Zatti 1985, as BSD timed sends it).
//
// All messages have one layout of 268 bytes: type at 0, version at 1, sequence number at 2, time at
// 4 (seconds) and 8 (microseconds), the sender's name from 12 on; numbers big-endian. Written by
// offset, because a struct with a 64-bit timeval has moved the fields before. What a type does not
// use is zero when sent and ignored when received: others send what their stack held.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "conclave/core/bytes.hpp"
#include "conclave/core/time.hpp"

namespace conclave::wire {

struct TspDatagram {
    enum class Type : std::uint8_t {
        any,  // never sent
        adjtime,
        ack,
        masterreq,
        masterack,
        settime,
        masterup,
        slaveup,
        election,
        accept,
        refuse,
        conflict,
        resolve,
        quit,
        date,
        datereq,
        dateack,
        traceon,
        traceoff,
        msite,
        msitereq,
        test,
        setdate,
        setdatereq,
        loop
    };
    static constexpr std::uint8_t current_version = 1;
    static constexpr std::size_t length = 268, shortest = 44;

    Type type = Type::any;
    std::uint8_t version = current_version;
    std::uint16_t sequence = 0;
    Duration time{};        // of adjtime, settime, setdate and setdatereq; in microseconds
    std::uint8_t hops = 0;  // of loop
    std::string name{};     // of the sender
    bool operator==(const TspDatagram&) const = default;
};

bool carries_time(TspDatagram::Type type);

// Exactly `length` bytes. The name is cut where its field ends.
Bytes write_datagram(const TspDatagram& datagram);

// Nothing if it is too short, of a later version or an unknown type, or its name has no end.
std::optional<TspDatagram> read_datagram(std::span<const std::byte> bytes);

}  // namespace conclave::wire
