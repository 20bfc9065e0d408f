// The members of a group, fixed once: names in alphabetical order, and the ids that follow from it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"
#include "conclave/lease/messages.hpp"

namespace conclave::agent {

class Roster {
public:
    static constexpr std::size_t most = 64;  // a guardian keeps so many death notices ready
    // Of the names, each with four bytes for its length: two such lists fit into a datagram.
    static constexpr std::size_t bytes_most = 1800;

    Roster() = default;
    explicit Roster(std::vector<std::string> names, std::uint32_t version = 1);

    Id id_of(std::string_view name) const;  // nobody: not a member
    const std::string& name_of(Id id) const { return names_[static_cast<std::uint32_t>(id) - 1]; }
    const std::vector<std::string>& names() const { return names_; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
    bool empty() const { return names_.empty(); }
    std::uint32_t version() const { return version_; }
    // What every ask carries, so that members of different rosters never promise to each other. Nor
    // do members with different promise times: a lease would outlast the shorter promise. Nor those
    // with and without a quorum.
    lease::Roster seal(Duration promise, bool no_quorum = false) const;
    bool operator==(const Roster&) const = default;

private:
    std::vector<std::string> names_;
    std::uint32_t version_ = 1;
};

// Empty when all is well, else what is wrong with it and what would be right.
std::string name_problem(std::string_view name);

std::string join(const std::vector<std::string>& names);  // "a, b, c"

// As datagrams carry them.
std::size_t size_on_wire(const std::vector<std::string>& names);
// Empty where they fit into a datagram, else what is wrong and what would be right.
std::string size_problem(const std::vector<std::string>& names);

}  // namespace conclave::agent
