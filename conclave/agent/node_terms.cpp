// Who led, and why no longer: what `why` tells, and what hooks are told.
#include <algorithm>

#include "conclave/agent/jitter.hpp"
#include "conclave/agent/node.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

void Node::note_change(const member::Change& change) {
    terms_.note(change, net::boot_time(), net::unix_time());
    if (change.leader == me_)
        log_.notice("leads");
    else if (change.leader != nobody)
        log_.notice("follows " + quoted(change.leader));
    else
        log_.notice(change.former == me_ ? "no longer leads" : "there is no leader");
    if (on_change) on_change();
}

// How the term of `change.former` ended, for people. Nobody's needs no reason to end.
std::string Node::end_of_term(const member::Change& change) const {
    using member::Cause;
    if (change.former == nobody) return {};
    const std::string name = quoted(change.former);
    switch (change.cause) {
        case Cause::silent: return name + " is silent";
        case Cause::left: return name + " has left";
        case Cause::died: return name + " died";
        case Cause::unhealthy: return name + " is unhealthy";
        case Cause::parts_met: return "two parts met again";
        case Cause::expired: return "the lease of " + name + " ended: no majority renewed it";
        case Cause::released:
        case Cause::unknown: break;
    }
    return change.leader != nobody ? quoted(change.leader) + " took over"
                                   : name + " gave the lease back";
}

// What ended the last term is how the next one came about.
std::string Node::reason(const member::Change& before) const {
    return before.former == nobody ? "elected" : end_of_term(before);
}

std::vector<TermStatus> Node::term_status() const {
    constexpr Duration ms = std::chrono::milliseconds(1);
    std::vector<TermStatus> list;
    for (const member::Term& term : terms_.last)
        list.push_back({roster_.name_of(term.leader), term.token, term.began / ms,
                        term.ended == never ? 0 : term.ended / ms, reason(term.brought_by),
                        end_of_term(term.ended_by)});
    return list;
}

// The worst of the last minutes: what this machine has shown that it does. Who is later than any
// leader may be was not late: it was stopped, or the machine slept, and no time would help.
void Node::note_lateness() {
    using std::chrono::milliseconds;
    constexpr std::int64_t forget = std::chrono::minutes(1) / milliseconds(1);  // to nothing
    const Time now = net::boot_time();
    const std::int64_t passed = std::min((now - beaten_) / milliseconds(1), forget);
    late_ -= late_ * passed / forget;
    const Duration late = last_due_ == Time{} ? Duration{} : now - last_due_;
    if (late < config_.detect) late_ = std::max(late_, late);
    beaten_ = now;
    const Duration least = least_detect(late_);
    if (config_.detect >= least || least <= advised_) return;
    advised_ = least;
    log_.warn("this machine rings its alarms up to " + format_duration(rounded(late_)) +
              " late: give all nodes --detect " + format_duration(least) +
              " or more, or --stretch");
}

void Node::note_sighting(const member::Sighting& sighting) {
    using member::Cause;
    const std::string name = quoted(sighting.who);
    if (!sighting.back) {
        company_.vacate(sighting.who);
        return log_.info(name + (sighting.how == Cause::left   ? " has left"
                                 : sighting.how == Cause::died ? " died"
                                                               : " is silent"));
    }
    // It was cut off: whatever it believed meanwhile, this node leads.
    if (leader() != me_) return;
    ++terms_.merges;
    log_.info(name + " is back");
    if (on_change) on_change();
}

}  // namespace conclave::agent
