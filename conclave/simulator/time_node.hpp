// One machine in a run of time daemons, and the packets between them.
#pragma once

#include <map>

#include "conclave/clock/master.hpp"
#include "conclave/clock/tempo_round.hpp"
#include "conclave/simulator/oscillator.hpp"

namespace conclave::simulator {

struct TimeNode {
    Id id;
    Oscillator oscillator;
    clock::Keeper keeper;
    clock::Servo plain;  // the paper's clock: no line, only differences
    bool plain_set = false;
    std::optional<clock::Master> master{};
    clock::TempoRound round{};
    std::vector<Id> slaves{};    // that are being probed
    std::map<Id, Time> heard{};  // when they last answered
    std::uint32_t reign = 0;     // what was planned or sent in an earlier one is void
    bool up = false;
    bool resting = false;  // keeps out of the election after it resigned

    // A machine that was down knows nothing any more.
    void forget(const clock::ServoSettings& servo) {
        keeper = clock::Keeper(servo);
        plain = clock::Servo(servo);
        plain_set = false;
    }
    bool serves(Id slave) const { return std::binary_search(slaves.begin(), slaves.end(), slave); }
};

struct TimePacket {
    Id master, slave;
    std::uint32_t reign;
    clock::Exchange exchange{};
    std::optional<clock::Correction> correction{};
    clock::Report report{};
    Duration plain{};  // the paper's: what the slave's clock is ahead of its raw one, or shall gain
};

// Packets under way, by slot.
class TimePackets {
public:
    std::uint32_t keep(const TimePacket& packet) {
        if (free_.empty()) {
            packets_.push_back(packet);
            return static_cast<std::uint32_t>(packets_.size() - 1);
        }
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        packets_[slot] = packet;
        return slot;
    }
    TimePacket take(std::uint32_t slot) {
        free_.push_back(slot);
        return packets_[slot];
    }

private:
    std::vector<TimePacket> packets_;
    std::vector<std::uint32_t> free_;
};

}  // namespace conclave::simulator
