// The daemon sends: to our own daemons with a trailer, to BSD timed without one.
#include "conclave/timed/daemon/daemon.hpp"

namespace conclave::timed {

namespace {

wire::TspDatagram::Type answer_to(wire::TspDatagram::Type type) {
    using enum wire::TspDatagram::Type;
    if (type == masterreq || type == resolve) return masterack;
    return type == setdatereq ? dateack : ack;
}

}  // namespace

std::uint64_t Daemon::transmit(const net::Address& to, const wire::TspDatagram& datagram,
                               const Body& body, bool deputy) {
    watch_clock();
    const wire::TspTrailer trailer{.bsd_mode = hears_bsd(),
                                   .deputy = deputy,
                                   .eligible = may_lead(),
                                   .session = session_,
                                   .sequence = ++sequence_,
                                   .incarnation = incarnation_,
                                   .term = reign_ ? reign_->master().term() : keeper_.term(),
                                   .clocks = reign_ ? reign_->master().clocks() : keeper_.clocks(),
                                   .body = body};
    if (!sockets_.send(to, wire::write_own(datagram, trailer, keys_))) drop("unsent");
    return trailer.sequence;
}

void Daemon::transmit_plain(const net::Address& to, const wire::TspDatagram& datagram,
                            std::size_t most) {
    Bytes bytes = wire::write_datagram(datagram);
    bytes.resize(std::clamp(most, wire::TspDatagram::shortest, bytes.size()));
    if (!sockets_.send(to, bytes)) drop("unsent");
}

// To where the request came from, whatever its port; never longer than it was, so that nobody can
// have a small request answered with a large one to somebody else.
void Daemon::answer(const Request& request, Type type, std::uint16_t number) {
    const wire::TspDatagram datagram{.type = type, .sequence = number, .name = config_.name};
    if (request.heard.trailer)
        transmit(request.from, datagram);
    else
        transmit_plain(request.from, datagram, request.length);
}

net::Address Daemon::address_of(Id id) const {
    if (id == everyone) return config_.broadcast->with_port(config_.port);
    const Peer* peer = company_.find(id);
    return peer == nullptr ? net::Address{} : peer->address;
}

void Daemon::say_once(Id to, Type type, std::uint8_t hops) {
    const std::uint16_t number = type == Type::loop ? sending_.next_number() : std::uint16_t{0};
    const wire::TspDatagram datagram{
        .type = type, .sequence = number, .hops = hops, .name = config_.name};
    const Peer* peer = company_.find(to);
    if (peer != nullptr && !peer->own)
        transmit_plain(peer->address, datagram);
    else
        transmit(address_of(to), datagram);
}

void Daemon::say_reliably(Id to, Type type, Duration delay, Duration time) {
    sending_.forget_same(to, type);
    sending_.post({.to = to,
                   .address = address_of(to),
                   .datagram = {.type = type, .time = time, .name = config_.name},
                   .wanted = answer_to(type),
                   .delay = delay,
                   .copies = timing_.copies});
}

void Daemon::sending_ended(const Sending::Ended& ended) {
    if (ended.type == Type::setdatereq && !ended.answered && wish_)
        wish_->state = Wish::State::lost;
    Peer* peer = company_.find(ended.to);
    if (peer == nullptr || ended.type == Type::conflict) return;  // BSD never acknowledges that
    if (ended.answered) {
        peer->missed = 0;
        return;
    }
    const bool adjusts = ended.type == Type::adjtime || ended.type == Type::settime;
    if (adjusts && ++peer->missed < 3) return;
    log_.notice(peer->name + " does not answer");
    brain_.suspect(ended.to);
}

}  // namespace conclave::timed
