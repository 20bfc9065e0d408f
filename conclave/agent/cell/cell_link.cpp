#include "conclave/agent/cell/cell_link.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "conclave/agent/work/spawn.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/process/own_program.hpp"

namespace conclave::agent {

namespace {

using process::CellAnswer, process::CellOrder, process::CellReport, process::CellRequest;

constexpr Duration engine_pause = std::chrono::milliseconds(200);
constexpr std::size_t spans_kept = 20;

std::string or_dash(const std::string& path) { return path.empty() ? "-" : path; }

}  // namespace

std::string find_engine_program() { return process::program_folder() / "conclave-engine"; }

CellLink::CellLink(net::Loop& loop, const Config& config, const ViaGiven& via, Handlers handlers)
    : loop_(loop),
      words_{find_engine_program(),
             via.url,
             config.group,
             config.name,
             std::to_string(config.detect.count()),
             std::to_string((config.detect / 3).count()),
             or_dash(via.credentials),
             or_dash(via.ca),
             or_dash(via.certificate),
             or_dash(via.private_key)},
      handlers_(std::move(handlers)),
      again_(loop, [this] { start(); }) {
    start();
}

CellLink::~CellLink() {
    if (channel_) loop_.forget(channel_.get());
}

void CellLink::start() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return lose(std::string("no socket for conclave-engine (") + std::strerror(errno) + ")");
    channel_ = net::Descriptor(ends[0]);
    const net::Descriptor other(ends[1]);
    const auto spawned = spawn_apart(words_, environment_with({}), {other.get()});
    if (const int* error = std::get_if<int>(&spawned))
        return lose(words_.front() + " cannot be started (" + std::strerror(*error) + ")");
    child_ = std::get<Spawned>(spawned).pid;
    loop_.watch(channel_.get(), [this] { hear(); });
}

void CellLink::lose(const std::string& why) {
    if (channel_) loop_.forget(channel_.get());
    channel_.reset();
    if (child_ > 0) waitpid(child_, nullptr, WNOHANG);
    child_ = -1;
    place_.reset();
    asked_ = never;
    problem_ = why;
    again_.set(net::boot_time() + engine_pause);
    handlers_.changed();
}

void CellLink::hear() {
    for (;;) {
        CellReport report;
        const auto size = recv(channel_.get(), &report, sizeof report, MSG_DONTWAIT);
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (size != sizeof report)
            return lose(problem_.empty() ? "conclave-engine has ended" : problem_);
        report.text.back() = 0;
        take(report);
        if (!channel_) return;
    }
}

void CellLink::take(const CellReport& report) {
    const std::string text = report.text.data();
    switch (report.answer) {
        case CellAnswer::ready:
            place_ = net::parse_address("127.0.0.1", static_cast<std::uint16_t>(report.port));
            secret_ = report.secret;
            return handlers_.changed();
        case CellAnswer::told: {
            if (asked_ != never) spans_.push_back(net::boot_time() - std::exchange(asked_, never));
            if (spans_.size() > spans_kept) spans_.erase(spans_.begin());
            const bool was_lost = !std::exchange(problem_, {}).empty();
            const lease::Claim claim{report.life, report.beat, Duration{report.promise_ns}};
            handlers_.told({report.version, claim}, text);
            return was_lost ? handlers_.changed() : void();
        }
        case CellAnswer::problem:
            asked_ = never;
            if (std::exchange(problem_, text) != text) handlers_.changed();
            return;
        case CellAnswer::finding:
            if (text.empty())
                findings_.clear();
            else
                findings_.push_back(text);
    }
}

void CellLink::ask(CellRequest request) {
    if (!channel_) return;
    if (asked_ == never) asked_ = net::boot_time();
    send(channel_.get(), &request, sizeof request, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void CellLink::read() { ask({}); }
void CellLink::write(const lease::Write& write) {
    ask({.order = write.claim.free() ? CellOrder::free : CellOrder::write,
         .beat = write.claim.beat,
         .version = write.version,
         .life = write.claim.life,
         .promise_ns = write.claim.promise.count()});
}
void CellLink::leave() {
    ask({.order = CellOrder::leave});
    again_.stop();
}

Duration CellLink::slowest() const {
    const Duration waits = asked_ == never ? Duration{0} : net::boot_time() - asked_;
    const auto worst = std::max_element(spans_.begin(), spans_.end());
    return worst == spans_.end() ? waits : std::max(waits, *worst);
}

Bytes CellLink::notice(std::uint64_t life) const {
    const process::CellNotice notice{secret_, life};
    const auto* const first = reinterpret_cast<const std::byte*>(&notice);
    return {first, first + sizeof notice};
}

}  // namespace conclave::agent
