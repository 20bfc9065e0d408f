// One node as the checker sees it, and what one event makes of it.
//
// A turn depends on the node, its state and the event alone. So each different turn is taken once,
// for every outcome of its choices, and from then on looked up: the search composes turns, it does
// not repeat them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "conclave/checker/query.hpp"
#include "conclave/checker/world/event.hpp"
#include "conclave/checker/world/intern.hpp"
#include "conclave/checker/world/memo.hpp"
#include "conclave/checker/world/odometer.hpp"
#include "conclave/core/algorithm.hpp"

namespace conclave::checker {

enum class Life : std::uint8_t { unborn, up, down };

template <class A>
struct Local {
    static constexpr std::size_t timer_count = A::Turn::Timers::count;

    A algorithm{};
    typename A::Turn::Stored stored{};
    bool kept = false;  // something was stored
    Life life = Life::unborn;
    std::uint8_t births = 0;
    Id leader = nobody;
    std::uint64_t news = 0;                           // nodes whose crash is not yet noticed: bits
    std::uint64_t doubted = 0;                        // nodes that are suspected: bits
    std::array<std::uint16_t, timer_count> timers{};  // 0: not set; else ticks left + 1
};

struct Outgoing {
    std::uint8_t to;      // position
    std::uint16_t group;  // copies of one broadcast share it
    std::uint32_t message;
    bool operator==(const Outgoing&) const = default;
};

// One way in which a turn can go.
struct Way {
    std::uint32_t local;  // the node's new state
    bool visible;         // it made the node a leader, or ended that
    std::uint64_t rows;   // of the table that fired
    std::uint64_t token;  // under which the node began to act; 0: it did not
    std::string_view broken;
    std::vector<Outgoing> sends;
    std::vector<std::uint64_t> choices;
    std::vector<TimerChange> timers;
    std::optional<Id> followed;
};

// The parts of which worlds are made, shared by all threads.
template <class A>
struct Parts {
    explicit Parts(std::uint64_t salt) : locals(salt), messages(salt), absences(salt) {
        absences.intern(0);  // number 0: all are there
    }

    Interner<Local<A>> locals;
    Interner<typename A::Turn::Message> messages;
    Interner<std::uint64_t> absences;      // nodes that are down: bits
    std::atomic<bool> coarse = false;      // some choice was tried at some places only
    std::atomic<bool> clock_read = false;  // some turn depends on the time of day
    std::atomic<bool> chose = false;       // some turn had several outcomes
    std::atomic<bool> too_many = false;    // messages or states of nodes, to number them
    std::atomic<bool> too_long = false;    // a timer, to count its ticks

    std::string_view outgrown() const {
        if (too_many)
            return "there are more than 2^20 different messages or 2^28 states of a node: give "
                   "--ticks, so that time ends";
        if (too_long) return "a timer takes more than 65533 ticks: give a longer --tick";
        return {};
    }
};

// Takes turns and remembers them; one for each thread.
template <class A>
class Turns {
public:
    using Turn = typename A::Turn;

    Turns(const Query& query, const Group& group, const Group& contrary, const Graph& graph,
          const typename Turn::Settings& settings, Parts<A>& parts)
        : query_(query),
          group_(group),
          contrary_(contrary),
          graph_(graph),
          settings_(settings),
          parts_(parts) {
        rows_.off = query.rows_off;
        rows_.rules_off = query.rules_off;
    }

    const std::vector<Way>& take(std::size_t at, std::uint32_t local, const Event& event) {
        const std::uint64_t question =
            std::uint64_t{local} << 36 | std::uint64_t{event.which} << 16 |
            std::uint64_t{event.from} << 10 | static_cast<std::uint64_t>(event.what) << 6 | at;
        const std::uint32_t known = memo_.find(question);
        if (known != Memo::unknown) return ways_[known];
        check(event.from < 64 && at < 64, "a world of at most 63 nodes");
        if (local >= (1u << 28) || event.which >= (1u << 20)) {
            parts_.too_many = true;
            return no_ways_;
        }
        std::vector<Way> ways = work_out(at, local, event);
        if (ways.size() > 1) parts_.chose = true;
        memo_.put(question, static_cast<std::uint32_t>(ways_.size()));
        ways_.push_back(std::move(ways));
        return ways_.back();
    }

    // Nothing happens to it but messages, faults and the passing of time.
    bool rests(std::uint32_t local) {
        if constexpr (requires { typename A::Faults; }) return false;  // relief may come
        if (local >= rests_.size()) rests_.resize(2 * std::size_t{local} + 64, Rest::unknown);
        if (rests_[local] == Rest::unknown) {
            const Local<A>& node = parts_.locals[local];
            const bool due =
                std::find(node.timers.begin(), node.timers.end(), 1) != node.timers.end();
            const bool busy =
                node.life == Life::unborn || due || node.news != 0 || node.doubted != 0;
            rests_[local] = busy ? Rest::no : Rest::yes;
        }
        return rests_[local] == Rest::yes;
    }

