// The network's date. date and conclave timed set ask for another one, on any machine; the master
// changes it, and everybody steps.
#include "conclave/net/clock.hpp"
#include "conclave/timed/daemon/daemon.hpp"
#include "conclave/timed/daemon/wire_date.hpp"

namespace conclave::timed {

namespace {

// After a change of less than 20 s the slaves of BSD's kind slew, 1.2 s a round. They are not asked
// for the network's time before they are there, or they would take it back.
constexpr Duration slewed_a_round = std::chrono::milliseconds(1200);
constexpr std::int64_t rounds_beside = 3;

// A repeated request for a date comes sooner than this.
constexpr Duration date_waits = std::chrono::seconds(2);

std::uint32_t rounds_to_dictate(Duration by) {
    const bool slewed = clock::magnitude(by) < Differences::slewed_below;
    const std::int64_t rounds = slewed ? clock::magnitude(by) / slewed_a_round : 0;
    return static_cast<std::uint32_t>(rounds + rounds_beside);
}

}  // namespace

Time Daemon::network_now() const {
    const Time raw = timepiece_->raw_now();
    return keeper_.is_set() ? raw + keeper_.line()(raw) : shown_now();
}

// SETDATE of this machine, or SETDATEREQ of one that is believed. Requests that were queued while
// this process was stopped have been given up by their sender.
void Daemon::hear_date(const Request& request) {
    if (net::unix_time() - request.stamp > date_waits) return drop("late");
    const wire::TspDatagram& datagram = request.heard.datagram;
    Duration by = nearest_to(network_now(), datagram.time) - network_now();
    if (request.heard.trailer)
        if (const auto* change = std::get_if<Change>(&request.heard.trailer->body)) by = change->by;
    if (!brain_.leads()) {
        if (datagram.type == Type::setdatereq) return;
        date_asked_ = request;
        if (const std::string refusal = ask_for_date(by); !refusal.empty()) log_.warn(refusal);
        return;
    }
    answer(request, Type::dateack, datagram.sequence);
    const bool again = date_heard_ == std::pair(datagram.name, datagram.sequence);
    date_heard_ = {datagram.name, datagram.sequence};
    if (again) return;
    const bool local = datagram.type == Type::setdate;
    const std::string refusal = change_date(by, local ? "this machine" : datagram.name);
    if (!refusal.empty()) log_.warn(refusal);
}

void Daemon::hear_date_acknowledged(const wire::TspDatagram& datagram) {
    if (!sending_.acknowledge(Type::dateack, id_of(datagram.name), datagram.sequence)) return;
    if (wish_) wish_->state = Wish::State::acknowledged;
    if (date_asked_) answer(*date_asked_, Type::dateack, date_asked_->heard.datagram.sequence);
    date_asked_.reset();
}

std::string Daemon::ask_for_date(Duration by) {
    if (!keeper_.is_set()) return "the date is not changed: this daemon has not been told the time";
    if (!is_possible_date(network_now() + by))
        return "the date is not changed: it would not lie between 1970 and 2100";
    wish_ = Wish{.by = by, .date_changes = keeper_.date_changes()};
    if (brain_.leads()) {
        wish_->state = Wish::State::acknowledged;
        return change_date(by, "its operator");
    }
    if (brain_.leader() == nobody) return "the date is not changed: there is no master now";
    sending_.forget_same(everyone, Type::setdatereq);
    sending_.post(
        {.to = everyone,
         .address = address_of(everyone),
         .datagram = {.type = Type::setdatereq, .time = network_now() + by, .name = config_.name},
         .body = Change{by},
         .wanted = Type::dateack,
         .copies = timing_.copies});
    return {};
}

// As the master. A refusal is a sentence.
std::string Daemon::change_date(Duration by, const std::string& who) {
    if (!keeper_.is_set() || !reign_->master().founded())
        return "the date is not changed: the network has no time yet";
    if (!is_possible_date(network_now() + by))
        return "the date is not changed: it would not lie between 1970 and 2100";
    if (too_early(who, network_now() + by)) return "the date is not changed: see --not-before";
    log_.notice("the network's time is moved by " + signed_text(by) + ", as " + who + " asks");
    reign_->change_date(by);
    dictated_ = rounds_to_dictate(by);
    bsd_round_.end();
    for (const Id id : brain_.daemon().list) {
        Peer* peer = company_.find(id);
        if (peer == nullptr || peer->own) continue;
        peer->told_time = false;
        correct_bsd(*peer, by);
    }
    return {};
}

// As the master: has every slave of our own said that it follows the present term?
bool Daemon::slaves_follow() const {
    if (!reign_) return true;
    const clock::Master& master = reign_->master();
    return std::all_of(master.members().begin(), master.members().end(), [&](const auto& member) {
        return !member.report.set || member.report.term == master.term();
    });
}

Daemon::DateReport Daemon::date_report() const {
    using State = Wish::State;
    if (!wish_) return {DateReport::failed, "no change of the date was asked for"};
    if (wish_->state == State::lost)
        return {DateReport::failed, "no master acknowledged it: see conclave timed status"};
    if (wish_->state == State::asked) return {DateReport::waits};
    const Peer* master = company_.find(brain_.leader());
    std::string moved = "the network's time was moved by " + signed_text(wish_->by);
    if (master != nullptr && !master->own)
        return {DateReport::done,
                moved + " by " + master->name +
                    ", a BSD timed, which slews what "
                    "is less than 20 s",
                wish_->by};
    if (keeper_.date_changes() == wish_->date_changes || !slaves_follow())
        return {DateReport::waits};
    // A slave may have been told the number before the others followed; the next correction brings
    // the right one.
    const std::uint32_t behind = std::max(clocks(), 1u);
    if (!reign_ && behind == 1) return {DateReport::waits};
    moved += ": " + std::to_string(behind) + (behind == 1 ? " clock" : " clocks");
    return {DateReport::done,
            moved + " under the master " + (master == nullptr ? config_.name : master->name),
            wish_->by};
}

}  // namespace conclave::timed
