// Who is no member sees the group all the same; and two leaders of parts that meet again.
#include <algorithm>

#include "conclave/agent/node.hpp"

namespace conclave::agent {

// The members have agreed long ago, or do so now: what they say is taken as it is.
void Node::adopt_roster(const Presence& presence) {
    if (!presence.fixed || presence.observer) return;
    const auto& names = presence.roster;
    std::string obstacle;
    if (config_.expect != 0 && names.size() != config_.expect)
        obstacle = "group '" + config_.group + "' has " + std::to_string(names.size()) +
                   " members: --expect cannot be " + std::to_string(config_.expect);
    else if (std::find(names.begin(), names.end(), config_.name) != names.end())
        obstacle = "'" + config_.name + "' is a member of group '" + config_.group +
                   "', and --observer is none: give it another --name";
    if (!obstacle.empty()) {
        if (insisted()) end(exit_code::refused, obstacle);
        return;
    }
    begin_election(Roster(names), true);
}

// Their word counts where renewals do not reach an observer.
void Node::observe(Id member, Id follows) {
    standing_.hear(member, follows);
    const Id agreed = standing_.agreed();
    if (agreed != nobody)
        set_leader(agreed);
    else if (standing_.leaderless())
        set_leader(nobody);
}

void Node::note_held(Id from, const lease::Ballot& held) {
    if (config_.no_quorum) give_way(from, held);
    if (from != leader_ || terms_.empty() || terms_.back().token != 0) return;
    terms_.back().token = lease::token_of(held);
    if (on_change) on_change();
}

// Without a quorum two parts that meet again have a leader each: the lesser token goes, so that
// tokens grow for whoever follows the other.
void Node::give_way(Id other, const lease::Ballot& held) {
    const LeaseView view = host_->view();
    if (!view.acting || view.leaving || !lease::less(view.ballot, held)) return;
    cause_ = "two parts met again";
    log_.notice("gives way to '" + roster_.name_of(other) + "', for " + cause_);
    host_->resign(other);
}

}  // namespace conclave::agent
