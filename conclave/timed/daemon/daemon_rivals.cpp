// There is one master: rivals, and slaves whose master was deposed.
//
// Two masters of our own compare the clocks behind them (clock/master.hpp). A BSD timed does not
// tell how many it has; whoever hears the other's LOOP says QUIT. So a master of ours that has
// slaves contests the QUIT of a BSD timed, by a QUIT of its own, and calls everybody: clocks of
// both sides are measured before any is set, and the majority's time is kept. A BSD timed that
// insists, as one that believes nobody but itself (timed -F), is obeyed at the third time. A master
// that is alone gives way at once.
#include "conclave/net/random.hpp"
#include "conclave/timed/daemon/daemon.hpp"

namespace conclave::timed {

namespace {

constexpr std::uint8_t hops = 10;
constexpr std::uint32_t contests = 2;
// For so long a master that an operator let resign does not become master again, if another is.
constexpr Duration abstinence = std::chrono::minutes(1);

}  // namespace

bool Daemon::must_quit_for(const Peer& peer, const Request& request) {
    const auto& trailer = request.heard.trailer;
    return reign_ && trailer && reign_->gives_way_to(peer.id, trailer->clocks);
}
bool Daemon::may_quit_for(const Peer& peer, const Request& request) {
    const auto& trailer = request.heard.trailer;
    return !reign_ || !trailer || reign_->quits_for(peer.id, trailer->clocks);
}
bool Daemon::has_slaves() const { return reign_ && !brain_.daemon().list.empty(); }

void Daemon::hear_quit(Peer& peer, const Request& request) {
    if (!may_quit_for(peer, request)) return drop("outnumbered");
    if (!peer.own && has_slaves() && peer.contested < contests) {
        ++peer.contested;
        log_.notice("does not quit for " + peer.name + ", a BSD timed: it has slaves itself");
        return hear(peer, request, Tsp::Masterup{});
    }
    hear(peer, request, Tsp::Quit{});
}

// A master says that it is one. Another is told to quit, and its slaves are called by MASTERUP
// afterwards; an orphan hears that there is a master.
void Daemon::hear_rival(Peer& peer, const Request& request) {
    if (must_quit_for(peer, request)) return hear(peer, request, Tsp::Quit{});
    if (reign_ && !peer.own && !has_slaves()) return hear(peer, request, Tsp::Quit{});
    const bool orphan = !brain_.leads() && brain_.leader() == nobody;
    if (brain_.leads() || orphan) hear(peer, request, Tsp::Masterup{});
}

// Every master says so after each round. To a BSD timed that is believed, and to any where BSD's
// times are kept, by LOOP; else by an ACK, which BSD timed ignores, so that one that is not
// believed is not bothered to say QUIT every second.
void Daemon::look_around() {
    const bool wanted = gate_.believes_bsd() && loop_.time() >= unwanted_until_;
    if (bsd_times_ || wanted)
        say_once(everyone, Type::loop, hops);
    else
        transmit(address_of(everyone), {.type = Type::ack, .name = config_.name}, Reigns{});
    looking_.set_after(timing_.round);
}

// A QUIT that is not believed: LOOP is said there as seldom as BSD timed says it.
void Daemon::note_unwanted() {
    unwanted_until_ = loop_.time() + bsd_timing(config_.time_scale).round;
}

// The master of this slave says SLAVEUP, so it is a slave itself. A BSD timed that deposed it does
// not call its slaves: they call, as often as anything is said that is not acknowledged, and where
// nobody adjusts them then, they elect a master.
void Daemon::lose_master(const Peer& master) {
    if (calling_.is_set()) return;
    log_.notice(master.name + " is no longer the master");
    if (may_lead()) brain_.suspect(master.id);  // its deputy stands at once
    if (brain_.state() != TempoHost::State::candidate) seek_master();
}

void Daemon::seek_master() {
    calls_ = 0;
    call_master();
}

void Daemon::call_master() {
    if (brain_.leads() || brain_.rests()) return;
    if (calls_ == timing_.copies) return brain_.call();
    say_once(everyone, Type::slaveup);
    const Duration wait = timing_.resend * (1 << calls_++);
    const auto range = static_cast<std::uint64_t>(timing_.election.startup_range.count()) + 1;
    const bool last = calls_ == timing_.copies;  // not all orphans at the same moment
    calling_.set_after(
        wait + Duration{last ? static_cast<std::int64_t>(net::random_number() % range) : 0});
}

std::string Daemon::hand_over() {
    if (!brain_.leads()) {
        const std::string master = company_.name_of(brain_.leader());
        return master.empty()
                   ? "this daemon is not the master, and knows none now"
                   : "this daemon is not the master: conclave timed resign works on " + master;
    }
    if (brain_.state() == TempoHost::State::conflict)
        return "another master was heard a moment ago: ask again when there is one alone";
    const auto& list = brain_.daemon().list;
    const auto could = [&](Id id) {
        const Peer* peer = company_.find(id);
        return peer != nullptr && peer->eligible;
    };
    if (std::none_of(list.begin(), list.end(), could))
        return "there is no other daemon that may become master";
    log_.notice("hands over, as its operator asks");
    resigned_ = loop_.time();
    abstain();
    remark_ = "handed the mastership over, and waits to be measured by the next master";
    brain_.resign();
    return {};
}

// Called whenever a master is heard: where none is any more, this one is better than nobody.
void Daemon::abstain() {
    abstaining_.set(std::min(resigned_ + abstinence, loop_.time() + patience()));
}

}  // namespace conclave::timed
