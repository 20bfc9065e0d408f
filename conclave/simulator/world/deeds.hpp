// The nodes that act, where an algorithm knows better than by belief: at most one at any instant of
// true time, under tokens that only grow, and again within a bound when nothing stands in the way.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conclave/core/algorithm.hpp"
#include "conclave/lease/roster.hpp"
#include "conclave/simulator/scenario/script.hpp"
#include "conclave/simulator/world/diary.hpp"
#include "conclave/simulator/world/draws.hpp"
#include "conclave/simulator/world/judge.hpp"
#include "conclave/simulator/world/machine_state.hpp"
#include "conclave/simulator/world/simulated_node.hpp"

namespace conclave::simulator {

// Most algorithms only believe.
template <class A>
struct Deeds {
    static constexpr bool known = false;
    Deeds(const Scenario&, const typename A::Turn::Settings&, const Clocks&, Diary&) {}
    void look(const SimulatedNode<A>&, Time, Time, Judge&, const Network&) {}
    void disturb(Time, const Network&) {}
    void close(Outcome&, Time, Judge&) {}
};

template <class A>
    requires requires(const A& a) {
        a.acts(Time{});
        a.token();
        typename A::Faults;
    }
class Deeds<A> {
public:
    static constexpr bool known = true;
    using Faults = typename A::Faults;

    Deeds(const Scenario& scenario, const typename A::Turn::Settings& settings,
          const Clocks& clocks, Diary& diary)
        : clocks_(clocks),
          diary_(diary),
          bound_(is_prompt(scenario, settings) ? A::bound(settings) : Duration{0}),
          voters_(scenario.nodes) {}

    // The effect of the cue on the processes of a machine: a pause is one of agent and guardian.
    static std::string name_fault(const Cue& cue) {
        if (cue.what == Cue::What::pause) return "AgentPauses, GuardianPauses";
        if (cue.what == Cue::What::resume) return "AgentResumes, GuardianResumes";
        return std::string(Faults::names[cue.which]);
    }
    static void befall(A& algorithm, const Cue& cue, typename A::Turn& turn) {
        const std::string names = name_fault(cue);
        Faults::for_each([&]<class Fault>() {
            if (names.find(type_name<Fault>()) != std::string::npos) algorithm.on(Fault{}, turn);
        });
    }

    // After a turn of this node, or its crash.
    void look(const SimulatedNode<A>& node, Time local, Time now, Judge& judge,
              const Network& network) {
        if (diary_.kept()) write_down(node, local, now);
        const bool up = node.lives();
        judge.set_leading(node.id, up && node.algorithm.acts(local), now);
        const std::uint64_t token = up ? node.algorithm.token() : 0;
        Voter& voter = voters_[static_cast<std::uint32_t>(node.id) - 1];
        if (token != 0 && token != voter.token) take_up(node.id, token, now, judge);
        voter.token = token;
        const bool busy = token != 0 || (up && node.algorithm.rests());
        if (busy && !voter.busy) judge_progress(now, judge), ++working_;
        if (!busy && voter.busy && --working_ == 0) idle_since_ = now;
        voter.busy = busy;
        judge_progress(now, judge);
        const bool votes = up && node.algorithm.votes();
        const bool eligible = up && node.algorithm.eligible(node.id);
        const bool learned = up && learn(node.algorithm.roster());
        if (votes == voter.votes && eligible == voter.eligible && !learned) return;
        voter.votes = votes;
        voter.eligible = eligible;
        disturb(now, network);
    }

    // After something happened to the world: the bound counts anew, if enough can meet.
    void disturb(Time now, const Network& network) {
        fair_since_ = !network.loses() && enough_meet(network) ? now : never;
    }

    void close(Outcome& outcome, Time now, Judge& judge) {
        judge_progress(now, judge);
        outcome.bound = bound_;
        outcome.idle = idle_;
        outcome.terms = terms_;
    }

private:
    struct Voter {
        std::uint64_t token = 0;
        bool busy = false;  // works, or is about to work again
        bool votes = false, eligible = false;
        trace::MachineState seen{};  // of runs that are written down
    };

