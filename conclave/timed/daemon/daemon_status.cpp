// How the daemon stands.
#include "conclave/core/names.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/timed/daemon/daemon.hpp"
#include "conclave/timed/report/growing_bound.hpp"

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
Measured own_measured(const clock::Master::Member& member, const clock::Line& network,
                      bool kernel) {
    Measured measured{.stamps = kernel ? "kernel" : "user"};
    const clock::Estimator& estimator = member.estimator;
    if (!estimator.knows_rate()) return measured;
    const clock::Line& line = estimator.estimate().line;
    const Time then = member.reported;
    measured.offset_ns = (line(then) + member.report.shown - network(then)).count();
    measured.rate_ppb = (line.rate - network.rate).ppt / 1000;
    measured.jitter_ns = estimator.scatter().deviation().count();
    measured.error_ns = estimator.estimate().error.count();
    return measured;
}

Measured bsd_measured(const BsdRound::Reading& reading) {
    Measured measured{.stamps = "icmp"};
    if (!reading.offset) return measured;
    measured.offset_ns = reading.offset->count();
    measured.error_ns = (reading.round_trip / 2).count();
    return measured;
}

}  // namespace

std::optional<clock::Rate> Daemon::drift() const {
    if (!keeper_.holdover().knows_rate()) return std::nullopt;
    return keeper_.holdover().rate();
}

clock::ErrorBound Daemon::error_bound() const {
    const Timepiece::Sight sight = timepiece_->look();
    return keeper_.error_bound(sight.raw, sight.shown - keeper_.servo().offset(sight.raw));
}

// Five rounds may be lost before a slave is taken to have gone, and a master as well.
Duration Daemon::patience() const {
    return std::max<Duration>(std::chrono::seconds(10), 5 * timing_.round);
}

clock::Trust Daemon::trust() const { return keeper_.trust(timepiece_->raw_now(), patience()); }

// Told once it changes, since nothing else need happen when others fall silent.
void Daemon::note_trust() {
    const clock::Trust now = trust();
    if (now == told_trust_) return;
    log_.notice("the clock is " + std::string(name_of(now)) + ", no longer " +
                std::string(name_of(told_trust_)));
    told_trust_ = now;
    trusted_since_ = loop_.time();
    on_change();
}

// For programs. What the clock shows does not matter to them: they are told the network's time.
page::Content Daemon::page_content() const {
    const bool is_virtual = config_.clock == ClockKind::virtual_;
    const Time before = net::raw_time();
    const Time real = net::unix_time();
    const Time raw = is_virtual ? timepiece_->raw_at(real) : timepiece_->raw_now();
    const Time after = net::raw_time();
    const Duration apart = (after - before) / 2;
    const page::Clocks at{before + apart, real};
    const Time source = is_virtual ? at.real : at.raw;
    const GrowingBound bound = growing_bound(keeper_, raw);
    // The raw clock runs at the source's rate, or at the virtual one's.
    const Time then = is_virtual ? timepiece_->raw_at(real + page::valid) : raw + page::valid;
    const Time network = raw + keeper_.line()(raw), network_then = then + keeper_.line()(then);
    return {.at = at,
            .slack = is_virtual ? clock::ppm(1000) : clock::ppm(120'000),
            .source = is_virtual ? page::Source::real : page::Source::raw,
            .offset = network - source,
            .rate = clock::rate_of(network_then - network - page::valid, page::valid),
            .error = bound.error + apart,
            .growth = bound.growth,
            .status = static_cast<TimeStatus>(trust())};
}

// A master knows its slaves; everybody else those that it has heard lately.
bool Daemon::is_member(const Peer& peer) const {
    if (reign_) return brain_.daemon().list.contains(peer.id);
    return peer.id == brain_.leader() || company_.heard_lately(peer, loop_.time());
}

ClockMemberStatus Daemon::member_status(const Peer& peer) const {
    ClockMemberStatus status{.name = peer.name,
                             .own = peer.own,
                             .address = net::text(peer.address),
                             .heard = loop_.time() - peer.heard};
    const auto* member = reign_ ? reign_->master().find(peer.id) : nullptr;
    if (member != nullptr) {
        status.measured =
            own_measured(*member, reign_->master().network(), reign_->uses_kernel(peer.id));
        status.faulty = fault_of(*member);
    } else if (const auto at = bsd_readings_.find(peer.id); at != bsd_readings_.end()) {
        status.measured = bsd_measured(at->second);
        if (!at->second.offset) status.faulty = "it does not answer ICMP timestamps";
    }
    return status;
}

// A BSD timed does not tell how many clocks it has averaged: its own and this one at the least.
std::uint32_t Daemon::clocks() const {
    if (reign_) return reign_->master().clocks();
    const Peer* master = company_.find(brain_.leader());
    const bool bsd = master != nullptr && !master->own && keeper_.is_set();
    return bsd ? std::max(keeper_.clocks(), 2u) : keeper_.clocks();
}

DaemonStatus Daemon::status() const {
    DaemonStatus status;
    status.name = config_.name;
    status.state = brain_.rests() ? "resting" : std::string(name_of(brain_.state()));
    status.master = brain_.leader() == me_ ? config_.name : company_.name_of(brain_.leader());
    status.term = reign_ ? reign_->master().term().number : keeper_.term().number;
    status.mode = bsd_times_ ? "bsd" : "own";
    status.round = timing_.round;
    status.has_time = keeper_.is_set();
    status.trust = trust();
    status.trusted_for = loop_.time() - trusted_since_;
    status.clocks = clocks();
    status.remark = remark_;
    status.warnings = warnings();
    status.wanted = config_.wanted;
    constexpr std::string_view kinds[] = {"system", "virtual", "none"};
    status.clock.kind = kinds[static_cast<std::size_t>(config_.clock)];
    if (keeper_.is_set() || config_.clock == ClockKind::virtual_)
        status.clock.offset_ns = timepiece_->offset(keeper_).count();
    status.clock.drift_ppb = keeper_.holdover().rate().ppt / 1000;
    if (status.trust != clock::Trust::unknown) status.clock.bound = error_bound();
    for (const auto& [id, peer] : company_.all())
        if (is_member(peer)) status.members.push_back(member_status(peer));
    status.dropped = dropped_;
    return status;
}

}  // namespace conclave::timed
