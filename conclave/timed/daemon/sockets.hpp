// The sockets of the daemon: datagrams in and out, with the kernel's stamps of both.
//
// One socket has the machine's own address, one the broadcast address, so that several daemons can
// share a machine; one more hears what tools of this machine ask. A stamp of what was sent comes
// back through the error queue, with the datagram itself: it is looked for after every send, and
// whenever the socket is ready. Nothing is required of the kernel: without stamps the time is read
// in the process, a few microseconds worse.
#pragma once

#include <vector>

#include "conclave/core/bytes.hpp"
#include "conclave/core/time.hpp"
#include "conclave/net/address.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::timed {

struct Arrival {
    net::Address from{};
    Time stamp{};  // by CLOCK_REALTIME
    bool stamped_by_kernel = false;
    Input bytes{};
};

class Sockets {
public:
    struct Hearer {
        virtual void arrived(const Arrival& arrival) = 0;
        // The datagram, perhaps with its frame around it, left at this time.
        virtual void sent(Input frame, Time stamp) = 0;

    protected:
        ~Hearer() = default;
    };

    // Throws a net::Failure.
    Sockets(net::Loop& loop, const net::Address& address, const net::Address& broadcast,
            Hearer& hearer);
    ~Sockets();
    Sockets(const Sockets&) = delete;
    Sockets& operator=(const Sockets&) = delete;

    bool send(const net::Address& to, Input bytes);
    // An empty datagram, which nobody heeds: what follows it is as quick as its answer.
    void warm(const net::Address& to) { send(to, {}); }

private:
    void open_local(std::uint16_t port);
    std::vector<int> descriptors() const;
    void serve(int fd);
    bool receive(int fd, int flags);

    net::Loop& loop_;
    Hearer& hearer_;
    net::Descriptor own_, broadcast_, local_;
    Bytes buffer_, stamp_buffer_;  // a handler may send while it looks at what arrived
};

}  // namespace conclave::timed
