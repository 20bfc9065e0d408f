#include "conclave/agent/work/visit.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

constexpr std::string_view shortest_answer = "HTTP/1.1 200";

}  // namespace

Visit::Visit(net::Loop& loop)
    : loop_(loop), limit_(loop, [this] { finish(false, "did not answer in time"); }) {}

void Visit::start(const net::Address& to, std::string request, Duration limit, Done done) {
    done_ = std::move(done);
    request_ = std::move(request);
    heard_.clear();
    limit_.set(net::boot_time() + limit);
    const net::RawAddress raw = net::to_raw(to);
    socket_ = net::Descriptor(
        socket(raw.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket_) return finish(false, std::strerror(errno));
    if (connect(socket_.get(), raw.get(), raw.size) != 0 && errno != EINPROGRESS)
        return finish(false, std::strerror(errno));
    loop_.watch_writing(socket_.get(), [this] { enter(); });
}

void Visit::enter() {
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return finish(false, std::strerror(error));
    if (request_.empty()) return finish(true, "lets us in");
    if (send(socket_.get(), request_.data(), request_.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(request_.size()))
        return finish(false, "does not listen");
    loop_.watch(socket_.get(), [this] { listen(); });
}

// The first line says it all.
void Visit::listen() {
    std::array<char, 256> buffer{};
    const ssize_t got = recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got > 0) heard_.append(buffer.data(), static_cast<std::size_t>(got));
    if (heard_.size() < shortest_answer.size()) {
        if (got <= 0) finish(false, "hung up");
        return;
    }
    const bool http = heard_.starts_with("HTTP/1.") && heard_[8] == ' ';
    if (!http) return finish(false, "does not speak HTTP");
    finish(heard_[9] == '2', "answered " + heard_.substr(9, 3));
}

void Visit::leave() {
    if (socket_) loop_.forget(socket_.get());
    socket_.reset();
    limit_.stop();
}

void Visit::finish(bool well, const std::string& words) {
    leave();
    if (const Done done = std::exchange(done_, nullptr)) done(well, words);
}

}  // namespace conclave::agent
