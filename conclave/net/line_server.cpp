#include "conclave/net/line_server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "conclave/net/failure.hpp"

namespace conclave::net {

namespace {

constexpr std::size_t callers_most = 64, line_most = 4096;

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        fail("make the control socket " + path + " (give a shorter --state)", ENAMETOOLONG);
    std::memcpy(address.sun_path, path.data(), path.size());
    return address;
}

Descriptor open_socket(int flags) {
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
    if (!socket) fail("open a control socket", errno);
    return socket;
}

bool connect_to(const Descriptor& socket, const std::string& path) {
    const sockaddr_un address = address_of(path);
    return connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

bool send_line(int fd, const std::string& line) {
    const std::string whole = line + "\n";
    return send(fd, whole.data(), whole.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(whole.size());
}

uid_t user_behind(int fd) {
    ucred who{};
    socklen_t size = sizeof who;
    const bool known = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0;
    return known ? who.uid : static_cast<uid_t>(-1);
}

// A caller that only ended its own side still listens.
bool has_gone(int fd) {
    pollfd look{.fd = fd, .events = 0, .revents = 0};
    return poll(&look, 1, 0) > 0 && (look.revents & (POLLHUP | POLLERR)) != 0;
}

// To connect, to send and to receive; 0: for ever.
void limit_waiting(int fd, Duration limit) {
    const auto whole = std::chrono::floor<std::chrono::seconds>(limit);
    const timeval most{.tv_sec = whole.count(),
                       .tv_usec = (limit - whole) / std::chrono::microseconds(1)};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
}

}  // namespace

bool LineServer::Asker::may_steer() const { return user == 0 || user == geteuid(); }

LineServer::LineServer(Loop& loop, std::string path,
                       std::function<Answer(const std::string&, const Asker&)> answer)
    : loop_(loop),
      path_(std::move(path)),
      answer_(std::move(answer)),
      listener_(open_socket(SOCK_NONBLOCK)) {
    const sockaddr_un address = address_of(path_);
    unlink(path_.c_str());  // the owner holds a lock, so nobody listens there
    const mode_t before = umask(0077);
    const int bound =
        bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    umask(before);
    if (bound != 0 || listen(listener_.get(), 16) != 0)
        fail("listen on the control socket " + path_, errno);
    loop_.watch(listener_.get(), [this] { accept_caller(); });
}

LineServer::~LineServer() {
    loop_.forget(listener_.get());
    for (const Caller& caller : callers_) loop_.forget(caller.socket.get());
    unlink(path_.c_str());
}

void LineServer::accept_caller() {
    Descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket || callers_.size() >= callers_most) return;
    Caller& caller = callers_.emplace_back();
    caller.socket = std::move(socket);
    caller.asker.user = user_behind(caller.socket.get());
    loop_.watch(caller.socket.get(), [this, &caller] { serve(caller); });
}

void LineServer::hang_up(const Caller& caller) {
    loop_.forget(caller.socket.get());
    callers_.remove_if([&](const Caller& each) { return &each == &caller; });
}

void LineServer::serve(Caller& caller) {
    std::array<char, 1024> buffer{};
    const ssize_t got = recv(caller.socket.get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return hang_up(caller);
    caller.heard.append(buffer.data(), static_cast<std::size_t>(got));
    const auto end = caller.heard.find('\n');
    if (end == std::string::npos && caller.heard.size() < line_most) return;
    if (has_gone(caller.socket.get())) return hang_up(caller);
    const Answer answer = answer_(caller.heard.substr(0, end), caller.asker);
    caller.watches = answer.watches;
    caller.heard.clear();
    const bool sent = send_line(caller.socket.get(), answer.text);
    if (!sent || !caller.watches) hang_up(caller);
}

bool LineServer::watched() const {
    return std::any_of(callers_.begin(), callers_.end(), [](const Caller& c) { return c.watches; });
}

void LineServer::tell_watchers(const std::string& text) {
    std::vector<const Caller*> gone;
    for (const Caller& caller : callers_)
        if (caller.watches && !send_line(caller.socket.get(), text)) gone.push_back(&caller);
    for (const Caller* caller : gone) hang_up(*caller);
}

Asking ask_line(const std::string& path, const std::string& line,
                const std::function<bool(const std::string&)>& hear, Duration patience) {
    const Descriptor socket = open_socket(0);
    limit_waiting(socket.get(), patience);
    const auto failed = [] {
        if (errno == EAGAIN) return Asking::silent;
        return errno == EACCES ? Asking::forbidden : Asking::nobody;
    };
    if (!connect_to(socket, path) || !send_line(socket.get(), line)) return failed();
    std::string heard;
    std::array<char, 4096> buffer{};
    bool answered = false;
    for (;;) {
        const ssize_t got = recv(socket.get(), buffer.data(), buffer.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 && answered) return Asking::answered;
        if (got <= 0) return got < 0 ? failed() : Asking::nobody;
        heard.append(buffer.data(), static_cast<std::size_t>(got));
        for (auto end = heard.find('\n'); end != std::string::npos; end = heard.find('\n')) {
            if (!std::exchange(answered, true)) limit_waiting(socket.get(), Duration{0});
            if (!hear(heard.substr(0, end))) return Asking::answered;
            heard.erase(0, end + 1);
        }
    }
}

// Where the line of callers is full, somebody has them wait.
bool is_listening(const std::string& path) {
    const Descriptor socket = open_socket(SOCK_NONBLOCK);
    return connect_to(socket, path) || errno == EAGAIN || errno == EACCES;
}

}  // namespace conclave::net
