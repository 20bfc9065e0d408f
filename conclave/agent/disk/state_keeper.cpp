#include "conclave/agent/disk/state_keeper.hpp"

#include <utility>

#include "conclave/agent/group/named_roster.hpp"

namespace conclave::agent {

StateKeeper::StateKeeper(net::Loop& loop, StateFile& file, State state, Handlers handlers)
    : file_(file),
      state_(std::move(state)),
      handlers_(std::move(handlers)),
      done_{state_.done, state_.done},
      kept_roster_(state_.stamped),
      writer_(loop, file,
              [this](std::uint64_t number, const std::string& problem) { hear(number, problem); }) {
}

std::vector<std::string> StateKeeper::names() const {
    std::vector<std::string> names;
    for (const StoredMember& member : state_.roster.members) names.push_back(member.name);
    return names;
}

// For people, and for the settings that a later start is given.
void StateKeeper::note_names(const lease::Roster& roster) {
    Roster named;
    named.renew(roster);
    state_.roster.version = 1;
    state_.roster.members.clear();
    for (const std::string& name : named.names()) state_.roster.members.push_back({name, 0});
}

std::uint64_t StateKeeper::store_member(const std::string& algorithm, Duration detect,
                                        const Memory& memory, const lease::Seal& seal) {
    state_.algorithm = algorithm;
    state_.stored.assign(memory.stored.begin(), memory.stored.end());
    state_.highest = memory.highest;
    const Duration longest = std::max(detect, memory.roster.promise);
    state_.lease = memory.used != state_.used ? longest : std::max(state_.lease, longest);
    state_.used = memory.used;
    if (memory.roster != state_.stamped) {
        state_.stamped = memory.roster;
        state_.seal = seal;
        note_names(memory.roster);
    }
    return write();
}

void StateKeeper::store_roster(const StoredRoster& roster) {
    state_.roster = roster;
    roster_store_ = write();
}

void StateKeeper::store_told(const lease::Roster& roster, const lease::Seal& seal) {
    state_.stored.clear();
    state_.stamped = roster;
    state_.seal = seal;
    note_names(roster);
    roster_store_ = write();
}

void StateKeeper::store_removed() {
    state_.removed = true;
    roster_store_ = write();
}

bool StateKeeper::learn_done(const member::Done& heard) {
    if (!done_.learn(heard)) return false;
    store_done();
    return true;
}

void StateKeeper::retry_done() {
    if (done_store_ == 0 && !done_.is_kept()) store_done();
}

void StateKeeper::store_done() {
    state_.done = done_.known;
    done_store_ = write();
}

void StateKeeper::hear(std::uint64_t number, const std::string& problem) {
    failure_ = problem;
    if (problem.empty() && number == asked_) kept_roster_ = state_.stamped;
    if (roster_store_ != 0 && number >= roster_store_) {
        roster_store_ = 0;
        return handlers_.roster(problem);
    }
    if (done_store_ != 0 && number >= done_store_) {
        done_store_ = 0;
        if (problem.empty()) {
            done_.kept = done_.known;
            handlers_.done();
        }
    }
    handlers_.member(number, problem.empty());
}

}  // namespace conclave::agent
