// Nodes that run the algorithm A: their states and messages, and what one event makes of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conclave/checker/world/local.hpp"
#include "conclave/checker/world/odometer.hpp"
#include "conclave/checker/world/renaming.hpp"
#include "conclave/checker/world/shared.hpp"

namespace conclave::checker {

template <class A>
class NodesOf final : public Nodes {
public:
    using Turn = typename A::Turn;
    using Message = typename Turn::Message;
    using Settings = typename Turn::Settings;

    NodesOf(Shared& shared, const Settings& settings)
        : Nodes(shared.query.salt),
          shared_(shared),
          query_(shared.query),
          group_(shared.group),
          settings_(settings),
          messages_(shared.query.salt) {}

    const Local<A>& local(std::uint32_t number) const { return locals_[number]; }
    const Settings& settings() const { return settings_; }

    const NodeTraits& traits() const override { return traits_; }
    std::uint32_t unborn() override { return intern(Local<A>{}); }

    std::vector<Way> take(std::size_t at, std::uint32_t number, const Event& event) override {
        std::vector<Way> ways;
        Odometer odometer(query_.choices_max);
        do {
            odometer.rewind();
            Local<A> node = locals_[number];
            Way way{};
            const Local<A> before = node;
            run({at, event, odometer, way}, node);
            way.visible = leads(node, at) != leads(before, at);
            if constexpr (requires { node.algorithm.token(); })
                if (node.algorithm.token() != before.algorithm.token())
                    way.token = node.algorithm.token();
            way.choices = odometer.values();
            way.local = intern(node);
            if constexpr (!ages) notice_clock({at, event, odometer, way}, before);
            ways.push_back(std::move(way));
        } while (odometer.advance());
        if (odometer.coarse()) shared_.coarse = true;
        return ways;
    }

    std::uint32_t age(std::uint32_t number, std::uint32_t units) override {
        Local<A> node = locals_[number];
        for (std::uint16_t& left : node.timers) {
            if (left == 1) return stuck;
            if (left != 0) left = static_cast<std::uint16_t>(left > units ? left - units : 1);
        }
        if constexpr (ages)
            node.algorithm.age(query_.tick * static_cast<std::int64_t>(units), settings_);
        return intern(node);
    }

    std::uint32_t add_news(std::uint32_t number, std::uint64_t nodes) override {
        Local<A> node = locals_[number];
        node.news |= nodes;
        return intern(node);
    }

    std::string_view unfinished(std::uint32_t number, std::size_t at) const override {
        typename Turn::Effects effects;
        Odometer odometer(1);
        Rows rows;
        const Turn turn{effects,         settings_, group_, odometer, rows,
                        group_.ring[at], nobody,    nobody, {},       0};
        return unfinished_work(locals_[number].algorithm, turn);
    }
    Ability ability([[maybe_unused]] std::uint32_t number, [[maybe_unused]] Id id) const override {
        if constexpr (requires(const A& a) { a.votes(), a.rests(), a.eligible(Id{}); }) {
            const A& algorithm = locals_[number].algorithm;
            return {algorithm.votes(), algorithm.rests(), algorithm.eligible(id)};
        } else {
            return {};
        }
    }
    bool listens([[maybe_unused]] std::uint32_t number) const override {
        if constexpr (requires(const A& a) { a.listens(); })
            return locals_[number].algorithm.listens();
        else
            return true;
    }

    std::string label(std::uint32_t number) const override {
        return std::string(label_of(locals_[number].algorithm));
    }
    std::string message_text(std::uint32_t message) const override {
        return text(messages_[message]);
    }

    std::uint32_t turn_local(std::uint32_t number, std::size_t by) override {
        const Renaming renaming{group_, by};
        Local<A> node = locals_[number];
        if constexpr (anonymous) {
            renaming.rename(node.algorithm);
            renaming.rename(node.stored);
        }
        renaming.rename(node.leader);
        node.news = renaming.turned(node.news);
        node.doubted = renaming.turned(node.doubted);
        return intern(node);
    }
    std::uint32_t turn_message([[maybe_unused]] std::uint32_t message,
                               [[maybe_unused]] std::size_t by) override {
        if constexpr (anonymous) {
            Message said = messages_[message];
            Renaming{group_, by}.rename(said);
            return messages_.intern(said);
        } else {
            return message;
        }
    }

    bool is_stale([[maybe_unused]] std::uint32_t number, [[maybe_unused]] std::uint32_t message,
                  [[maybe_unused]] Id from, [[maybe_unused]] bool for_good) const override {
        if constexpr (requires(const A& a, const Message& m) { a.stale(m, Id{}, false); }) {
            const Local<A>& node = locals_[number];
            return node.algorithm.stale(messages_[message], from,
                                        for_good && node.life == Life::up);
        } else {
            return false;
        }
    }

    void recount([[maybe_unused]] std::span<std::uint32_t> numbers,
                 [[maybe_unused]] std::span<Mail> mails,
                 [[maybe_unused]] std::uint32_t& token) override {
        if constexpr (Numbering<A>::known) {
            Numbering<A> numbering;
            const auto visit = [&] {
                for (std::uint32_t& number : numbers) {
                    Local<A> node = locals_[number];
                    numbering.visit(node);
                    if (numbering.closed()) number = intern(node);
                }
                for (Mail& mail : mails)
                    for (Parcel& parcel : mail.parcels) {
                        Message message = messages_[parcel.message];
                        numbering.visit(message);
                        if (numbering.closed()) parcel.message = messages_.intern(message);
                    }
            };
            visit();
            numbering.close();
            token = numbering.token(token);
            visit();
        }
    }

private:
    static constexpr bool ages =
        requires(A a, const typename Turn::Settings& s) { a.age(Duration{}, s); };
    static constexpr bool knows_better = requires(const A& a) { a.acts(Time{}); };
    static constexpr bool anonymous = [] {
        if constexpr (requires { A::anonymous; })
            return A::anonymous;
        else
            return false;
    }();
    static_assert(Local<A>::timer_count <= 64);

