// Vitányi (1983), "Distributed elections in an Archimedean ring of processors", IW 243/83.
//
// A message that will lose travels slowly: M_i waits f(i) time units of the local clock at every
// processor before it goes on, and f grows fast with the name i. The lowest name overtakes and
// silences all others on its way round, so that a number of messages linear in N suffices, as long
// as clock units and delays stay within a fixed ratio u/m of each other ("Archimedean"). Who wins,
// and that somebody does, depends on no clock: only on links that keep the order of messages, and
// on nobody waking between falling asleep and the return of the sleepwell message.
//
// The text leaves some choices. A unit without a message counts like one with a higher name. One
// message is read at the end of each unit and a wait counts from there; a wakeup is handled when it
// comes and costs no unit (with `wakeups=read` it does). A wait of 0 sends at once or, with
// `zero=printed`, never: the printed timer is tested only after it was decremented. Waits beyond 70
// years do not end.
#pragma once

#include <algorithm>

#include "conclave/core/algorithm.hpp"
#include "conclave/core/reading.hpp"
#include "conclave/core/saturating.hpp"

namespace conclave {

struct Archimedean {
    // With the usual settings: f(i) = 2^i and l = 1, so that (1 + f(l)) * sum is 3 * (1 - 2^-N).
    static Prediction predict(const Census& census) {
        if (census.down != 0 || census.delay == never) return {};
        const Duration unit = Settings{}.unit;
        const auto ratio =
            static_cast<std::uint64_t>((2 * unit + census.delay - Duration{1}) / unit);
        const std::uint64_t n = census.nodes, limit = 3 * n * ratio;
        return {3 * n, 3 * n + limit - (n < 64 ? limit >> n : 0)};
    }
    static constexpr Card card{"archimedean",
                               "Vitányi 1983",
                               Network::ring,
                               Links::fifo,
                               "at most 3N + N*u/m*(1 + f(l))*sum of 1/f(i)",
                               "no failures during the run; time units within a fixed ratio",
                               {.lowest = true},
                               /* restless */ false,
                               predict};

    enum class Growth : std::uint8_t { power, root, pair };  // base^i, i^1.5, 2^(j-i)
    enum class First : std::uint8_t { one, f };
    enum class Zero : std::uint8_t { at_once, printed };
    enum class Wakeups : std::uint8_t { free, read };
    struct Settings {
        Growth f = Growth::power;
        std::uint32_t base = 2;
        std::uint32_t scale = 1;
        bool digits = false;       // f(i) for every digit of the name (section 3, "walk time")
        First first = First::one;  // a processor's own message waits 1, as printed, or f
        Zero zero = Zero::at_once;
        Wakeups wakeups = Wakeups::free;
        std::uint32_t lowest = 1;  // the names run from here,
        std::uint8_t gap = 1;      // so far apart on average; 1: without a gap
        Duration unit = std::chrono::milliseconds(1);
        std::uint32_t hop = 1;  // units from sending to reading, on a synchronous ring
    };

    static constexpr std::array readings_listed{
        Reading{
            "zero", "at-once",
            "section 3: with f(i,j) = 0 \"the winning election message M_l takes precisely w_s + "
            "w_p log l absolute time to circle the ring\", so it does not wait"},
        Reading{
            "zero", "printed",
            "the Protocol: \"timer <- timer - 1; if timer = 0 then send M_k\", which a timer set "
            "to 0 never reaches"},
        Reading{
            "wakeups", "free",
            "\"a processor changes its state from asleep to awake\" on a wakeup message, whenever "
            "it arrives"},
        Reading{"wakeups", "read",
                "the Protocol: one \"incoming message M\" is read in each time unit, a wakeup too"},
    };
    static constexpr std::span<const Reading> readings() { return readings_listed; }

    // It says
    struct Wakeup {
        std::uint64_t bits() const { return 1; }
    };
    struct Election {
        std::uint32_t name;
        std::uint64_t bits() const { return dyadic_digits(name); }
    };
    struct Sleepwell {
        std::uint64_t bits() const { return 1; }
    };

    // It waits for
    struct Unit {};  // the end of a time unit in which there is something to do
    using Turn = conclave::Turn<Types<Wakeup, Election, Sleepwell>, Types<Unit>, Settings>;

    // It remembers. Units are counted from 1 and from waking.
    enum class State : std::uint8_t { asleep, awake };
    State state = State::asleep;
    std::uint32_t k = 0;  // the lowest name seen
    Time woke{};
    std::uint64_t done = 0;            // the last unit in which it did something
    std::uint64_t set_for = 0;         // the unit at whose end it will; 0: none
    std::uint64_t send_at = 0;         // the unit at whose end M_k leaves; 0: it has left
    std::vector<std::uint32_t> queue;  // names to be read, one a unit; or one of these:
    static constexpr std::uint32_t sleepwell = 0, wakeup = 0xffffffff;
    std::uint32_t longest = 0;  // that the queue has ever been
    std::uint32_t size = 0;     // N, as the winner on a synchronous ring learns it

