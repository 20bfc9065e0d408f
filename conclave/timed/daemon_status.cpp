// How the daemon stands.
#include "conclave/core/names.hpp"
#include "conclave/timed/daemon.hpp"

namespace conclave::timed {

namespace {

std::string fault_of(const clock::Master::Member& member) {
    switch (member.fault) {
        case clock::Fault::none: break;
        case clock::Fault::moved: return "its clock was set or changed its rate";
        case clock::Fault::offset: return "it claims another time than the majority";
        case clock::Fault::rate: return "it runs at another rate than the majority expects";
    }
    return member.report.complains ? "it complains about the master" : "";
}

// How far the clock that its users see is ahead of the network's time, as of its last report, and
// how fast it would run away if it were not corrected.
MemberStatus own_member(const clock::Master::Member& member, const clock::Line& network,
                        const std::string& name, bool kernel) {
    MemberStatus status{.name = name};
    const clock::Estimator& estimator = member.estimator;
    if (estimator.knows_rate()) {
        const clock::Line& line = estimator.estimate().line;
        const Time then = member.reported;
        status.offset_ns = (line(then) + member.report.shown - network(then)).count();
        status.rate_ppb = (line.rate - network.rate).ppt / 1000;
    }
    status.jitter_ns = estimator.scatter().deviation().count();
    status.error_ns = estimator.estimate().error.count();
    status.stamps = kernel ? "kernel" : "user";
    status.faulty = fault_of(member);
    return status;
}

}  // namespace

std::optional<clock::Rate> Daemon::drift() const {
    if (!keeper_.holdover().knows_rate()) return std::nullopt;
    return keeper_.holdover().rate();
}

clock::ErrorBound Daemon::error_bound() const {
    return keeper_.error_bound(timepiece_->raw_now(), timepiece_->beside(keeper_));
}

clock::Trust Daemon::trust() const {
    // Five rounds may be lost before a slave is taken to have gone, and a master as well.
    const Duration fresh = std::max<Duration>(std::chrono::seconds(10), 5 * timing_.round);
    return keeper_.trust(timepiece_->raw_now(), fresh);
}

// A master knows its slaves; everybody else those that it has heard lately.
bool Daemon::is_member(const Peer& peer) const {
    if (reign_) return brain_.daemon().list.contains(peer.id);
    return peer.id == brain_.leader() || company_.heard_lately(peer, loop_.time());
}

Status Daemon::status() const {
    Status status;
    status.name = config_.name;
    status.state = brain_.rests() ? "resting" : std::string(name_of(brain_.state()));
    status.master = brain_.leader() == me_ ? config_.name : company_.name_of(brain_.leader());
    status.term = reign_ ? reign_->master().term().number : keeper_.term().number;
    status.mode = bsd_times_ ? "bsd" : "own";
    status.round = timing_.round;
    status.synchronised = keeper_.is_set();
    status.remark = remark_;
    constexpr std::string_view kinds[] = {"system", "virtual", "none"};
    status.clock.kind = kinds[static_cast<std::size_t>(config_.clock)];
    status.clock.offset_ns = timepiece_->offset(keeper_).count();
    status.clock.drift_ppb = keeper_.holdover().rate().ppt / 1000;
    if (keeper_.is_set()) {
        const clock::ErrorBound bound = error_bound();
        status.clock.maximum_error_ns = bound.total().count();
        status.clock.estimated_error_ns = (bound.estimate / 3 + bound.slew + bound.visible).count();
    } else {
        status.clock.maximum_error_ns = status.clock.estimated_error_ns = -1;
    }
    for (const auto& [id, peer] : company_.all()) {
        if (!is_member(peer)) continue;
        const auto* member = reign_ ? reign_->master().find(id) : nullptr;
        if (member != nullptr) {
            status.members.push_back(own_member(*member, reign_->master().network(), peer.name,
                                                reign_->uses_kernel(id)));
            continue;
        }
        MemberStatus other{.name = peer.name, .own = peer.own};
        if (const auto at = bsd_readings_.find(id); at != bsd_readings_.end()) {
            other.stamps = "icmp";
            if (at->second.offset) other.offset_ns = at->second.offset->count();
            other.error_ns = (at->second.round_trip / 2).count();
            if (!at->second.offset) other.faulty = "it does not answer ICMP timestamps";
        }
        status.members.push_back(std::move(other));
    }
    status.dropped = dropped_;
    return status;
}

}  // namespace conclave::timed