    // One run of a node's handlers.
    struct Run {
        std::size_t at;
        const Event& event;
        Odometer& odometer;
        Way& way;
        Duration later{};
    };

    std::uint32_t intern(const Local<A>& node) {
        Bytes bytes;
        encode(node, bytes);
        return numbers_.number_of(bytes, [&](std::uint32_t number, std::uint64_t key) {
            locals_.put(number, node);
            entries_.put(number, {state_of(node), key});
        });
    }
    bool leads(const Local<A>& node, std::size_t at) const {
        if (node.life != Life::up) return false;
        if constexpr (knows_better)
            return node.algorithm.acts(Time{0});
        else
            return node.leader == group_.ring[at];
    }

    // There is no time of day here: who asks for it gets a wrong answer, and that must not pass
    // unnoticed. So each turn is taken at another time as well, and must come out the same. Who
    // keeps the time at which it came up may do so to tell its lives apart, and time has passed
    // between these; if it comes back to that time, it looks at the clock again, and is noticed.
    void notice_clock(const Run& first, Local<A> node) {
        if (comes_up(first.event)) return;
        first.odometer.rewind();
        Way later{};
        run({first.at, first.event, first.odometer, later,
             std::chrono::hours(7777) + Duration{777}},
            node);
        const Way& way = first.way;
        if (intern(node) != way.local || later.sends != way.sends ||
            !std::equal(later.timers.begin(), later.timers.end(), way.timers.begin(),
                        way.timers.end(), [](const TimerChange& a, const TimerChange& b) {
                            return a.timer == b.timer && a.set == b.set && a.after == b.after;
                        }))
            shared_.clock_read = true;
    }

    void run(const Run& run, Local<A>& node) {
        const Event& event = run.event;
        const auto go = [&](auto&& handle) { take_turn(run, node, handle); };
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
                go([&](A& a, Turn& turn) { receive(a, messages_[event.which], turn); });
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
        const std::uint64_t down = shared_.absences[absence];
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
    void take_turn(const Run& run, Local<A>& node, const Handle& handle) {
        typename Turn::Effects effects;
        Rows rows;
        rows.off = query_.rows_off;
        rows.rules_off = query_.rules_off;
        const Id me = group_.ring[run.at];
        const Id from = run.event.what == What::message ? group_.ring[run.event.from - 1u] : nobody;
        Turn turn{effects,
                  settings_,
                  me == query_.contrary ? shared_.contrary : group_,
                  run.odometer,
                  rows,
                  me,
                  group_.ring[(run.at + 1u) % group_.size()],
                  from,
                  ages ? Time{} : (node.births - 1) * lifetime + run.later,
                  node.births};
        look_around<A>(shared_.graph, group_, static_cast<std::uint32_t>(run.at), turn);
        handle(node.algorithm, turn);
        run.way.rows |= rows.fired;
        perform(effects, run, node);
        if (run.way.broken.empty()) run.way.broken = broken_invariant(node.algorithm, turn);
    }
    void perform(const typename Turn::Effects& effects, const Run& run, Local<A>& node) {
        Way& way = run.way;
        if (effects.stored) {
            node.stored = *effects.stored;
            node.kept = true;
        }
        way.followed = effects.leader ? effects.leader : way.followed;
        if (effects.leader && !knows_better) node.leader = *effects.leader;
        for (const TimerChange& change : effects.timers) {
            node.timers.data()[change.timer] = change.set ? ticks(change.after) : std::uint16_t{0};
            way.timers.push_back(change);
        }
        for (const auto& send : effects.sends) {
            if ((query_.mute >> send.message.index() & 1) != 0) continue;
            const std::uint32_t message = messages_.intern(send.message);
            const auto group =
                static_cast<std::uint16_t>(way.sends.empty() ? 0 : way.sends.back().group + 1);
            for (std::uint32_t to = 0; to < group_.size(); ++to)
                if (send.to == everyone ? to != run.at : group_.ring[to] == send.to)
                    way.sends.push_back({static_cast<std::uint8_t>(to), group, message});
        }
    }

    std::uint16_t ticks(Duration after) const {
        if (query_.timing == Timing::async) return 1;
        const auto whole = (after + query_.tick - Duration{1}) / query_.tick;
        if (whole > 0xfffd) shared_.too_long = true;
        return static_cast<std::uint16_t>(std::min<std::int64_t>(whole, 0xfffd) + 1);
    }

    static bool comes_up(const Event& event) {
        return event.what == What::start || event.what == What::recover ||
               event.what == What::blank;
    }

    static constexpr Duration lifetime = std::chrono::seconds(1);  // longer than any search looks

    Shared& shared_;
    const Query& query_;
    const Group& group_;
    Settings settings_;
    NodeTraits traits_ = traits_of<A>();
    Interner<Message> messages_;
    Chunks<Local<A>> locals_;
};

}  // namespace conclave::checker
