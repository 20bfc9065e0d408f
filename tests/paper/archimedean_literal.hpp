// Vitányi's Protocol (1983, section 2) as it is printed: every processor is visited at the end of
// each of its time units, whether there is anything to do or not. The product sets timers instead;
// both must come to the same.
#pragma once

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>
#include <vector>

#include "conclave/election/archimedean.hpp"

namespace conclave {

class LiteralRing {
public:
    using Settings = Archimedean::Settings;

    // Times in nanoseconds; names and units in the order of the ring.
    LiteralRing(const Settings& settings, std::int64_t delay,
                const std::vector<std::uint32_t>& names, const std::vector<std::int64_t>& units)
        : settings_(settings), delay_(delay) {
        for (std::size_t at = 0; at < names.size(); ++at)
            ring_.push_back({.name = names[at], .unit = units[at]});
    }

    void wake_at(std::size_t at, std::int64_t time) { calls_.insert({time, at, false}); }

    void run(std::int64_t until) {
        for (;;) {
            const std::size_t next = next_to_tick();
            const std::int64_t tick = next == ring_.size() ? until + 1 : ring_[next].tick;
            if (!calls_.empty() && std::get<0>(*calls_.begin()) <= std::min(tick, until)) {
                const auto [time, at, wakeup] = *calls_.begin();
                calls_.erase(calls_.begin());
                if (wakeup && ring_[at].awake)
                    put_wakeup(at, time);
                else
                    wake(at, time);
            } else if (tick <= until) {
                live_through(next, tick);
            } else {
                return;
            }
        }
    }

    std::uint64_t wakeups = 0, elections = 0, sleepwells = 0;
    std::uint32_t elected_by(std::size_t at) const { return ring_[at].elected; }
    std::size_t longest = 0;

private:
    static constexpr std::uint32_t sleepwell = 0, nothing = 0xffffffff, wakeup_message = 0xfffffffe;
    struct Message {
        std::int64_t arrives;
        std::uint32_t name;
    };
    struct Processor {
        std::uint32_t name = 0;
        std::int64_t unit = 0;
        bool awake = false;
        std::uint32_t k = 0, elected = 0;
        std::int64_t timer = 0, tick = 0;
        std::deque<Message> incoming{};
    };

    std::size_t next_to_tick() const {
        std::size_t next = ring_.size();
        for (std::size_t at = 0; at < ring_.size(); ++at)
            if (ring_[at].awake && (next == ring_.size() || ring_[at].tick < ring_[next].tick))
                next = at;
        return next;
    }

    std::size_t after(std::size_t at) const { return (at + 1) % ring_.size(); }
    std::int64_t wait(std::uint32_t i, std::uint32_t j) const {
        return static_cast<std::int64_t>(Archimedean::wait_of(i, j, settings_));
    }

    // "Send wakeup message to clockwise neighbor; set k equal to i and set timer equal to 1."
    void wake(std::size_t at, std::int64_t time) {
        Processor& p = ring_[at];
        if (p.awake) return;
        p.awake = true;
        p.k = p.name;
        p.timer = settings_.first == Archimedean::First::one ? 1 : wait(p.name, p.name);
        p.tick = time + p.unit;
        ++wakeups;
        calls_.insert({time + delay_, after(at), true});
    }

    // "Read incoming message M" may mean wakeups, too; it was sent before all that is on the way.
    void put_wakeup(std::size_t at, std::int64_t time) {
        if (settings_.wakeups == Archimedean::Wakeups::free) return;
        auto& incoming = ring_[at].incoming;
        const auto later = std::find_if(incoming.begin(), incoming.end(),
                                        [&](const Message& m) { return m.arrives > time; });
        incoming.insert(later, {time, wakeup_message});
    }

    void send(std::size_t at, std::uint32_t name, std::int64_t time) {
        (name == sleepwell ? sleepwells : elections)++;
        ring_[after(at)].incoming.push_back({time + delay_, name});
    }

    // "Repeat in each (local) time unit: read incoming message M".
    void live_through(std::size_t at, std::int64_t time) {
        Processor& p = ring_[at];
        p.tick += p.unit;
        const auto here = std::count_if(p.incoming.begin(), p.incoming.end(),
                                        [&](const Message& m) { return m.arrives <= time; });
        longest = std::max(longest, static_cast<std::size_t>(here));
        std::uint32_t read = nothing;
        if (here != 0) {
            read = p.incoming.front().name;
            p.incoming.pop_front();
        }
        if (read == wakeup_message) return;  // no branch speaks of it, not even the timer's
        if (read == sleepwell || read == p.k) {
            p.elected = p.k;
            send(at, sleepwell, time);
            p.awake = false;
            p.incoming.clear();
        } else if (read < p.k) {
            p.k = read;
            p.timer = wait(p.name, p.k);
            if (p.timer == 0 && settings_.zero == Archimedean::Zero::at_once) send(at, p.k, time);
        } else if (--p.timer == 0) {
            send(at, p.k, time);
        }
    }

    Settings settings_;
    std::int64_t delay_;
    std::vector<Processor> ring_;
    std::set<std::tuple<std::int64_t, std::size_t, bool>> calls_;  // and wakeups under way
};

}  // namespace conclave
