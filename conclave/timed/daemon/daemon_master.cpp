// The daemon as the master.
#include "conclave/clock/pace.hpp"
#include "conclave/clock/tempo_round.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"
#include "conclave/timed/daemon/daemon.hpp"
#include "conclave/timed/daemon/wire_date.hpp"

namespace conclave::timed {

namespace {

// BSD timed slews below, and steps at or above.
constexpr Duration step_limit = std::chrono::seconds(20);
// Clocks further apart do not agree; BSD timed is that coarse.
constexpr Duration agreement = std::chrono::milliseconds(20);
constexpr Duration granularity = std::chrono::milliseconds(5);
// From here on a mean of others is another date, and not slewed for hours.
constexpr Duration another_date = std::chrono::seconds(1);

}  // namespace

void Daemon::take_over() {
    took_over_ = loop_.time();
    remark_.clear();
    reign_.emplace(
        loop_, me_, *timepiece_, keeper_, config_.round, bsd_times_ ? config_.time_scale : 1,
        config_.seed ? *config_.seed : net::random_number(), static_cast<Reign::Stage&>(*this));
    looking_.set(took_over_ + timing_.first_round);
}

void Daemon::step_down() {
    reign_.reset();
    keeper_.doubt();  // it does not know the time of whom it gives way to
    bsd_round_.end();
    bsd_readings_.clear();
    looking_.stop();
    gathering_.stop();
    sending_.forget(Type::adjtime);
    sending_.forget(Type::settime);
    // Becomes a slave of the master that made it quit, uncalled: a BSD timed calls nobody.
    if (brain_.rests()) return;
    if (remark_.empty()) remark_ = "gave way to another master, and waits to be measured by it";
    seek_master();
}

// LOOP warms the way as well as anything else, if it is about to be said.
void Daemon::go_ahead(Id slave) {
    const bool due = looking_.due() - loop_.time() <= timing_.round / 4;
    due && !bsd_times_ ? look_around() : sockets_.warm(address_of(slave));
}

std::uint64_t Daemon::send_probe(Id slave, const Probe& probe, bool deputy) {
    return transmit(address_of(slave), {.type = Type::adjtime, .name = config_.name}, probe,
                    deputy);
}

void Daemon::lose(Id slave) {
    log_.notice(company_.name_of(slave) + " does not answer");
    brain_.suspect(slave);
}

// Not now: the reign that says so ends with it.
void Daemon::resign() { resigning_.set_after({}); }

// Leaves the election for a while, as if it had crashed, and comes back as a newcomer.
void Daemon::leave_office() {
    if (!reign_) return;
    log_.warn("resigns: the clock of this machine is wrong");
    remark_ = "resigned, because this machine's clock is wrong";
    keeper_.distrust();
    sending_.forget_all();
    waking_.set_after(clock::pace::rest);
    brain_.rest();
}

void Daemon::lead(const clock::Correction& correction) {
    const Time raw = timepiece_->raw_now(), network = raw + correction.line(raw);
    if (too_early("most clocks", network))  // of dead batteries: a master that knows better helps
        return reign_->change_date(config_.not_before - network);
    const bool before = keeper_.is_set();
    keeper_.lead(timepiece_->raw_now(), correction, reign_->master().backed());
    steer_clock();
    if (!before) turned();
}

// The first slave of our own that may become master.
Id Daemon::heir() const {
    for (const Id id : brain_.daemon().list)
        if (const Peer* peer = company_.find(id); peer != nullptr && peer->own && peer->eligible)
            return id;
    return nobody;
}

// The brain adjusts a slave. Ours are adjusted by their probes.
void Daemon::adjust(Id slave, bool deputy) {
    const Peer* peer = company_.find(slave);
    if (peer == nullptr) return;
    if (peer->own) {
        if (deputy && reign_) reign_->set_deputy(heir());
        return;
    }
    bsd_due_[slave] = peer->address;
    beginning_.set_after({});
}

// All that the brain adjusts in one turn are measured in one round; none while rivals come over.
void Daemon::begin_round() {
    if (!reign_ || bsd_due_.empty() || brain_.state() == TempoHost::State::conflict) return;
    const auto slaves = std::exchange(bsd_due_, {});
    if (bsd_round_.possible()) return bsd_round_.begin(slaves, network_now() - net::unix_time());
    for (const auto& [id, address] : slaves)
        if (Peer* peer = company_.find(id)) correct_bsd(*peer, std::nullopt);
}

// A newcomer of BSD's kind is told the time at once; one that comes in the first seconds of a
// master, or from a rival that quits, is told it in the next round, when all have been measured.
void Daemon::enlist(Peer& peer) {
    if (!reign_) return;
    if (peer.own) return reign_->probe_now(peer.id);
    if (!keeper_.is_set()) return;
    peer.told_time = false;
    peer.missed = peer.contested = 0;
    const bool conflict = brain_.state() == TempoHost::State::conflict;
    if (conflict || loop_.time() - took_over_ < timing_.first_round) return;
    correct_bsd(peer, std::nullopt);
}

// Gusella & Zatti's round: the mean of the clocks that agree, and to each what it lacks.
void Daemon::round_over(const std::vector<BsdRound::Reading>& readings) {
    if (!reign_ || !keeper_.is_set()) return;
    std::vector<Duration> offsets(1 + reign_->master().members().size());
    for (const BsdRound::Reading& reading : readings)
        if (reading.offset) offsets.push_back(*reading.offset);
    const clock::NetworkMean network = clock::network_mean(offsets, agreement);
    const bool holds = dictated_ != 0 || clock::magnitude(network.mean) < granularity;
    const Duration mean = holds ? Duration{0} : network.mean;
    if (dictated_ != 0) --dictated_;
    for (const BsdRound::Reading& reading : readings) {
        Peer* peer = company_.find(reading.slave);
        if (peer == nullptr) continue;
        bsd_readings_[reading.slave] = reading;
        if (reading.offset) {
            correct_bsd(*peer, mean - *reading.offset, mean);
        } else if (++peer->missed >= 3) {
            lose(peer->id);
        }
    }
    if (mean != Duration{0}) follow_others(mean);  // itself last
}

void Daemon::follow_others(Duration mean) {
    if (clock::magnitude(mean) < another_date) return reign_->move(mean);
    log_.notice("most clocks are off by " + format_duration(mean) + ": the network follows them");
    reign_->change_date(mean);
}

void Daemon::correct_bsd(Peer& peer, std::optional<Duration> by, Duration mean) {
    const Time date = network_now() + mean;
    bool sets = !by || !peer.told_time || clock::magnitude(*by) >= step_limit;
    if (sets && !bsd_understands(date)) {
        if (!by)
            return log_.warn(peer.name + " is not told the time: BSD timed knows no date after " +
                             "January 2038");
        sets = false;
    }
    sending_.forget_same(peer.id, Type::adjtime);
    peer.told_time = true;
    say_reliably(peer.id, sets ? Type::settime : Type::adjtime, {}, sets ? date : *by);
}

}  // namespace conclave::timed
