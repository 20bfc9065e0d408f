// CS425 lecture (2023, Mittal), "Handling failures": any ring algorithm, on a ring that is
// repaired.
//
// "A process can detect failure of N80 via its own local failure detector: repair the ring; stop
// forwarding Election:80; start a new run of leader election." The lecture does not say how
// messages of the old run and the new are told apart; here every run has a number. The algorithm
// inside starts afresh in each run, and who hears of a newer run leaves the older one. A message
// that is lost with a process belongs to a run that the process before it knew, so that one's new
// run supersedes it; hence the last run loses nothing. What can go wrong is the detector's fault: a
// failure that it misses leaves the run without an end, a false alarm leaves a live process out.
#pragma once

#include "conclave/core/around.hpp"

namespace conclave {

// A message of the algorithm inside, with the number of its run.
template <class M>
struct InRun {
    static constexpr std::string_view called = type_name<M>();
    std::uint32_t run;
    M message;
};
template <class M>
std::string text(const InRun<M>& news) {
    return text(news.message) + " in run " + std::to_string(news.run);
}

namespace detail {

template <class... Ms>
Types<InRun<Ms>...> in_runs(Types<Ms...>);

// "repaired-" and the name of the algorithm inside.
template <class A>
inline constexpr auto repaired_name = [] {
    constexpr std::string_view prefix = "repaired-", name = A::card.name;
    std::array<char, prefix.size() + name.size()> letters{};
    std::copy(prefix.begin(), prefix.end(), letters.begin());
    std::copy(name.begin(), name.end(), letters.begin() + prefix.size());
    return letters;
}();

// Whom a message is about: its first field that is a rank.
template <Plain M>
Id subject_of(const M& message) {
    Id subject = nobody;
    const auto look = [&](const auto& field) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Rank>)
            if (subject == nobody) subject = id_of(field);
    };
    std::apply([&](const auto&... field) { (look(field), ...); }, fields(message));
    return subject;
}

}  // namespace detail

template <class A>
struct Repaired {
    static_assert(A::Turn::Timers::count == 0, "a timer of the old run would ring in the new one");

    static constexpr Card card{{detail::repaired_name<A>.data(), detail::repaired_name<A>.size()},
                               "CS425 lecture 2023 (Mittal)",
                               Network::full,  // whoever is left becomes a neighbour
                               A::card.links,
                               "as without repair, for each run",
                               "every failure is detected, and no live process is suspected",
                               A::card.promises,
                               /* restless */ false,
                               A::card.predict};

    // It says
    using Turn = conclave::Turn<decltype(detail::in_runs(typename A::Turn::Messages{})), Types<>,
                                typename A::Turn::Settings, Nothing, EffectsOf<A>>;

    // It remembers
    A inner{};
    std::uint32_t run = 0;  // 0: no election yet
    IdSet failed;

    // It does
    void on(Call, Turn& turn) {
        if (run == 0) return start_run(turn);
        hand_over(Call{}, turn);
    }

    template <class M>
    void on(const InRun<M>& news, Turn& turn) {
        if (news.run < run) return;
        if (news.run > run) enter_run(news.run, turn);
        if (failed.contains(detail::subject_of(news.message)))
            return hand_over(Call{}, turn);  // goes no further, but the run does
        hand_over(news.message, turn);
    }

    void on(Suspect suspect, Turn& turn) {
        if (failed.insert(suspect.id) && run != 0) start_run(turn);
    }
    void on(Trust trust, Turn& turn) {
        if (failed.erase(trust.id) && run != 0) start_run(turn);
    }

    void start_run(Turn& turn) {
        enter_run(run + 1, turn);
        hand_over(Call{}, turn);
    }

    void enter_run(std::uint32_t number, Turn& turn) {
        run = number;
        inner = {};
        turn.follow(nobody);  // until this run has elected somebody
    }

    template <class Event>
    void hand_over(const Event& event, Turn& turn) {
        const Id next = live(turn.next, turn, &Group::after);
        const auto& effects =
            inner_turn(inner, turn.settings, turn, [&](A& node, typename A::Turn& now) {
                now.next = next;
                offer(node, event, now);
            });
        if (effects.leader) turn.follow(*effects.leader);
        for (const std::string_view report : effects.reports) turn.report(report);
        if (next == turn.me) return keep_all(effects.sends, turn);
        for (const auto& send : effects.sends) {
            const Id to = send.to == next ? next : live(send.to, turn, &Group::before);
            std::visit([&](const auto& message) { turn.send(to, InRun{run, message}); },
                       send.message);
        }
    }

    // Nobody else is left: it talks to itself.
    void keep_all(std::vector<Send<typename A::Turn::Message>> sends, Turn& turn) {
        for (const auto& send : sends)
            std::visit([&](const auto& message) { hand_over(message, turn); }, send.message);
    }

    // The first from there on that has not failed: in the end the process itself.
    Id live(Id id, const Turn& turn, Id (Group::*step)(Id) const) const {
        while (failed.contains(id) && id != turn.me) id = (turn.group.*step)(id);
        return id;
    }

    std::string label() const {
        return "run " + std::to_string(run) + ": " + std::string(label_of(inner));
    }
};

}  // namespace conclave
