// Who may lead, and who should be next: ranks by what each member said about itself.
#pragma once

#include <vector>

#include "conclave/member/detector.hpp"
#include "conclave/member/member_messages.hpp"

namespace conclave::member {

// What each member said last; `known`: it has said anything.
struct Introduced {
    Attributes said{};
    bool known = false;
};

// <eligible, incumbent, priority, id>: who has not said anything is taken for eligible.
struct Eligibility {
    std::vector<Introduced> members;

    Introduced& at(Id id) { return members[static_cast<std::uint32_t>(id) - 1]; }
    const Introduced& at(Id id) const { return members[static_cast<std::uint32_t>(id) - 1]; }

    Rank rank_of(Id id, bool incumbent) const {
        return make_rank(at(id).said.eligible(), incumbent, at(id).said.priority, id);
    }

    // Who should lead after `me`: the best that is eligible and alive; nobody: there is none.
    Id successor(Id me, const Detector& detector) const {
        Id best = nobody;
        for (std::uint32_t i = 1; i <= members.size(); ++i) {
            const Id id{i};
            const Introduced& each = at(id);
            if (id == me || detector.suspects(id) || !each.known || !each.said.eligible()) continue;
            if (best == nobody || rank_of(id, false) > rank_of(best, false)) best = id;
        }
        return best;
    }
};

}  // namespace conclave::member
