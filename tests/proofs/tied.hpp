// The member that the checker explores, tied to the model: whatever its code does must be steps of
// proofs/lease.model.
//
// Tied is a member with a guardian, as `conclave check lease` runs it, around an election of its
// own. Every turn of its lease is watched: the steps that it amounts to are tried in the model,
// whose requirements must allow them, and code and model must agree on what came of it.
#pragma once

#include "tests/proofs/watch.hpp"

namespace conclave::proofs {

inline Watch*& watching() {
    thread_local Watch* watch = nullptr;
    return watch;
}

// Found in place of conclave::inner_turn by whoever lets this lease take a turn.
template <class Handle>
EffectsOf<Lease>& inner_turn(Lease& lease, const Lease::Settings& settings, Outer& outer,
                             const Handle& handle) {
    if (watching() == nullptr) return conclave::inner_turn<Lease>(lease, settings, outer, handle);
    watching()->before_lease();
    const Lease was = lease;
    auto& effects = conclave::inner_turn<Lease>(lease, settings, outer, handle);
    watching()->after_lease(was, lease, effects);
    return effects;
}

struct Tied {
    static constexpr Card card = Machinery::card;
    using Faults = Machinery::Faults;
    using Settings = Machinery::Settings;
    using Stored = Machinery::Stored;
    using Turn = Machinery::Turn;

    Machinery machinery;
    Ghost ghost;

    template <class Event>
        requires Handles<Machinery, Event>
    void on(const Event& event, Turn& turn) {
        ghost.me = turn.me;
        ghost.members = turn.group.size();
        if constexpr (std::same_as<Event, Recover<Stored>>)
            ghost.durable = machinery.disk = event.stored;
        Watch watch(machinery, ghost, turn);
        constexpr bool starts = std::same_as<Event, Start> ||
                                std::same_as<Event, member::AgentReturns> ||
                                std::same_as<Event, Recover<Stored>>;
        watch.comes_up = starts;
        watch.without_disk = !std::same_as<Event, Recover<Stored>> && machinery.disk == Stored{};
        if constexpr (std::same_as<Event, Ask>) watch.heard_ask = event.ballot;
        if constexpr (std::same_as<Event, Release>) watch.heard_release = event.ballot;
        if constexpr (std::same_as<Event, Entry>) watch.heard_entry = event;
        if constexpr (std::same_as<Event, Promise>) {
            watch.heard_promise = event.ballot;
            watch.promised_k = event.k;
        }
        watching() = &watch;
        machinery.on(event, turn);
        watching() = nullptr;
        watch.finish();
    }

    bool listens() const { return machinery.listens(); }
    bool votes() const { return machinery.votes(); }
    bool works() const { return machinery.works(); }
    bool acts(Time now) const { return machinery.acts(now); }
    std::uint64_t token() const { return machinery.token(); }
    std::string_view broken(const Turn&) const { return faults().text(ghost.wrong); }
    std::string label() const { return machinery.label(); }

    // Time may pass only as the model lets it: while work is alive, its lease must last.
    void age(Duration by, const Settings& settings) {
        const Duration support = support_of(settings);
        if (machinery.works() && ghost.wrong == 0) {
            Shadow shadow(ghost.me, ghost.members, ghost.members / 2 + 1);
            const Value ballot = shadow.number(machinery.working);
            shadow.set("work", {ballot}, 1);
            for (const Answered& each : ghost.grants)
                shadow.set("granted", {Shadow::of(each.member), ballot},
                           (each.sent + support).count());
            shadow.step("tick", {tick.count()});
            if (!shadow.wrong().empty()) ghost.wrong = faults().number(shadow.wrong());
        }
        ghost.age(by, support);
        machinery.age(by, settings);
    }
    static constexpr std::uint64_t stale_rules = Machinery::stale_rules;
    bool stale(const Turn::Message& message, Id from, bool for_good) const {
        return machinery.stale(message, from, for_good);
    }
};

}  // namespace conclave::proofs
