// The trace of a run, for people: one record for everything that happened, in order of time.
//
// Hosts fill it; diagrams and exports read it. It is text already: who reads a trace need not know
// the algorithm that made it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"
#include "conclave/trace/machine_record.hpp"

namespace conclave::trace {

enum class Kind : std::uint8_t {
    start,      // `node` comes up, remembering nothing
    recover,    // `node` comes up again with what it stored
    call,       // `node` is asked to call an election
    timer,      // a timer of `node` expires; text: its name
    suspect,    // the detector of `node` suspects `other`
    trust,      // ... and no longer does
    send,       // `node` sends `flight` to `other` (everyone: a broadcast, followed by its copies)
    arrive,     // `flight` from `other` reaches `node`
    lose,       // `flight` from `other` does not reach `node`; text: why
    state,      // `node` is now in the state `text`
    follow,     // `node` now believes that `other` leads (nobody: no one)
    store,      // `node` stored `text`
    report,     // `node` reports `text` to the people
    crash,      // `node` stops for good or until it recovers
    pause,      // `node` stops ...
    resume,     // ... and goes on as if nothing had happened
    network,    // a change of the network; text: "partition 1,2 | 3", "heal"
    violation,  // a property is violated; text: which, and how
};

struct Record {
    Time time{};
    Kind kind{};
    Id node = nobody;
    Id other = nobody;
    std::uint64_t flight = 0;  // one number a copy of a message, from 1; 0: none
    std::string text;          // of a message: as it prints, "Election(7)"
    // Of a message that is sent or lost on its way: the number that its sender gave it. The
    // decisions about it have that number: "lose 3>4 #17". 0: unknown.
    std::uint32_t count = 0;
    std::uint64_t rows = 0;  // of what sets off a turn: bits of the table's rows that fired in it
};

struct Trace {
    std::string title;  // "chang-roberts, 5 nodes, seed 1"
    std::vector<Id> nodes;
    std::vector<Record> records;
    std::vector<MachineChange> machines{};  // of a cluster; of any other run, none

    void add(Time time, Kind kind, Id node, Id other = nobody, std::uint64_t flight = 0,
             std::string text = {}) {
        records.push_back({time, kind, node, other, flight, std::move(text), 0, 0});
    }
};

}  // namespace conclave::trace
