// The timers of all nodes: which are set, and when each is due.
//
// A timer that is stopped or set anew leaves its old entry in the queue, which no longer holds.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "conclave/simulator/world/next_event.hpp"

namespace conclave::simulator {

struct Expiry {
    std::uint32_t at;  // position of the node
    std::uint8_t timer;
    std::uint64_t setting;
};

template <std::size_t per_node>
class Timers {
public:
    explicit Timers(std::size_t nodes) : settings_(nodes * per_node) {
        if constexpr (per_node != 0) times_set_.resize(nodes);
    }

    Time next_time() const { return per_node == 0 ? never : due_.next_time(); }
    Expiry pop() { return due_.pop().what; }
    bool holds(const Expiry& expiry) const {
        return setting(expiry.at, expiry.timer) == expiry.setting;
    }
    // A timer that no longer holds does not keep a run going.
    void drop_stale() {
        while (!due_.empty() && !holds(due_.front().what)) due_.pop();
    }

    std::uint32_t count_set(std::uint32_t at) { return ++times_set_[at]; }
    void set(std::uint32_t at, std::uint8_t timer, Time due) {
        setting(at, timer) = ++made_;
        due_.push({due, made_, {at, timer, made_}});
    }
    void stop(std::uint32_t at, std::uint8_t timer) { setting(at, timer) = 0; }
    void stop_all(std::uint32_t at) {
        for (std::size_t timer = 0; timer < per_node; ++timer)
            stop(at, static_cast<std::uint8_t>(timer));
    }

    // Of a node that stands still: its timer waits, until `release` hands out what waits for it.
    void hold(const Expiry& expiry) { held_.push_back(expiry); }
    std::vector<Expiry> release(std::uint32_t at) {
        std::vector<Expiry> free;
        std::erase_if(held_, [&](const Expiry& expiry) {
            if (expiry.at == at) free.push_back(expiry);
            return expiry.at == at;
        });
        return free;
    }

private:
    std::uint64_t& setting(std::uint32_t at, std::uint8_t timer) {
        return settings_[at * per_node + timer];
    }
    const std::uint64_t& setting(std::uint32_t at, std::uint8_t timer) const {
        return settings_[at * per_node + timer];
    }

    std::vector<std::uint64_t> settings_;   // per node and timer: which one holds; 0: none
    std::vector<std::uint32_t> times_set_;  // per node
    Heap<Expiry> due_;
    std::vector<Expiry> held_;
    std::uint64_t made_ = 0;
};

}  // namespace conclave::simulator
