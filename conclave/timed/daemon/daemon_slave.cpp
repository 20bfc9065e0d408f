// The daemon as a slave: it is corrected, by a master of our own or by a BSD timed.
#include "conclave/core/date.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/timed/daemon/daemon.hpp"
#include "conclave/timed/daemon/wire_date.hpp"

namespace conclave::timed {

namespace {

// Resolution of a BSD timed: whole milliseconds, rounded to five.
constexpr Duration bsd_error = std::chrono::milliseconds(5);
// A clock that somebody else steers may run so far from the raw one between two looks.
constexpr Duration free_running = std::chrono::milliseconds(200);

// From here on the log tells of it, as that of BSD timed does.
constexpr Duration worth_telling = std::chrono::milliseconds(1440);

}  // namespace

void Daemon::hear_probe(Peer& peer, const Request& request, const Probe& probe) {
    const bool deputy = request.heard.trailer->deputy;
    if (deputy)
        hear(peer, request, Tsp::Deputy{});
    else
        hear(peer, request, Tsp::Sync{});
    if (brain_.leader() != peer.id) return drop("master");
    calling_.stop();
    if (abstaining_.is_set()) abstain();
    const Time received = timepiece_->raw_at(request.stamp);
    const Time told = received + probe.correction.line(received);
    if (probe.corrects && !too_early(peer.name, told)) {
        const bool before = keeper_.is_set();
        const auto verdict = keeper_.hear(received, probe.correction);
        note_correction(peer, verdict, before);
    }
    if (probe.doubts) keeper_.doubt();
    Answer reply{.number = probe.number,
                 .received = received,
                 .earlier = answered_stamp_ != Time{0} ? answered_number_ : 0,
                 .earlier_answered = answered_stamp_,
                 .received_stamped = request.stamped,
                 .report = keeper_.report(received)};
    answered_number_ = probe.number;
    answered_sequence_ = sequence_ + 1;
    answered_stamp_ = Time{0};
    reply.answered = std::max(timepiece_->raw_now(), received);
    transmit(request.from,
             {.type = Type::ack, .sequence = request.heard.datagram.sequence, .name = config_.name},
             reply);
}

// --not-before: a time that cannot be, such as that of a dead battery. Told once, and in status.
bool Daemon::too_early(const std::string& who, Time told) {
    if (told >= config_.not_before) return false;
    const std::string refusal = "refuses the time of " + who + ": it is before " +
                                format_date(config_.not_before) + " (--not-before)";
    if (refusal != remark_) log_.warn(refusal);
    remark_ = refusal;
    return true;
}

void Daemon::note_correction(const Peer& peer, clock::Keeper::Verdict verdict, bool before) {
    using Verdict = clock::Keeper::Verdict;
    const bool by_chance = peer.own && !keeper_.keeps_refusing();
    if (verdict == Verdict::refused && !by_chance) {
        const std::string refusal =
            "refuses the corrections of " + peer.name + ": this clock cannot be so far off";
        if (refusal != remark_) log_.warn(refusal);  // of a series the first
        remark_ = refusal;
    } else if (verdict == Verdict::followed) {
        remark_.clear();
    }
    steer_clock();
    if (!before && keeper_.is_set()) {
        log_.notice("has been told the time by " + peer.name);
        turned();
    }
}

// Before anything is said or heard: is the clock where it was steered to? If not, all that is known
// of it may be void, and a master with such a clock must not go on.
void Daemon::watch_clock() {
    const Timepiece::Sight sight = timepiece_->look();
    const Duration strayed = orders_.strayed(sight.raw, sight.shown);
    const Duration most = timepiece_->takes_orders() ? clock::Steering::most_strayed : free_running;
    if (clock::magnitude(strayed) <= most + sight.within) return;
    orders_.watch(sight.raw, sight.shown);
    keeper_.moved(sight.raw, sight.shown);
    remark_ = "this machine's clock was moved by " + format_duration(strayed) +
              ", not by this daemon, or the machine slept so long";
    log_.warn(remark_ + ": it is measured anew");
    if (reign_) resign();
    note_trust();
}

void Daemon::steer_clock() {
    watch_clock();
    const Timepiece::Sight sight = timepiece_->look();
    bool refused = false;
    if (timepiece_->takes_orders() && keeper_.is_set()) {
        const Duration beside = sight.shown - keeper_.servo().offset(sight.raw);
        refused = !timepiece_->obey(sight, orders_.next(sight.raw, sight.shown, keeper_.servo()),
                                    kernel_errors(keeper_.error_bound(sight.raw, beside), trust()));
    } else {
        orders_.watch(sight.raw, sight.shown);
    }
    if (refused && !clock_refused_)
        log_.warn("the system refuses to correct its clock: CAP_SYS_TIME is needed");
    clock_refused_ = refused;
    note_trust();
}

// ADJTIME and SETTIME without a trailer: a difference, or a time of day.
void Daemon::hear_adjustment(Peer& peer, const Request& request) {
    if (brain_.leads()) return drop("master");
    hear(peer, request, Tsp::Sync{});
    if (brain_.leader() != peer.id) return drop("master");
    calling_.stop();
    if (abstaining_.is_set()) abstain();
    const wire::TspDatagram& datagram = request.heard.datagram;
    if (datagram.type == Type::adjtime) return make_up(peer, datagram.time, false);
    const Time here = keeper_.read(timepiece_->raw_at(request.stamp));
    make_up(peer, nearest_to(here, datagram.time) - here, true);
}

void Daemon::make_up(const Peer& peer, Duration by, bool sets) {
    if (too_early(peer.name, shown_now() + by)) return;
    const bool before = keeper_.is_set();
    const Response response = before ? differences_.judge(by, sets) : Response::slew;
    if (response == Response::refuse)
        return note_correction(peer, clock::Keeper::Verdict::refused, before);
    const bool steps = response == Response::step;
    if (before && clock::magnitude(by) >= worth_telling)
        log_.notice(peer.name + " moves the network's time by " + signed_text(by) +
                    (steps ? ": stepped" : ": slewed, as BSD timed does"));
    const Time raw = timepiece_->raw_now();
    steps ? keeper_.make_up_at_once(raw, by, bsd_error) : keeper_.make_up(raw, by, bsd_error);
    note_correction(peer, clock::Keeper::Verdict::followed, before);
}

}  // namespace conclave::timed
