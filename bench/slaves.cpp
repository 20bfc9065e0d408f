// Many slaves of one time daemon in one program: bench_slaves COUNT MASTER
//
// Each has a name, an address (10.77.8.1 and on, which must be addresses of this machine) and a
// clock of its own, and follows its master as a daemon's slave does. What they cost does not count:
// the load on their master is measured from outside (bench/timed.py). Ends at SIGTERM.
#include <sys/epoll.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "conclave/clock/keeper.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/socket.hpp"
#include "conclave/wire/tsp_trailer.hpp"

namespace {

using namespace conclave;
using Type = wire::TspDatagram::Type;

constexpr std::uint16_t port = 525;
constexpr Duration impatience = std::chrono::seconds(3);  // without a probe: it calls again
constexpr std::size_t per_network = 250;

volatile std::sig_atomic_t ended = 0;

net::Address address_of(std::size_t number) {
    net::Address address = net::any_address(net::Family::ipv4, port);
    address.bytes[0] = 10;
    address.bytes[1] = 77;
    address.bytes[2] = static_cast<std::uint8_t>(8 + number / per_network);
    address.bytes[3] = static_cast<std::uint8_t>(1 + number % per_network);
    return address;
}

class Slave {
public:
    Slave(std::size_t number, const net::Address& master)
        : socket_(address_of(number), net::Socket::Use::alone),
          master_(master),
          name_("slave" + std::to_string(number)),
          session_(number + 1),
          offset_(std::chrono::microseconds(static_cast<int>(number * 37 % 2000) - 1000)),
          drift_(clock::ppm(static_cast<std::int64_t>(number % 61) - 30)) {}

    int fd() const { return socket_.fd(); }
    std::uint64_t answers() const { return answers_; }

    void call(Time now) {
        if (now < due_) return;
        due_ = now + impatience;
        say(master_, {.type = Type::slaveup, .name = name_}, wire::TspTrailer::Words{});
    }

    void receive() {
        const auto arrival = socket_.receive();
        if (!arrival) return;
        const auto datagram = wire::read_datagram(arrival->bytes);
        const auto read = wire::read_trailer(arrival->bytes, {});
        const auto* trailer = std::get_if<wire::TspTrailer>(&read);
        if (!datagram || trailer == nullptr) return;
        if (const auto* probe = std::get_if<wire::TspTrailer::Probe>(&trailer->body))
            answer(*probe, datagram->sequence, arrival->from);
    }

private:
    // Its own clock, which nobody corrects.
    Time raw_now() const {
        const Time now = net::unix_time();
        return now + offset_ + clock::over(drift_, now - began_);
    }

    void answer(const wire::TspTrailer::Probe& probe, std::uint16_t number, net::Address to) {
        const Time received = raw_now();
        due_ = net::boot_time() + impatience;
        if (probe.corrects) keeper_.hear(received, probe.correction);
        wire::TspTrailer::Answer reply{
            .number = probe.number, .received = received, .report = keeper_.report(received)};
        reply.answered = raw_now();
        say(to, {.type = Type::ack, .sequence = number, .name = name_}, reply);
        ++answers_;
    }

    void say(const net::Address& to, const wire::TspDatagram& datagram,
             const wire::TspTrailer::Body& body) {
        wire::TspTrailer trailer;
        trailer.session = session_;
        trailer.sequence = ++sequence_;
        trailer.term = keeper_.term();
        trailer.body = body;
        socket_.send(to, wire::write_own(datagram, trailer, {}));
    }

    net::Socket socket_;
    net::Address master_;
    std::string name_;
    std::uint64_t session_, sequence_ = 0, answers_ = 0;
    Duration offset_;
    clock::Rate drift_;
    Time began_ = net::unix_time(), due_{};
    clock::Keeper keeper_{};
};

void serve(const std::vector<std::unique_ptr<Slave>>& slaves) {
    const int poller = epoll_create1(0);
    for (std::size_t number = 0; number < slaves.size(); ++number) {
        epoll_event event{.events = EPOLLIN, .data = {.u64 = number}};
        epoll_ctl(poller, EPOLL_CTL_ADD, slaves[number]->fd(), &event);
    }
    std::array<epoll_event, 64> ready{};
    while (ended == 0) {
        const int count = epoll_wait(poller, ready.data(), ready.size(), 100);
        for (int i = 0; i < count; ++i)
            slaves[ready[static_cast<std::size_t>(i)].data.u64]->receive();
        const Time now = net::boot_time();
        if (count < 64)
            for (const auto& slave : slaves) slave->call(now);
    }
}

}  // namespace

int main(int count, char** words) {
    const auto master = count == 3 ? net::parse_address(words[2], port) : std::nullopt;
    const unsigned long slaves_count = count == 3 ? std::strtoul(words[1], nullptr, 10) : 0;
    if (!master || slaves_count == 0 || slaves_count > 2000) {
        std::fputs("bench_slaves COUNT MASTER: so many slaves, at most 2000; see bench/timed.py\n",
                   stderr);
        return 2;
    }
    std::signal(SIGTERM, [](int) { ended = 1; });
    std::vector<std::unique_ptr<Slave>> slaves;
    for (std::size_t number = 0; number < slaves_count; ++number)
        slaves.push_back(std::make_unique<Slave>(number, *master));
    serve(slaves);
    std::uint64_t answers = 0;
    for (const auto& slave : slaves) answers += slave->answers();
    std::printf("%llu probes were answered\n", static_cast<unsigned long long>(answers));
}
