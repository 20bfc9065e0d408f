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

void Node::note_term(Id former, Id leader) {
    const Time now = net::boot_time();
    if (former == nobody) leaderless_ += now - leaderless_since_;
    if (leader == nobody)
        leaderless_since_ = now;
    else
        ++changes_;
    const LeaseView view = host_->view();
    if (former != nobody && cause_.empty()) {
        const std::string name = "'" + roster_.name_of(former) + "'";
        const bool ended = former == me_ && !view.leaving && view.ends - now <= config_.grace;
        cause_ = leader != nobody ? "'" + roster_.name_of(leader) + "' took over"
                 : ended          ? "the lease of " + name + " ended: no majority renewed it"
                                  : name + " gave the lease back";
    }
    if (!terms_.empty() && terms_.back().ended_ms == 0) {
        terms_.back().ended_ms = unix_ms();
        terms_.back().end = cause_;
    }
    // What ended the last term is how the next one came about.
    if (!cause_.empty()) reason_ = std::exchange(cause_, {});
    if (leader == nobody) return;
    if (reason_.empty()) reason_ = "elected";
    if (terms_.size() == terms_kept) terms_.erase(terms_.begin());
    terms_.push_back({roster_.name_of(leader), token_of(view), unix_ms(), 0, reason_, {}});
}

// The present leader's, or else the last one's. This node may follow one to whom it could not
// promise, and has then to hear it first.
std::uint64_t Node::token_of(const LeaseView& view) const {
    if (leader_ == nobody) return terms_.empty() ? 0 : terms_.back().token;
    if (leader_ == me_) return lease::token_of(view.ballot);
    lease::Ballot ballot;
    for (const lease::Ballot& each : {view.promised, view.held})
        if (each.member == leader_) ballot = lease::greater_of(ballot, each);
    return lease::token_of(ballot);
}

std::int64_t Node::leaderless_ms() const {
    const Duration now = leader_ == nobody ? net::boot_time() - leaderless_since_ : Duration{};
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

// A member that was cut off is back: whatever it believed meanwhile, this node leads.
void Node::note_return(Id member) {
    if (std::erase(silent_, member) == 0 || leader_ != me_) return;
    ++merges_;
    log_.info("'" + roster_.name_of(member) + "' is back");
    if (on_change) on_change();
}

}  // namespace conclave::agent
