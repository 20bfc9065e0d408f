// The failovers that this node saw, by what ended the former term, to be held against the bound.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "conclave/agent/report/bound.hpp"
#include "conclave/member/terms.hpp"

namespace conclave::agent {

// The same cases as in Bound. `worst_ns` counts from the last word of the former leader.
struct FailoverStatus {
    std::string cause{};  // silent, died, handover
    Duration bound_ns{};
    std::uint64_t count = 0;  // failovers of this kind; 0: none was seen, and nothing measured
    Duration worst_ns{}, last_ns{};
};

class Failovers {
public:
    // `heard`: when the former leader was last heard. Where this node led itself: `now`.
    void note(const member::Change& change, Time heard, Time now);
    // At every heartbeat. `connected`: this node has heard a majority within --detect. One that has
    // not sees its own trouble, not that of the group: it measures nothing.
    void look(Time now, Duration detect, bool connected);

    // One for each case, with its bound.
    std::vector<FailoverStatus> list(const Bound& bound) const;

private:
    enum class Case : std::uint8_t { silent, died, handover };
    struct Seen {
        std::uint64_t count = 0;
        Duration worst{}, last{};
    };
    struct Gap {
        Case which = Case::silent;
        Id former = nobody;
        Time since{};
    };
    static std::optional<Case> case_of(const member::Change& change);

    std::array<Seen, 3> seen_{};
    std::optional<Gap> gap_{};  // no leader is known since then
};

}  // namespace conclave::agent
