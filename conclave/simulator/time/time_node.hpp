// One machine in a run of time daemons, and the packets between them.
#pragma once

#include <map>

#include "conclave/clock/master.hpp"
#include "conclave/clock/steering.hpp"
#include "conclave/clock/tempo_round.hpp"
#include "conclave/simulator/time/oscillator.hpp"

namespace conclave::simulator {

// Whose time it is.
struct Reigning {
    Id master = nobody;
    std::uint32_t reign = 0;
    clock::Term term{};
    bool operator==(const Reigning&) const = default;
};

struct TimePacket {
    Id master, slave;
    std::uint32_t reign;
    clock::Exchange exchange{};
    std::optional<clock::Correction> correction{};
    clock::Report report{};
    Duration plain{};  // the paper's: what the slave's clock is ahead of its raw one, or shall gain
    bool doubts = false;  // the master doubts its own measurements of this slave
};

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
    // Their last answers: the kernel's stamp of one comes with the next, so a master learns from
    // it a probe later, and what it reports is as old.
    std::map<Id, TimePacket> waiting{};
    std::uint32_t reign = 0;  // what was planned or sent in an earlier one is void
    bool up = false;
    bool resting = false;           // keeps out of the election after it resigned
    clock::VisibleClock visible{};  // what people see, as the kernel keeps it
    clock::Steering steering{};
    Reigning told{};             // last, with a correction
    bool blind = false;          // a fault that does not show inside this machine, not measured yet
    bool broke = false;          // ... its rate did
    Time hit{}, hidden_until{};  // when it happened, and at least so long
    std::size_t measured = 0;    // so often since

    // A machine that was down knows nothing any more.
    void forget(const clock::ServoSettings& servo) {
        keeper = clock::Keeper(servo, static_cast<std::uint8_t>(keeper.epoch() + 1));
        visible = {};
        steering = {};
        plain = clock::Servo(servo);
        plain_set = false;
    }
    // Steers what people see, as a daemon does at every wake.
    void steer(Time now) {
        const Time raw = oscillator.read(now);
        const Duration shown = visible.offset(raw);
        if (keeper.is_set())
            visible.obey(raw, steering.next(raw, shown, keeper.servo()));
        else
            steering.watch(raw, shown);
    }
    // The distance that it was moved, other than by steering; 0: it was not.
    Duration look_at_clock(Time now) {
        const Time raw = oscillator.read(now);
        const Duration shown = visible.offset(raw), strayed = steering.strayed(raw, shown);
        if (clock::magnitude(strayed) <= clock::Steering::most_strayed) return {};
        keeper.moved(raw, shown);
        steer(now);
        return strayed;
    }
    void go_blind(Time now, Duration hidden, bool rate) {
        blind = true;
        broke = rate;
        hit = now;
        hidden_until = std::max(hidden_until, now + hidden);
        measured = 0;
    }
    // Its master has said what it thinks of this clock, or as master it has decided. A master
    // learns from an answer with the next one, and is sure after two that contradict: the first
    // that is learned may be older than the fault.
    void see_again(Time now) {
        const std::size_t enough = master ? 10 * slaves.size() : 3;  // of a master's by most slaves
        if (now >= hidden_until && measured > enough) blind = false;
    }
    bool serves(Id slave) const { return std::binary_search(slaves.begin(), slaves.end(), slave); }
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