    // It does
    void on(Call, Turn& turn) { wake(turn); }
    void on(Wakeup, Turn& turn) {
        if (state == State::asleep) return wake(turn);
        if (turn.settings.wakeups == Wakeups::read) put(wakeup, turn);
    }
    void on(Election election, Turn& turn) { put(election.name, turn); }
    void on(Sleepwell, Turn& turn) { put(sleepwell, turn); }

    void wake(Turn& turn) {
        if (state == State::awake) return;
        state = State::awake;
        k = own_name(turn);
        woke = turn.now;
        done = 0;
        send_at = first_wait(turn);
        turn.send(turn.next, Wakeup{});
        set_timer(turn);
    }

    void put(std::uint32_t name, Turn& turn) {
        if (state == State::asleep) return;  // the election is finished
        queue.push_back(name);
        longest = std::max(longest, static_cast<std::uint32_t>(queue.size()));
        set_timer(turn);
    }

    void on(Unit, Turn& turn) {
        done = std::max(set_for, units_since_waking(turn.now, turn));  // it may come late
        set_for = 0;
        if (!queue.empty()) {
            const std::uint32_t name = queue.front();
            queue.erase(queue.begin());
            read(name, turn);
            if (state == State::asleep) return;
        }
        if (send_at != 0 && send_at <= done) {
            send_at = 0;
            turn.send(turn.next, Election{k});
        }
        set_timer(turn);
    }

    void read(std::uint32_t name, Turn& turn) {
        if (name == wakeup) {
            if (send_at != 0) ++send_at;  // no branch of the Protocol: the timer stands still
        } else if (name == sleepwell || name == k) {
            if (name == own_name(turn)) size = count_ring(turn);
            turn.follow(Id{(k - turn.settings.lowest) / turn.settings.gap + 1});
            turn.send(turn.next, Sleepwell{});
            fall_asleep();
        } else if (name < k) {
            k = name;
            const std::uint64_t wait = wait_of(own_name(turn), k, turn.settings);
            send_at = wait == 0 && turn.settings.zero == Zero::printed ? 0 : done + wait;
        }  // else: the message goes no further; the timer runs on
    }

    void fall_asleep() {  // at the end of a unit, so no timer is set
        state = State::asleep;
        queue.clear();
        send_at = 0;
    }

    // For the first unit at whose end there is a message to read or to send.
    void set_timer(Turn& turn) {
        const Duration unit = turn.settings.unit;
        const std::uint64_t begun = units_since_waking(turn.now + unit - Duration{1}, turn);
        std::uint64_t next = send_at == 0 ? ceiling : send_at;
        if (!queue.empty()) next = std::min(next, std::max(begun, done + 1));
        if (next == set_for || next > ceiling / static_cast<std::uint64_t>(unit.count())) return;
        set_for = next;
        const Time end = woke + static_cast<std::int64_t>(next) * unit;
        turn.set<Unit>(std::max(end - turn.now, Duration{0}));  // who paused has missed some
    }

    std::uint64_t units_since_waking(Time now, const Turn& turn) const {
        return static_cast<std::uint64_t>((now - woke) / turn.settings.unit);
    }

    // ---------------------------------------------------------------- f

    // How long processor i keeps M_j.
    static constexpr std::uint64_t wait_of(std::uint32_t i, std::uint32_t j, const Settings& with) {
        std::uint64_t wait = 0;
        if (with.f == Growth::power) wait = power(with.base, j);
        if (with.f == Growth::root) wait = root_power(j);
        if (with.f == Growth::pair) wait = j < i ? 0 : power(2, j - i);
        wait = times(wait, with.scale);
        return with.digits ? times(wait, dyadic_digits(j)) : wait;
    }

    // "A unique name, say a positive integer": names in the order of ids, with uneven gaps.
    static constexpr std::uint32_t name_of_id(Id id, const Settings& with) {
        const std::uint32_t place = static_cast<std::uint32_t>(id) - 1;
        return with.lowest + place * with.gap + place * 2654435761u % with.gap;
    }
    std::uint32_t own_name(const Turn& turn) const { return name_of_id(turn.me, turn.settings); }
    std::uint64_t first_wait(const Turn& turn) const {
        const std::uint32_t name = own_name(turn);
        return turn.settings.first == First::one ? 1 : wait_of(name, name, turn.settings);
    }

    // Its message was under way or waiting all the time since it woke: first_wait, then N hops and
    // N-1 times f. So elapsed time tells N, where every unit and every hop takes the same.
    std::uint32_t count_ring(const Turn& turn) const {
        const std::uint64_t wait = wait_of(k, k, turn.settings), hop = turn.settings.hop + wait;
        const std::uint64_t elapsed = done - first_wait(turn) + wait;
        return elapsed % hop == 0 ? static_cast<std::uint32_t>(elapsed / hop) : 0;
    }

    void age(Duration passed) { woke -= passed; }
    std::string_view label() const { return name_of(state); }
};

static_assert(Algorithm<Archimedean>);

}  // namespace conclave
