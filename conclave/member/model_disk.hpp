// The disk of the model of a machine.
//
// One that takes its time writes what is stored when it gets there, in order, and what was said
// behind it waits. A member that waits for longer than a heartbeat is told that it may not be
// stored, as an agent tells it.
#pragma once

#include "conclave/core/around.hpp"
#include "conclave/core/withheld.hpp"
#include "conclave/lease/rules.hpp"
#include "conclave/member/brain.hpp"

namespace conclave::member {

template <class Stored, class Message>
struct SlowDisk {
    bool writing = false;      // `pending` is on its way
    bool awaited = false;      // nobody has given up waiting yet
    Stored pending{};          // the last of what is to be written
    Withheld<Message> said{};  // behind it
};

// At once. Is it known to be on disk?
template <class Machine, class Stored, class Turn>
bool write(Machine& machine, const Stored& stored, Turn& turn) {
    using Disk = typename Machine::Disk;
    const Disk fault = machine.fault;
    if (fault == Disk::full || fault == Disk::slow) return false;
    machine.disk = stored;
    if (fault != Disk::unsynced) turn.store(machine.disk);
    return fault == Disk::well ||
           (fault == Disk::unsynced && !lease::kept(turn, lease::Rule::folder_synchronised));
}

template <class Machine, class Turn>
void retry_store(Machine& machine, Turn& turn) {
    if constexpr (Machine::whole)
        machine.tell(RetryStore{}, turn);
    else
        machine.think(turn, [](auto& lease, auto& inner) { lease.catch_up(inner); });
}

// Takes what a turn said behind its store.
template <class Machine, class Effects, class Turn>
void begin_write(Machine& machine, Effects& effects, Turn& turn) {
    auto& slow = machine.slow;
    if (!slow.awaited) turn.set(typename Machine::Overdue{}, heartbeat_of(turn.settings.agent));
    slow.writing = slow.awaited = true;
    slow.pending = *effects.stored;
    slow.said.hold(effects, slow.said.asked + 1);
}

template <class Machine, class Turn>
void give_up_write(Machine& machine, Turn& turn) {
    machine.slow.awaited = false;
    machine.slow.said.drop(machine.slow.said.asked);
    machine.tell(lease::Unkept{}, turn);
}

template <class Machine, class Turn>
void finish_write(Machine& machine, Turn& turn) {
    auto& slow = machine.slow;
    machine.disk = slow.pending;
    turn.store(machine.disk);
    turn.stop(typename Machine::Overdue{});
    for (const auto& send : slow.said.release(slow.said.asked))
        turn.send(send.to, widen<typename Turn::Message>(send.message));
    slow = {};
    machine.tell(lease::Kept{}, turn);
}

template <class Machine, class Turn>
void heed(Machine& machine, DiskFills, Turn&) {
    machine.fault = Machine::Disk::full;
}
template <class Machine, class Turn>
void heed(Machine& machine, FolderUnsynced, Turn&) {
    machine.fault = Machine::Disk::unsynced;
}
template <class Machine, class Turn>
void heed(Machine& machine, WriteUnconfirmed, Turn&) {
    machine.fault = Machine::Disk::unconfirmed;
}
template <class Machine, class Turn>
void heed(Machine& machine, DiskSlows, Turn&) {
    machine.fault = Machine::Disk::slow;
}
// The agent tries again now and then.
template <class Machine, class Turn>
void heed(Machine& machine, DiskRecovers, Turn& turn) {
    machine.fault = Machine::Disk::well;
    if (machine.agent != Machine::Agent::up) return;
    if (machine.slow.writing) finish_write(machine, turn);
    if (lease_in(machine.brain).failing) retry_store(machine, turn);
}

}  // namespace conclave::member
