// Which times the daemon keeps: its own, or as long as a BSD timed is there, those of BSD timed.
#include "conclave/timed/daemon/daemon.hpp"

namespace conclave::timed {

namespace {

// Rounds without a word of a BSD timed, until it counts as gone.
constexpr int silent_rounds = 3;

}  // namespace

void Daemon::hear_bsd(const Peer& peer) {
    hears_bsd_until_ = loop_.time() + silent_rounds * bsd_timing(config_.time_scale).round;
    use_bsd_times(hears_bsd_until_, peer.name + " is a BSD timed");
}

void Daemon::hear_of_bsd(const Peer& peer) {
    use_bsd_times(loop_.time() + bsd_timing(config_.time_scale).round, peer.name + " knows of one");
}

// Only who hears a BSD timed itself says so to the others: else they would tell each other for ever
// after it has gone.
bool Daemon::hears_bsd() const {
    return config_.mode == Mode::bsd || loop_.time() < hears_bsd_until_;
}

void Daemon::use_bsd_times(Time until, const std::string& why) {
    if (config_.mode != Mode::automatic) return;
    if (!returning_.is_set() || returning_.due() < until) returning_.set(until);
    if (bsd_times_) return;
    bsd_times_ = true;
    set_timing();
    log_.notice("keeps the times of BSD timed from now on, because " + why);
}

void Daemon::use_own_times() {
    bsd_times_ = false;
    set_timing();
    log_.notice("keeps its own times again: no BSD timed has been heard for long");
    turned();
}

void Daemon::set_timing() {
    timing_ = bsd_times_ ? bsd_timing(config_.time_scale) : own_timing(config_.round);
    if (looking_.is_set()) looking_.set_earlier(loop_.time() + timing_.round);
    brain_.set_timing(timing_);
    sending_.set_first_wait(timing_.resend);
    // A name stays its owner's from one round to the next, and over two that are lost.
    company_.set_silence(std::max<Duration>(std::chrono::seconds(10), 3 * timing_.round));
}

}  // namespace conclave::timed