    // An algorithm whose memory ages keeps times as spans from now, and may read its clock.
    static constexpr bool ages =
        requires(A a, const typename Turn::Settings& s) { a.age(Duration{}, s); };
    // An algorithm may know better than its belief whether it acts; its belief is then only a hint.
    static constexpr bool knows_better = requires(const A& a) { a.acts(Time{}); };
    bool leads(const Local<A>& node, std::size_t at) const {
        if (node.life != Life::up) return false;
        if constexpr (knows_better)
            return node.algorithm.acts(Time{0});
        else
            return node.leader == group_.ring[at];
    }

    // The work that it lacks at the end of a run, where the algorithm says so.
    std::string_view unfinished(const Local<A>& node, std::size_t at) const {
        typename Turn::Effects effects;
        Odometer odometer(1);
        Rows rows;
        const Turn turn{effects,         settings_, group_, odometer, rows,
                        group_.ring[at], nobody,    nobody, {},       0};
        return unfinished_work(node.algorithm, turn);
    }

    // Some faults end an earlier one.
    static bool relieves([[maybe_unused]] std::uint32_t which) {
        bool found = false;
        if constexpr (requires { typename A::Faults; }) {
            std::uint32_t i = 0;
            A::Faults::for_each([&]<class Fault>() {
                if (i++ == which) found = requires { Fault::relief; };
            });
        }
        return found;
    }

    // One tick of real time in which the node's clock advances by `units`; `stuck` while a timer is
    // due.
    static constexpr std::uint32_t stuck = 0xfffffffe;
    std::uint32_t tick(std::uint32_t local, std::uint32_t units) {
        const std::uint64_t question = std::uint64_t{local} << 8 | units;
        const std::uint32_t known = ticks_.find(question);
        if (known != Memo::unknown) return known;
        Local<A> node = parts_.locals[local];
        const std::uint32_t after = age(node, units) ? parts_.locals.intern(node) : stuck;
        ticks_.put(question, after);
        return after;
    }

private:
    bool age(Local<A>& node, std::uint32_t units) const {
        for (std::uint16_t& left : node.timers) {
            if (left == 1) return false;
            if (left != 0) left = static_cast<std::uint16_t>(left > units ? left - units : 1);
        }
        if constexpr (ages)
            node.algorithm.age(query_.tick * static_cast<std::int64_t>(units), settings_);
        return true;
    }

    std::vector<Way> work_out(std::size_t at, std::uint32_t local, const Event& event) {
        std::vector<Way> ways;
        Odometer odometer(query_.choices_max);
        do {
            odometer.rewind();
            Local<A> node = parts_.locals[local];
            Way way{};
            rows_.fired = 0;
            const Local<A> before = node;
            run(at, node, event, odometer, way);
            way.rows = rows_.fired;
            way.visible = leads(node, at) != leads(before, at);
            if constexpr (requires { node.algorithm.token(); })
                if (node.algorithm.token() != before.algorithm.token())
                    way.token = node.algorithm.token();
            way.choices = odometer.values();
            way.local = parts_.locals.intern(node);
            if constexpr (!ages) notice_clock(at, before, event, odometer, way);
            ways.push_back(std::move(way));
        } while (odometer.advance());
        if (odometer.coarse()) parts_.coarse = true;
        return ways;
    }

    // There is no time of day here: who asks for it gets a wrong answer, and that must not pass
    // unnoticed. So each turn is taken at another time as well, and must come out the same. Who
    // keeps the time at which it came up may do so to tell its lives apart, and time has passed
    // between these; if it comes back to that time, it looks at the clock again, and is noticed.
    void notice_clock(std::size_t at, Local<A> node, const Event& event, Odometer& odometer,
                      const Way& way) {
        if (comes_up(event)) return;
        odometer.rewind();
        Way later{};
        later_ = std::chrono::hours(7777) + Duration{777};
        run(at, node, event, odometer, later);
        later_ = {};
        if (parts_.locals.intern(node) != way.local || later.sends != way.sends ||
            !std::equal(later.timers.begin(), later.timers.end(), way.timers.begin(),
                        way.timers.end(), [](const TimerChange& a, const TimerChange& b) {
                            return a.timer == b.timer && a.set == b.set && a.after == b.after;
                        }))
            parts_.clock_read = true;
    }

    void run(std::size_t at, Local<A>& node, const Event& event, Odometer& odometer, Way& way) {
        const auto go = [&](auto&& handle) { take_turn(at, node, event, odometer, way, handle); };
        const std::uint64_t bit = event.from == 0 ? 0 : std::uint64_t{1} << (event.from - 1);
        switch (event.what) {
            case What::start:
                node.life = Life::up;
                ++node.births;
                go([](A& a, Turn& turn) { offer(a, Start{}, turn); });
                if (event.which != 0) call(event.which - 1, go);
                break;
            case What::call: call(event.which, go); break;
            case What::message:
                go([&](A& a, Turn& turn) { receive(a, parts_.messages[event.which], turn); });
                break;
            case What::timer:
                node.timers.data()[event.which] = 0;
                go([&](A& a, Turn& turn) {
                    expire(a, static_cast<std::uint8_t>(event.which), turn);
                });
                break;
            case What::suspect:
                node.news &= ~bit;
                node.doubted |= bit;
                go([&](A& a, Turn& turn) {
                    offer(a, Suspect{group_.ring[event.from - 1u]}, turn);
                });
                break;
            case What::trust:
                node.doubted &= ~bit;
                go([&](A& a, Turn& turn) { offer(a, Trust{group_.ring[event.from - 1u]}, turn); });
                break;
            case What::crash: node = fallen(node); break;
            case What::recover:
            case What::blank: come_up(node, event, go); break;
            case What::fault: inject(event.which, go); break;
        }
    }

