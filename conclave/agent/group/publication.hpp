// The value that a leader publishes: a small text of the application's, which every member sees.
//
// It is said together with the token of the term in which it holds. A member shows it only while it
// follows that very token, so nobody reads the value of a former leader as that of the present one.
#pragma once

#include <cstdint>
#include <string>

#include "conclave/agent/group/presence.hpp"

namespace conclave::agent {

class Publications {
public:
    // This node's own, for all terms in which it leads; empty: none. published_problem() allows it.
    void publish(std::string value);
    // Whether there is something to say while this node leads. A value that was taken back is, too.
    bool any() const { return own_.number != 0; }
    // As it is said in the term of `token`.
    Publication under(std::uint64_t token) const { return {token, own_.number, own_.value}; }
    // Another member's; true: it is later than what was heard before.
    bool hear(const Publication& said);
    // As it holds in the term of `token`; empty: nothing was published, or it was not heard yet.
    std::string heard(std::uint64_t token) const;
    const std::string& own() const { return own_.value; }

private:
    Publication own_{}, heard_{};
};

}  // namespace conclave::agent
