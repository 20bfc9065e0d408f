// What timedc and date ask for. The gate lets in only this machine's and what is sealed.
#include "conclave/net/clock.hpp"
#include "conclave/timed/daemon.hpp"

namespace conclave::timed {

void Daemon::serve_tool(const Request& request) {
    const wire::TspDatagram& datagram = request.heard.datagram;
    switch (datagram.type) {
        case Type::test:
            if (brain_.leads()) return begin_early();
            return brain_.call();
        // There is no trace file that anybody could fill the disk with: the log tells all.
        case Type::traceon:
        case Type::traceoff: return answer(request, Type::ack, datagram.sequence);
        case Type::msite: {
            const std::string master = status().master;
            if (master.empty()) return;
            const wire::TspDatagram reply{
                .type = Type::ack, .sequence = datagram.sequence, .name = master};
            return transmit_plain(request.from, reply, request.length);
        }
        case Type::msitereq:
            if (brain_.leads()) answer(request, Type::ack, datagram.sequence);
            return;
        case Type::setdate:
        case Type::setdatereq: return set_date(request);
        case Type::dateack:
            if (date_asked_ &&
                sending_.acknowledge(Type::dateack, id_of(datagram.name), datagram.sequence)) {
                answer(*date_asked_, Type::dateack, date_asked_->heard.datagram.sequence);
                date_asked_.reset();
            }
            return;
        default: return;
    }
}

void Daemon::begin_early() { brain_.adjust_now(); }

// A slave passes the date on to the master, which moves the network's time to it.
void Daemon::set_date(const Request& request) {
    const wire::TspDatagram& datagram = request.heard.datagram;
    // From another machine only under the key: else anybody could set the network's date.
    if (!request.heard.local && !request.heard.authentic) return drop("tool");
    if (!brain_.leads()) {
        if (datagram.type == Type::setdatereq) return;
        date_asked_ = request;
        return say_reliably(everyone, Type::setdatereq, {}, datagram.time);
    }
    answer(request, Type::dateack, datagram.sequence);
    const bool again = date_heard_ == std::pair(datagram.name, datagram.sequence);
    if (!keeper_.is_set() || again || too_early(net::text(request.from), datagram.time)) return;
    date_heard_ = {datagram.name, datagram.sequence};
    log_.notice("the network's date is changed by " + net::text(request.from));
    reign_->move(datagram.time - shown_now());
    for (const Id id : brain_.daemon().list)
        if (Peer* peer = company_.find(id); peer != nullptr && !peer->own) peer->told_time = false;
    begin_early();
}

}  // namespace conclave::timed