    // Without a detector, who calls an election does so because it noticed who is down.
    template <class Go>
    void call(std::uint32_t absence, const Go& go) {
        const std::uint64_t down = parts_.absences[absence];
        for (std::size_t of = 0; down != 0 && of < group_.size(); ++of)
            if ((down >> of & 1) != 0)
                go([&](A& a, Turn& turn) { offer(a, Suspect{group_.ring[of]}, turn); });
        go([](A& a, Turn& turn) { offer(a, Call{}, turn); });
    }

    // Only what is on its disk outlives a crash.
    static Local<A> fallen(const Local<A>& node) {
        Local<A> down{};
        down.life = Life::down;
        down.stored = node.stored;
        down.kept = node.kept;
        down.births = node.births;
        return down;
    }

    template <class Go>
    void come_up(Local<A>& node, const Event& event, const Go& go) {
        node.life = Life::up;
        ++node.births;
        if (event.what == What::recover) {
            const auto stored = node.stored;
            go([&](A& a, Turn& turn) { recover(a, stored, turn); });
        } else {
            node.stored = {};
            node.kept = false;
            go([](A& a, Turn& turn) { offer(a, Start{}, turn); });
        }
    }

    template <class Go>
    void inject([[maybe_unused]] std::uint32_t which, [[maybe_unused]] const Go& go) {
        if constexpr (requires { typename A::Faults; }) {
            std::uint32_t i = 0;
            A::Faults::for_each([&]<class Fault>() {
                if (i++ == which) go([](A& a, Turn& turn) { a.on(Fault{}, turn); });
            });
        }
    }

    template <class Handle>
    void take_turn(std::size_t at, Local<A>& node, const Event& event, Odometer& odometer, Way& way,
                   const Handle& handle) {
        effects_.clear();
        const Id from = event.what == What::message ? group_.ring[event.from - 1u] : nobody;
        Turn turn{effects_,
                  settings_,
                  group_.ring[at] == query_.contrary ? contrary_ : group_,
                  odometer,
                  rows_,
                  group_.ring[at],
                  group_.ring[(at + 1u) % group_.size()],
                  from,
                  ages ? Time{} : (node.births - 1) * lifetime + later_,
                  node.births};
        look_around<A>(graph_, group_, static_cast<std::uint32_t>(at), turn);
        handle(node.algorithm, turn);
        if (effects_.stored) {
            node.stored = *effects_.stored;
            node.kept = true;
        }
        way.followed = effects_.leader ? effects_.leader : way.followed;
        if (effects_.leader && !knows_better) node.leader = *effects_.leader;
        for (const TimerChange& change : effects_.timers) {
            node.timers.data()[change.timer] = change.set ? ticks(change.after) : std::uint16_t{0};
            way.timers.push_back(change);
        }
        for (const auto& send : effects_.sends) {
            if ((query_.mute >> send.message.index() & 1) != 0) continue;
            const std::uint32_t message = parts_.messages.intern(send.message);
            const auto group =
                static_cast<std::uint16_t>(way.sends.empty() ? 0 : way.sends.back().group + 1);
            for (std::uint32_t to = 0; to < group_.size(); ++to)
                if (send.to == everyone ? to != at : group_.ring[to] == send.to)
                    way.sends.push_back({static_cast<std::uint8_t>(to), group, message});
        }
        if (way.broken.empty()) way.broken = broken_invariant(node.algorithm, turn);
    }

    std::uint16_t ticks(Duration after) const {
        if (query_.timing == Timing::async) return 1;
        const auto whole = (after + query_.tick - Duration{1}) / query_.tick;
        if (whole > 0xfffd) parts_.too_long = true;
        return static_cast<std::uint16_t>(std::min<std::int64_t>(whole, 0xfffd) + 1);
    }

    static bool comes_up(const Event& event) {
        return event.what == What::start || event.what == What::recover ||
               event.what == What::blank;
    }

    static constexpr Duration lifetime = std::chrono::seconds(1);  // longer than any search looks
    enum class Rest : std::uint8_t { unknown, yes, no };

    const Query& query_;
    const Group& group_;
    const Group& contrary_;
    const Graph& graph_;
    const typename Turn::Settings& settings_;
    Parts<A>& parts_;
    typename Turn::Effects effects_;
    Rows rows_;
    Duration later_{};
    Memo memo_, ticks_;
    std::vector<Rest> rests_;  // by number
    const std::vector<Way> no_ways_{};
    std::vector<std::vector<Way>> ways_;  // may move; callers copy what they keep
};

}  // namespace conclave::checker
