// The trailer that Conclave's own time daemons write behind the 268 bytes of a TSP datagram.
//
// BSD timed reads no further than its own 268 bytes, so both share a network, and a daemon knows by
// the trailer that the other is of its own kind. Numbers are little-endian:
//
//    0 "tspc"   4 version   5 sealed   6 signs   7 zero   8 session   16 sequence
//   24 incarnation   28 key hint   32 term   40 its master   44 clocks behind it   48 kind
//   49 body, then zeros
//   160 tag: keyed BLAKE2b over all before it, the 268 bytes included; zeros where there is no key
//
// All trailers have one length: no answer is longer than what asked for it.
#pragma once

#include "conclave/clock/correction.hpp"
#include "conclave/wire/replay.hpp"
#include "conclave/wire/tsp.hpp"

namespace conclave::wire {

struct TspTrailer {
    static constexpr std::size_t length = 176;
    static constexpr std::uint8_t current_version = 3;

    struct Words {};  // the 268 bytes say all
    struct Probe {    // from the master; what it asks is when this was received
        std::uint32_t number = 0;
        bool corrects = false;
        bool doubts = false;  // the slave's clock is not as it was measured
        clock::Correction correction{};
    };
    struct Answer {
        std::uint32_t number = 0;       // of the probe
        Time received{}, answered{};    // on the slave's raw clock
        std::uint32_t earlier = 0;      // this probe was answered ...
        Time earlier_answered{};        // ... by the kernel's stamp at; 0: there is none
        bool received_stamped = false;  // by the kernel
        clock::Report report{};
    };
    // To everyone, from a master: BSD timed ignores the ACK that carries it.
    struct Reigns {};
    // An operator's wish, from a slave: that the network's time were later by this.
    struct Change {
        Duration by{};
    };
    using Body = std::variant<Words, Probe, Answer, Greeting, Reigns, Change>;

    bool bsd_mode = false;  // the sender keeps the times of BSD timed
    bool deputy = false;    // the addressee is to succeed the sender
    bool eligible = true;   // the sender may become master
    std::uint64_t session = 0;
    std::uint64_t sequence = 0;
    std::uint32_t incarnation = 0;
    clock::Term term{};
    std::uint32_t clocks = 0;  // behind the time that the sender follows
    Body body{};
};

inline constexpr std::size_t own_length = TspDatagram::length + TspTrailer::length;

Bytes write_own(const TspDatagram& datagram, const TspTrailer& trailer, const Keys& keys);

// Nothing: there is no trailer, somebody else's daemon wrote this.
struct NoTrailer {};
std::variant<TspTrailer, NoTrailer, Drop> read_trailer(Input bytes, const Keys& keys);

// The sequence of a datagram of this session that comes back with the kernel's stamp, perhaps with
// a frame around it: it stands at the end.
std::optional<std::uint64_t> find_sequence(Input frame, std::uint64_t session);

}  // namespace conclave::wire
