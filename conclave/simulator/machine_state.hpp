// Reads off a machine of a cluster what people want to see of it.
#pragma once

#include "conclave/member/machine.hpp"
#include "conclave/simulator/clocks.hpp"
#include "conclave/simulator/member.hpp"
#include "conclave/trace/machine.hpp"

namespace conclave::simulator {

// `local`: what the node's clock shows at the real time `now`.
template <class Machine>
trace::MachineState machine_state(const Member<Machine>& node, Time local, Time now,
                                  const Clocks& clocks) {
    using State = trace::MachineState;
    State state;
    state.node = node.id;
    if (!node.lives()) return state;
    const Machine& machine = node.algorithm;
    const auto& lease = member::lease_in(machine.brain);
    const auto real = [&](Time at) {
        if (at <= local) return Time{0};
        return clocks.expect(static_cast<std::uint32_t>(node.id), now, at - local);
    };
    state.agent = static_cast<State::Agent>(machine.agent);
    state.work = static_cast<State::Work>(machine.work);
    if (machine.guardian)
        state.guardian = machine.asleep ? State::Guardian::paused : State::Guardian::watching;
    state.amnesiac = lease.voter.amnesiac;
    state.token = machine.token();
    if (lease.candidacy.ballot.stands()) {
        state.candidate = lease::token_of(lease.candidacy.ballot);
        state.lease_ends = real(lease.ends);
    }
    if (state.promise_ends = real(lease.voter.until); state.promise_ends != Time{0}) {
        state.promised = lease.voter.highest.member;
        state.ballot = lease::token_of(lease.voter.highest);
    }
    state.grace_ends = real(lease.voter.quarantine);
    return state;
}

}  // namespace conclave::simulator
