// The members of a group by name, and their ids, as far as this node knows: those that formed it in
// alphabetical order, and everybody else in the order in which they came. An id is given once.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"
#include "conclave/lease/lease_messages.hpp"

namespace conclave::agent {

class Roster {
public:
    static constexpr std::size_t most = 64;  // a guardian keeps so many death notices ready
    // Of the names, each with four bytes for its length: two such lists fit into a datagram.
    static constexpr std::size_t bytes_most = 1800;

    Roster() = default;
    // As a group is formed.
    explicit Roster(std::vector<std::string> names);
    // The lease knows a newer one. Whoever left keeps its name here, for the history.
    void renew(const lease::Roster& stamped);

    Id id_of(std::string_view name) const;  // nobody: neither a member nor on its way out
    std::string name_of(Id id) const;
    const std::vector<std::string>& names() const { return names_; }  // of the members, in order
    // With those that a pending change removes.
    std::vector<Id> ids() const;
    std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
    bool empty() const { return names_.empty(); }
    // As the lease has it.
    const lease::Roster& stamped() const { return stamped_; }
    bool changed() const { return stamped_.changed(); }
    // Every ask carries it, so that members of different groups never promise to each other. Nor
    // do members with different promise times: a lease would outlast the shorter promise. Nor those
    // with and without a quorum. Of a group that changed, the one of its first change counts.
    lease::Seal seal(Duration promise, bool no_quorum = false) const;
    bool operator==(const Roster& other) const { return names_ == other.names_; }

private:
    lease::Roster stamped_{};
    std::vector<std::string> names_{};
    std::map<Id, std::string> called_{};  // everybody that this node has known
};

// As the lease knows it before any change: L, D and the heartbeat.
lease::Roster formed_roster(const Roster& roster, Duration promise, Duration lease,
                            Duration heartbeat);

// Is the pending change one of times?
inline bool changes_times(const lease::Roster& roster) {
    return roster.pending() && roster.members == roster.before;
}

// "adds 'd'", "removes 'c'", "replaces 'c' by 'd'", "sets --detect 2s ..."; empty: no change is
// pending.
std::string pending_change(const Roster& roster);

inline constexpr Duration longest_span =
    std::chrono::hours(24 * 365 * 10);  // sums of a few cannot overflow

// Could a member have said this? Names are names, and they fit into a datagram.
bool makes_sense(const lease::Roster& roster);

// Empty when all is well, else what is wrong with it and what would be right.
std::string name_problem(std::string_view name);

std::string join(const std::vector<std::string>& names);  // "a, b, c"

// As datagrams carry them.
std::size_t size_on_wire(const std::vector<std::string>& names);
// Empty where they fit into a datagram, else what is wrong and what would be right.
std::string size_problem(const std::vector<std::string>& names);

}  // namespace conclave::agent
