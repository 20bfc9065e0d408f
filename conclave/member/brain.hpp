// What the model of a machine must know of what its agent runs: a whole member, or a lease alone.
#pragma once

#include <array>

#include "conclave/member/faults.hpp"
#include "conclave/member/member.hpp"

namespace conclave::member {

template <class Brain>
inline constexpr bool is_whole = Handles<Brain, Condition>;

// The lease inside a member, or the lease itself.
template <class Brain>
auto& lease_in(Brain& brain) {
    if constexpr (requires { brain.lease; })
        return brain.lease;
    else
        return brain;
}

// "cluster-tempo"; the lease around nothing in particular is just "lease".
template <class Brain>
inline constexpr auto machine_name = [] {
    constexpr std::string_view inner = Brain::card.name;
    constexpr std::string_view prefix = inner.empty() ? "lease" : "cluster-";
    std::array<char, prefix.size() + inner.size()> letters{};
    prefix.copy(letters.data(), prefix.size());
    inner.copy(letters.data() + prefix.size(), inner.size());
    return letters;
}();

// A machine whose operator has a plan for its roster is called after that.
template <class Brain, class Plan>
consteval Card card_of() {
    Card card = Brain::card;
    card.name = {machine_name<Brain>.data(), machine_name<Brain>.size()};
    if (!std::same_as<Plan, Nothing> && !is_whole<Brain>) card.name = "roster";
    return card;
}
template <class Brain, class Plan>
using FaultsOf =
    std::conditional_t<std::same_as<Plan, Nothing>,
                       std::conditional_t<is_whole<Brain>, MemberFaults, Faults>,
                       std::conditional_t<is_whole<Brain>, ChangingFaults, RosterFaults>>;

template <class Brain>
typename Brain::Turn::Settings as_witness(typename Brain::Turn::Settings settings) {
    if constexpr (is_whole<Brain>)
        settings.lease.witness = true;
    else
        settings.witness = true;
    return settings;
}

template <class Settings>
Duration heartbeat_of(const Settings& settings) {
    if constexpr (requires { settings.lease.heartbeat; })
        return settings.lease.heartbeat;
    else
        return settings.heartbeat;
}

// The longest time without work while a majority is up, connected and left in peace, if each
// answers within the time that is set; 0: nobody looks after the leader, so there is no bound.
template <class Brain>
Duration longest_idle(const typename Brain::Turn::Settings& settings) {
    if constexpr (is_whole<Brain>)
        return settings.idle_most();
    else
        return Duration{0};
}
template <class Brain>
Duration answer_of(const typename Brain::Turn::Settings& settings) {
    if constexpr (is_whole<Brain>)
        return settings.answer;
    else
        return Duration{0};
}

// As a turn of a lease, for its first roster.
template <class LeaseSettings>
struct FirstOf {
    const LeaseSettings& settings;
};

// As hosts do: the roster as it was formed, which a newcomer is not in.
template <class Machine, class Turn>
void tell_first_roster(Machine& machine, Turn& turn) {
    const FirstOf<decltype(turn.settings.agent.lease)> first{turn.settings.agent.lease};
    if (lease::has_rosters(first)) machine.tell(Told{lease::first_roster(first)}, turn);
}

// An agent that was asked to end does so when its work is gone and its hooks have run: until then
// it listens like any other.
template <class Machine, class Turn>
void end_if_departed(Machine& machine, Turn& turn) {
    const auto& brain = machine.brain;
    const bool up = machine.agent == Machine::Agent::up;
    if (!up || !brain.departing || brain.lease.acting || machine.works()) return;
    if (turn.settings.hooks != Duration{0} && !machine.hooked) {
        turn.set(typename Machine::Hooked{}, turn.settings.hooks);
        return;
    }
    turn.broadcast(Leaving{});
    machine.end_agent(turn);
}

// ---------------------------------------------------------------- requests to a machine

template <class Machine, class Turn>
void heed(Machine& machine, HealthFails, Turn& turn) {
    machine.condition.healthy = false;
    machine.inform(turn);
}
template <class Machine, class Turn>
void heed(Machine& machine, HealthRecovers, Turn& turn) {
    machine.condition.healthy = true;
    machine.inform(turn);
}
template <class Machine, class Turn>
void heed(Machine& machine, AgentSetAside, Turn& turn) {
    machine.condition.paused = true;
    machine.inform(turn);
}
template <class Machine, class Turn>
void heed(Machine& machine, AgentReinstated, Turn& turn) {
    machine.condition.paused = false;
    machine.inform(turn);
}
template <class Machine, class Turn>
void heed(Machine& machine, RosterChanges, Turn& turn) {
    if (machine.agent != Machine::Agent::up) return;
    const auto& lease = lease_in(machine.brain);
    const auto wish = turn.settings.plan.next(lease.disk.roster, lease.candidacy, turn);
    if (wish) machine.tell(*wish, turn);
}
template <class Machine, class Turn>
void heed(Machine& machine, AgentLeaves, Turn& turn) {
    if (machine.agent != Machine::Agent::up) return;
    machine.tell(Depart{}, turn);
    end_if_departed(machine, turn);
}

}  // namespace conclave::member