    void write_down(const SimulatedNode<A>& node, Time local, Time now) {
        const trace::MachineState state = machine_state(node, local, now, clocks_);
        trace::MachineState& seen = voters_[static_cast<std::uint32_t>(node.id) - 1].seen;
        if (state != seen) diary_.note(now, state);
        seen = state;
    }

    // The bound is for members that answer in time.
    static bool is_prompt(const Scenario& scenario, const typename A::Turn::Settings& settings) {
        const bool bounded = scenario.delay.shape != Delay::Shape::exponential;
        return bounded && scenario.links.empty() &&
               2 * longest_delay(scenario.delay) <= A::answer(settings);
    }

    void take_up(Id id, std::uint64_t token, Time now, Judge& judge) {
        if (token <= last_)
            judge.accuse("token", now, text(id) + " works under a token that is not greater");
        last_ = std::max(last_, token);
        ++terms_;
    }

    // The longest time without work that the bound speaks of.
    void judge_progress(Time now, Judge& judge) {
        if (bound_ == Duration{0} || working_ != 0 || fair_since_ == never) return;
        const Duration idle = now - std::max(idle_since_, fair_since_);
        if (idle > bound_ && idle_ <= bound_)
            judge.accuse("progress", now,
                         "nobody works for longer than " + format_duration(bound_));
        idle_ = std::max(idle_, idle);
    }

    // The newest roster that anybody knows, and the last one that was pending: a leader that
    // completed a change may have been the only one to know.
    bool learn(const lease::Roster& roster) {
        if (!lease::is_newer(roster, newest_)) return false;
        if (newest_.pending()) pending_ = newest_;
        newest_ = roster;
        return true;
    }
    bool suffice(const std::vector<Id>& clique) const {
        if (!newest_.known()) return A::suffices(clique, voters_.size());
        const auto has = [&](const lease::Seats& seats) {
            const auto count = std::count_if(clique.begin(), clique.end(),
                                             [&](Id id) { return is_seated(seats, id); });
            return seats.empty() || 2 * static_cast<std::size_t>(count) > seats.size();
        };
        return has(newest_.members) && has(newest_.before) && has(pending_.members) &&
               has(pending_.before);
    }

    // As many as suffice, one of which can lead, reach each other both ways.
    bool enough_meet(const Network& network) const {
        std::vector<Id> clique;
        return meets(network, 0, clique);
    }
    bool meets(const Network& network, std::size_t from, std::vector<Id>& clique) const {
        const auto leads = [&](Id id) {
            return voters_[static_cast<std::uint32_t>(id) - 1].eligible &&
                   (!newest_.known() || is_seated(newest_.members, id));
        };
        if (suffice(clique) && std::any_of(clique.begin(), clique.end(), leads)) return true;
        for (std::size_t i = from; i < voters_.size(); ++i) {
            const Id id{static_cast<std::uint32_t>(i) + 1};
            const bool fits =
                voters_[i].votes && std::all_of(clique.begin(), clique.end(), [&](Id other) {
                    return network.reaches(id, other) && network.reaches(other, id);
                });
            if (!fits) continue;
            clique.push_back(id);
            if (meets(network, i + 1, clique)) return true;
            clique.pop_back();
        }
        return false;
    }

    const Clocks& clocks_;
    Diary& diary_;
    Duration bound_;  // 0: there is none
    lease::Roster newest_{}, pending_{};
    std::vector<Voter> voters_;  // by id
    std::uint64_t last_ = 0;     // the greatest token so far
    std::uint64_t terms_ = 0;
    std::uint32_t working_ = 0;
    Time idle_since_{}, fair_since_ = never;
    Duration idle_{};
};

}  // namespace conclave::simulator
