// Measures daemons that offer no other reading of their clocks than ICMP timestamps, as BSD timed.
//
// All slaves of a round are asked at once, up to ten times each until five answers came or one was
// quick; of several the least of both ways is believed (RFC 792 gives whole milliseconds of the
// day, so a clock that is off by days looks right: that is what SETTIME is for). A raw socket is
// needed; without one nothing can be measured.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "conclave/core/id.hpp"
#include "conclave/net/address.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::timed {

// One timestamp exchange: the other clock minus this one and the time under way, in milliseconds of
// the day, folded to half a day.
struct IcmpReading {
    std::int32_t there = 0, back = 0;
};
// Nothing if the bytes (from the IP header on) are no timestamp reply to `id`.
struct IcmpReply {
    std::uint16_t sequence = 0;
    std::uint32_t originate = 0, receive = 0, transmit = 0;
};
std::optional<IcmpReply> read_icmp_reply(std::span<const std::byte> packet, std::uint16_t id);
std::array<std::byte, 20> write_icmp_request(std::uint16_t id, std::uint16_t sequence,
                                             std::uint32_t originate);
std::optional<IcmpReading> reading_of(const IcmpReply& reply, std::uint32_t returned);

class BsdRound {
public:
    struct Reading {
        Id slave = nobody;
        std::optional<Duration> offset{};  // its clock minus ours; nothing: it did not answer
        Duration round_trip{};
    };
    struct Stage {
        virtual void round_over(const std::vector<Reading>& readings) = 0;

    protected:
        ~Stage() = default;
    };

    BsdRound(net::Loop& loop, Stage& stage);
    ~BsdRound();
    BsdRound(const BsdRound&) = delete;
    BsdRound& operator=(const BsdRound&) = delete;

    bool possible() const { return static_cast<bool>(socket_); }
    bool runs() const { return !asked_.empty(); }
    // `ahead`: how far the clock of this daemon is ahead of CLOCK_REALTIME.
    void begin(const std::map<Id, net::Address>& slaves, Duration ahead);
    void end();

private:
    struct Asked {
        net::Address address{};
        std::uint32_t requests = 0, answers = 0;
        std::int32_t there = 0, back = 0;
        bool done = false;
    };
    void ring();
    void receive();
    void finish();
    std::uint32_t now_ms() const;

    net::Loop& loop_;
    Stage& stage_;
    net::Descriptor socket_;
    std::uint16_t id_, sequence_ = 0;
    Duration ahead_{};
    Time deadline_{};
    std::map<Id, Asked> asked_;
    net::Alarm alarm_;
};

}  // namespace conclave::timed
