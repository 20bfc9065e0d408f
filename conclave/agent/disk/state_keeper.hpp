// The disk's side of a node: what it must not forget, when that is on disk, and why it is not.
//
// Writes take their time and are answered later, in the order in which they were asked for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conclave/agent/disk/state_writer.hpp"
#include "conclave/agent/host.hpp"
#include "conclave/member/done.hpp"

namespace conclave::agent {

class StateKeeper {
public:
    struct Handlers {
        std::function<void(const std::string& problem)> roster;  // stored; or why it may not be
        std::function<void()> done;                              // the record of a command is
        std::function<void(std::uint64_t number, bool kept)> member;
    };
    // Loop and file outlive it.
    StateKeeper(net::Loop& loop, StateFile& file, State state, Handlers handlers);

    // As it was last given to the disk.
    const State& state() const { return state_; }
    std::vector<std::string> names() const;
    std::string path() const { return file_.path(); }

    // What the member remembers, by an algorithm, with a detection time, in a group with this seal.
    // Its number.
    std::uint64_t store_member(const std::string& algorithm, Duration detect, const Memory& memory,
                               const lease::Seal& seal);
    // Version 0: a complete list that is not fixed yet.
    void store_roster(const StoredRoster& roster);
    // As another member tells it: what this node may remember belongs to no member of it.
    void store_told(const lease::Roster& roster, const lease::Seal& seal);
    // This node is a member no longer.
    void store_removed();
    // The roster that is on disk for sure; unknown: as it was formed.
    const lease::Roster& kept_roster() const { return kept_roster_; }
    bool stores_roster() const { return roster_store_ != 0; }

    const member::DoneRecord& done() const { return done_; }
    bool learn_done(const member::Done& heard);  // false: it was known
    void retry_done();                           // where the disk failed

    // Looks whether the folder can be written to.
    void look() { folder_problem_ = file_.obstacle(); }
    // Why the last write failed, and why the next one would. Empty: it did not, it would not.
    const std::string& failure() const { return failure_; }
    const std::string& folder_problem() const { return folder_problem_; }

private:
    void hear(std::uint64_t number, const std::string& problem);
    void store_done();
    void note_names(const lease::Roster& roster);
    std::uint64_t write() { return asked_ = writer_.write(state_); }

    const StateFile& file_;  // the writer's thread has it
    State state_;
    Handlers handlers_;
    member::DoneRecord done_;
    lease::Roster kept_roster_;
    std::uint64_t asked_ = 0;                          // the last write
    std::uint64_t done_store_ = 0, roster_store_ = 0;  // numbers of writes; 0: none is under way
    std::string failure_{}, folder_problem_{};
    StateWriter writer_;
};

}  // namespace conclave::agent
