// The daemon receives: what is believed, from whom, and which part of the daemon it concerns.
#include "conclave/timed/daemon/daemon.hpp"

namespace conclave::timed {

namespace {

// The sender waits for an acknowledgement and repeats the datagram until it comes.
bool wants_acknowledgement(wire::TspDatagram::Type type) {
    using enum wire::TspDatagram::Type;
    return type == adjtime || type == settime || type == accept || type == refuse || type == quit ||
           type == conflict;
}

}  // namespace

void Daemon::sent(Input frame, Time stamp) {
    const auto sequence = wire::find_sequence(frame, session_);
    if (!sequence) return;
    if (*sequence == answered_sequence_) answered_stamp_ = timepiece_->raw_at(stamp);
    if (reign_) reign_->note_sent(*sequence, stamp);
}

void Daemon::arrived(const Arrival& arrival) {
    watch_clock();
    const Time now = loop_.time();
    Gate::Verdict verdict = gate_.judge(arrival, now);
    if (verdict.answer)  // an acknowledgement of nothing, which BSD timed ignores
        transmit(arrival.from, {.type = Type::ack, .name = config_.name}, *verdict.answer);
    // It did not believe what it heard before: who looks for a master asks it again.
    const bool looks = brain_.state() == TempoHost::State::startup ||
                       brain_.state() == TempoHost::State::no_master;
    if (verdict.proved && looks && !brain_.rests())
        transmit(
            arrival.from,
            {.type = Type::masterreq, .sequence = sending_.next_number(), .name = config_.name});
    if (const Reason* reason = std::get_if<Reason>(&verdict.heard)) {
        if (*reason == "namesake") hear_namesake(arrival.from);
        hear_foreigner(*reason, arrival.from);
        if (!verdict.twin.empty()) watch_address(verdict.twin, arrival.from);
        if (verdict.quits) note_unwanted();
        return drop(*reason);
    }
    const Request request{arrival.from, arrival.stamp, arrival.stamped_by_kernel,
                          arrival.bytes.size(), std::get<Heard>(std::move(verdict.heard))};
    if (is_tool(request.heard.datagram.type)) return serve_tool(request);
    if (Peer* peer = recognise(request)) dispatch(*peer, request);
}

Peer* Daemon::recognise(const Request& request) {
    const Heard& heard = request.heard;
    const Time now = loop_.time();
    // A daemon that has sealed its words is not believed unsealed, even if --trust names its
    // network: name and address can be forged.
    if (const Peer* known = company_.find(id_of(heard.datagram.name));
        known != nullptr && known->sealed && !heard.authentic &&
        company_.heard_lately(*known, now)) {
        drop("unsealed");
        return nullptr;
    }
    const auto [peer, refusal] = company_.meet(heard.datagram.name, request.from, now);
    watch_address(heard.datagram.name, request.from);
    if (peer == nullptr) {
        drop(name_of(refusal));
        return nullptr;
    }
    peer->sealed = heard.authentic;
    note_kind(*peer, request);
    return peer;
}

void Daemon::note_kind(Peer& peer, const Request& request) {
    const auto& trailer = request.heard.trailer;
    peer.own = trailer.has_value();
    if (trailer) {
        if (peer.session != trailer->session && peer.session != 0) {
            peer.last_number.reset();
            if (reign_) reign_->forget(peer.id);
        }
        peer.session = trailer->session;
        peer.eligible = trailer->eligible;
        if (trailer->bsd_mode) hear_of_bsd(peer);
    } else {
        hear_bsd(peer);
    }
}

// A repetition is acknowledged like the first copy, but not obeyed again.
bool Daemon::repeated(Peer& peer, const Request& request) {
    const wire::TspDatagram& datagram = request.heard.datagram;
    if (!wants_acknowledgement(datagram.type)) return false;
    const bool adjusts = datagram.type == Type::adjtime || datagram.type == Type::settime;
    if (adjusts && brain_.leads()) return false;  // a rival: it shall not count us as its slave
    answer(request, Type::ack, datagram.sequence);
    if (peer.last_number == datagram.sequence) return true;
    peer.last_number = datagram.sequence;
    return false;
}

void Daemon::hear(const Peer& peer, const Request& request, const Message& message) {
    request_ = &request;
    brain_.hear(peer.id, message);
    request_ = nullptr;
}

void Daemon::dispatch(Peer& peer, const Request& request) {
    const wire::TspDatagram& datagram = request.heard.datagram;
    if (request.heard.trailer) {
        const Body& body = request.heard.trailer->body;
        if (const auto* probe = std::get_if<Probe>(&body)) return hear_probe(peer, request, *probe);
        if (const auto* reply = std::get_if<Answer>(&body)) {
            if (reign_ &&
                !reign_->hear(peer.id, *reply, timepiece_->raw_at(request.stamp), request.stamped))
                drop("late");
            return;
        }
        if (std::holds_alternative<Reigns>(body)) return hear_rival(peer, request);
    }
    if (repeated(peer, request)) return;
    switch (datagram.type) {
        case Type::adjtime:
        case Type::settime: return hear_adjustment(peer, request);
        case Type::ack:
        case Type::masterack:
            sending_.acknowledge(datagram.type, peer.id, datagram.sequence);
            if (datagram.type == Type::masterack) return hear(peer, request, Tsp::Masterack{});
            return;
        case Type::masterreq: return hear(peer, request, Tsp::Masterreq{});
        case Type::masterup: return hear(peer, request, Tsp::Masterup{});
        case Type::slaveup:
            if (brain_.leader() == peer.id) return lose_master(peer);
            return hear(peer, request, Tsp::Slaveup{}), enlist(peer);
        case Type::election: {
            peer.last_number.reset();
            return hear(peer, request, Tsp::Election{});
        }
        case Type::accept: return hear(peer, request, Tsp::Accept{});
        case Type::refuse: return hear(peer, request, Tsp::Refuse{});
        case Type::conflict: return hear(peer, request, Tsp::Conflict{});
        case Type::resolve: return hear(peer, request, Tsp::Resolve{});
        case Type::quit: return hear_quit(peer, request);
        case Type::loop: return hear_rival(peer, request);
        case Type::msitereq:
        case Type::setdatereq:
        case Type::dateack: return serve_tool(request);
        default: return drop("unused");
    }
}

}  // namespace conclave::timed
