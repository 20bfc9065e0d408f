// Reads off a machine of a cluster what people want to see of it.
#pragma once

#include "conclave/member/machine.hpp"
#include "conclave/simulator/world/clocks.hpp"
#include "conclave/simulator/world/simulated_node.hpp"
#include "conclave/trace/machine_record.hpp"

namespace conclave::simulator {

// Shows a lease among members. `real`: the real time at which the node's clock shows another.
template <class Lease, class Real>
void show_lease(const Lease& lease, const Real& real, trace::MachineState& state) {
    state.amnesiac = lease.voter.amnesiac;
    if (lease.candidacy.ballot.stands()) {
        state.candidate = lease::token_of(lease.candidacy.ballot);
        state.lease_ends = real(lease.ends);
    }
    if (state.promise_ends = real(lease.voter.until); state.promise_ends != Time{0}) {
        state.promised = lease.voter.highest.member;
        state.ballot = lease::token_of(lease.voter.highest);
    }
    state.grace_ends = real(lease.voter.quarantine);
}

// `local`: what the node's clock shows at the real time `now`.
template <class Machine>
trace::MachineState machine_state(const SimulatedNode<Machine>& node, Time local, Time now,
                                  const Clocks& clocks) {
    using State = trace::MachineState;
    State state;
    state.node = node.id;
    if (!node.lives()) return state;
    const Machine& machine = node.algorithm;
    const auto real = [&](Time at) {
        if (at <= local) return Time{0};
        return clocks.expect(static_cast<std::uint32_t>(node.id), now, at - local);
    };
    state.agent = static_cast<State::Agent>(machine.agent);
    state.work = static_cast<State::Work>(machine.work);
    if (machine.guardian)
        state.guardian = machine.asleep ? State::Guardian::paused : State::Guardian::watching;
    state.token = machine.token();
    if constexpr (requires { Machine::whole; })
        show_lease(member::lease_in(machine.brain), real, state);
    else
        state.lease_ends = real(machine.brain.ends);  // over a cell nobody promises anything
    return state;
}

}  // namespace conclave::simulator
