#include "conclave/agent/group/refusals.hpp"

#include "conclave/agent/report/lately.hpp"
#include "conclave/agent/settings/own_key.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

std::string refusal_remark(const Config& config, wire::Drop reason) {
    using wire::Drop;
    const std::string claim = "claims to be of this group and is ",
                      remedy = "; give every node of the group the same --key FILE";
    const bool other = reason == Drop::unsealed || reason == Drop::other_key;
    if (other && uses_own_key(config))
        return claim + "not sealed with this user's key: perhaps another user runs group '" +
               config.group + "' on this machine" + remedy;
    switch (reason) {
        case Drop::unsealed: return claim + "not sealed: perhaps a node without --key" + remedy;
        case Drop::other_key:
            return claim + "sealed with another key: perhaps a node with another --key" + remedy;
        case Drop::keyed:
            return claim + "sealed, and this node has no key: perhaps a node with --key" + remedy;
        case Drop::forged: return claim + "wrongly sealed: damaged on the way";
        case Drop::version:
            return "claims a version that is not spoken here: perhaps a node to be upgraded";
        default: return {};
    }
}

void Refusals::note(const Config& config, const net::Log& log, wire::Drop reason,
                    const net::Address& from) {
    Time& told = told_[static_cast<std::size_t>(reason)];
    const Time now = net::boot_time();
    if (told != Time{} && now - told < Lately::span) return;
    const std::string remark = refusal_remark(config, reason);
    if (remark.empty()) return;
    told = now;
    log.warn("ignored a datagram from " + net::text(from) + ": it " + remark +
             "; or somebody forges them");
}

}  // namespace conclave::agent
