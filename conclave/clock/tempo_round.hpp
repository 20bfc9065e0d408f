// One round of TEMPO as Gusella & Zatti (1985) describe it: measure the differences, take the mean
// of the clocks that agree, tell each the difference it should make up for.
//
// The clocks measured are those that users see. What is sent is a difference, so how long it is
// under way does not matter; but it must be applied exactly once, and between two rounds every
// clock drifts as it likes. This is what a BSD timed understands, and what the ensemble is measured
// against.
#pragma once

#include "conclave/clock/network_mean.hpp"
#include "conclave/clock/sample.hpp"
#include "conclave/core/id.hpp"

namespace conclave::clock {

class TempoRound {
public:
    struct Difference {
        Id slave;
        Duration by;
    };

    // Of several exchanges with a slave the quickest is believed.
    void learn(Id slave, const Sample& sample) {
        for (Entry& entry : entries_) {
            if (entry.slave != slave) continue;
            if (sample.round_trip() < entry.best.round_trip()) entry.best = sample;
            return;
        }
        entries_.push_back({slave, sample});
    }

    // The correction of the master's own clock; then that of each slave's.
    Duration decide(Duration interval, std::vector<Difference>& slaves) const {
        std::vector<Duration> offsets{Duration{0}};
        for (const Entry& entry : entries_) offsets.push_back(entry.best.offset());
        const NetworkMean network = network_mean(offsets, interval);
        slaves.clear();
        for (const Entry& entry : entries_)
            slaves.push_back({entry.slave, network.mean - entry.best.offset()});
        return network.mean;
    }
    void clear() { entries_.clear(); }
    std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        Id slave;
        Sample best;
    };
    std::vector<Entry> entries_;
};

}  // namespace conclave::clock
