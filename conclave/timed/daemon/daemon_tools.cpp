// Answers timedc. The gate admits only requests of this machine and sealed ones.
#include "conclave/timed/daemon/daemon.hpp"

namespace conclave::timed {

void Daemon::serve_tool(const Request& request) {
    const wire::TspDatagram& datagram = request.heard.datagram;
    switch (datagram.type) {
        case Type::test:
            if (brain_.leads()) return begin_early();
            return brain_.call();
        // There is no trace that anybody could fill the disk with. No answer is a refusal, too:
        // timedc says so.
        case Type::traceon:
        case Type::traceoff:
            return log_.warn("keeps no trace for timedc: conclave timed watch shows what it does");
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
        case Type::setdatereq: return hear_date(request);
        case Type::dateack: return hear_date_acknowledged(datagram);
        default: return;
    }
}

void Daemon::begin_early() { brain_.adjust_now(); }

}  // namespace conclave::timed
