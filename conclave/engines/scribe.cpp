#include "conclave/engines/scribe.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "conclave/engines/value.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/process/cell_orders.hpp"

namespace conclave::engines {

namespace {

using process::CellAnswer, process::CellNotice, process::CellOrder, process::CellReport,
    process::CellRequest;

constexpr Duration watch_most = std::chrono::seconds(2), between = std::chrono::seconds(10);
constexpr auto pause = std::chrono::milliseconds(100);

void set_text(CellReport& report, const std::string& text) {
    const std::size_t size = std::min(text.size(), report.text.size() - 1);
    std::memcpy(report.text.data(), text.data(), size);
}

// Of both threads: a packet goes whole, or not at all.
void tell(int channel, const CellReport& report) {
    send(channel, &report, sizeof report, MSG_NOSIGNAL | MSG_DONTWAIT);
}
void tell(int channel, CellAnswer answer, const std::string& text) {
    CellReport report{.answer = answer};
    set_text(report, text);
    tell(channel, report);
}

// Wakes the first thread when the cell may have changed.
class Lookout {
public:
    Lookout(const Access& access, int channel, int wake)
        : access_(access), channel_(channel), wake_(wake), thread_([this] { run(); }) {}
    ~Lookout() {
        over_ = true;
        thread_.join();
    }
    Lookout(const Lookout&) = delete;
    Lookout& operator=(const Lookout&) = delete;

    void note(std::uint64_t version) { version_ = version; }

private:
    void run() {
        std::string problem;
        const auto port = open_port(access_, problem);
        if (!port) return;
        for (Time examine{}; !over_;) {
            if (net::boot_time() >= examine) {
                tell(channel_, CellAnswer::finding, "");
                for (const std::string& each : port->examine())
                    tell(channel_, CellAnswer::finding, each);
                examine = net::boot_time() + between;
            }
            const std::uint64_t version = version_;
            const Time began = net::boot_time();
            const std::uint64_t one = 1;
            if (version != 0 && port->watch(version, watch_most)) {
                while (write(wake_, &one, sizeof one) < 0 && errno == EINTR) continue;
                for (int i = 0; version_ == version && i < 20 && !over_; ++i)
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
            } else if (net::boot_time() - began < pause) {
                std::this_thread::sleep_for(pause);
            }
        }
    }

    Access access_;
    int channel_, wake_;
    std::atomic<bool> over_ = false;
    std::atomic<std::uint64_t> version_ = 0;
    std::thread thread_;
};

class Desk {
public:
    explicit Desk(const Scribe& scribe)
        : scribe_(scribe),
          port_(open_port(scribe.access, problem_)),
          wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
          notices_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}

    int serve() {
        if (!port_) {
            tell(scribe_.channel, CellAnswer::problem, problem_);
            return 2;
        }
        if (!listen()) {
            tell(scribe_.channel, CellAnswer::problem,
                 "no socket of 127.0.0.1 for death notices: is the loopback interface up?");
            return 2;
        }
        Lookout lookout(scribe_.access, scribe_.channel, wake_.get());
        lookout_ = &lookout;
        while (!over_) step();
        lookout_ = nullptr;
        return 0;
    }

private:
    bool listen() {
        sockaddr_in here{};
        here.sin_family = AF_INET;
        here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof here;
        auto* const address = reinterpret_cast<sockaddr*>(&here);
        if (getrandom(&secret_, sizeof secret_, 0) != sizeof secret_ ||
            bind(notices_.get(), address, size) != 0 ||
            getsockname(notices_.get(), address, &size) != 0)
            return false;
        CellReport report{.answer = CellAnswer::ready};
        report.port = ntohs(here.sin_port);
        report.secret = secret_;
        tell(scribe_.channel, report);
        return true;
    }

    // An orphan waits for the guardian's notice for as long as its agent's lease could last.
    void step() {
        pollfd watched[] = {{notices_.get(), POLLIN, 0},
                            {orphan_ ? -1 : scribe_.channel, POLLIN, 0},
                            {wake_.get(), POLLIN, 0}};
        poll(watched, 3, 100);
        if ((watched[0].revents & POLLIN) != 0) hear_notice();
        if ((watched[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0) hear_agent();
        std::uint64_t count = 0;
        if ((watched[2].revents & POLLIN) != 0 &&
            ::read(wake_.get(), &count, sizeof count) == sizeof count)
            report(port_->read());
        if (orphan_ && net::boot_time() > until_) over_ = true;
    }

    void hear_notice() {
        CellNotice notice;
        const auto size = recv(notices_.get(), &notice, sizeof notice, 0);
        if (size != sizeof notice || notice.secret != secret_ || notice.life == 0) return;
        free_of(notice.life);
        over_ = true;
    }
    void hear_agent() {
        CellRequest request;
        const auto size = recv(scribe_.channel, &request, sizeof request, 0);
        if (size != sizeof request) {
            orphan_ = true;
            until_ = net::boot_time() + 2 * scribe_.access.promise + std::chrono::seconds(15);
            return;
        }
        const lease::Claim claim{request.life, request.beat, Duration{request.promise_ns}};
        switch (request.order) {
            case CellOrder::read: return report(port_->read());
            case CellOrder::write:
                return report(
                    port_->compare_and_set(request.version, to_text({claim, scribe_.name})));
            case CellOrder::free:
                return report(port_->compare_and_set(request.version, free_text()));
            case CellOrder::leave: over_ = true;
        }
    }

    static std::string free_text() { return to_text(Value{}); }

    void report(const Outcome& outcome) {
        if (!outcome.known) return tell(scribe_.channel, CellAnswer::problem, outcome.problem);
        if (lookout_ != nullptr) lookout_->note(outcome.version);
        Value value;
        if (!read_value(outcome.value, value))
            return tell(scribe_.channel, CellAnswer::problem,
                        "the cell holds something else than a claim: give the group another "
                        "prefix, or remove what is there");
        CellReport told{.answer = CellAnswer::told,
                        .beat = value.claim.beat,
                        .version = outcome.version,
                        .life = value.claim.life,
                        .promise_ns = value.claim.promise.count()};
        set_text(told, value.holder);
        tell(scribe_.channel, told);
    }

    // Until the claim is another's, or nobody's; its lease ends by itself meanwhile.
    void free_of(std::uint64_t life) {
        const Time end = net::boot_time() + scribe_.access.promise;
        for (Outcome now = port_->read(); net::boot_time() < end; now = port_->read()) {
            Value value;
            if (now.known && (!read_value(now.value, value) || value.claim.life != life)) return;
            if (now.known && port_->compare_and_set(now.version, free_text()).known) continue;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }

    const Scribe& scribe_;
    std::string problem_{};
    std::unique_ptr<Port> port_;
    net::Descriptor wake_, notices_;
    std::uint64_t secret_ = 0;
    Lookout* lookout_ = nullptr;
    bool orphan_ = false, over_ = false;
    Time until_{};
};

}  // namespace

int serve(const Scribe& scribe) { return Desk(scribe).serve(); }

}  // namespace conclave::engines
