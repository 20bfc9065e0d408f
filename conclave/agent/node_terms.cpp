// Who led, and why no longer: what `why` tells, and what hooks are told.
#include <algorithm>

#include "conclave/agent/jitter.hpp"
#include "conclave/agent/node.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

constexpr std::size_t terms_kept = 16;

std::int64_t unix_ms() { return net::unix_time() / std::chrono::milliseconds(1); }

}  // namespace

void Node::note_change(const member::Change& change) {
    note_term(change);
    if (change.leader == me_)
        log_.notice("leads");
    else if (change.leader != nobody)
        log_.notice("follows " + quoted(change.leader));
    else
        log_.notice(change.former == me_ ? "no longer leads" : "there is no leader");
    if (on_change) on_change();
}

// Nobody's term needs no reason to end.
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

void Node::note_term(const member::Change& change) {
    const Time now = net::boot_time();
    if (change.former == nobody) leaderless_ += now - leaderless_since_;
    if (change.leader == nobody)
        leaderless_since_ = now;
    else
        ++changes_;
    const std::string end = end_of_term(change);
    if (!terms_.empty() && terms_.back().ended_ms == 0) {
        terms_.back().ended_ms = unix_ms();
        terms_.back().end = end;
    }
    // What ended the last term is how the next one came about.
    if (!end.empty()) reason_ = end;
    if (change.leader == nobody) return;
    if (reason_.empty()) reason_ = "elected";
    if (terms_.size() == terms_kept) terms_.erase(terms_.begin());
    terms_.push_back({roster_.name_of(change.leader), 0, unix_ms(), 0, reason_, {}});
}

// Of a leader to whom it could not promise, a node learns the token when it hears its renewals.
void Node::note_token(const member::View& view) {
    if (view.leader == nobody || terms_.empty() || terms_.back().token != 0) return;
    terms_.back().token = token_of(view);
    if (terms_.back().token != 0 && on_change) on_change();
}

// The present leader's, or else the last one's. This node may follow one to whom it could not
// promise, and has then to hear it first.
std::uint64_t Node::token_of(const member::View& view) const {
    if (view.leader == nobody) return terms_.empty() ? Token{} : terms_.back().token;
    if (view.leader == me_) return lease::token_of(view.ballot);
    lease::Ballot ballot;
    for (const lease::Ballot& each : {view.promised, view.held})
        if (each.member == view.leader) ballot = lease::greater_of(ballot, each);
    return lease::token_of(ballot);
}

std::int64_t Node::leaderless_ms() const {
    const Duration now = leader() == nobody ? net::boot_time() - leaderless_since_ : Duration{};
    return (leaderless_ + now) / std::chrono::milliseconds(1);
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
    ++merges_;
    log_.info(name + " is back");
    if (on_change) on_change();
}

}  // namespace conclave::agent
