#include "conclave/agent/control.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "conclave/agent/why.hpp"
#include "conclave/net/failure.hpp"

namespace conclave::agent {

namespace {

constexpr std::size_t callers_most = 64, line_most = 4096;

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        net::fail("make the control socket " + path + " (give a shorter --state)", ENAMETOOLONG);
    std::memcpy(address.sun_path, path.data(), path.size());
    return address;
}

net::Descriptor open_socket(int flags) {
    net::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
    if (!socket) net::fail("open a control socket", errno);
    return socket;
}

bool connect_to(const net::Descriptor& socket, const std::string& path) {
    const sockaddr_un address = address_of(path);
    return connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

bool send_line(int fd, const std::string& line) {
    const std::string whole = line + "\n";
    return send(fd, whole.data(), whole.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(whole.size());
}

}  // namespace

Control::Control(net::Loop& loop, Node& node, std::string path)
    : loop_(loop), node_(node), path_(std::move(path)), listener_(open_socket(SOCK_NONBLOCK)) {
    const sockaddr_un address = address_of(path_);
    unlink(path_.c_str());  // the node's lock is ours, so nobody listens there
    const mode_t before = umask(0077);
    const int bound =
        bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    umask(before);
    if (bound != 0 || listen(listener_.get(), 16) != 0)
        net::fail("listen on the control socket " + path_, errno);
    loop_.watch(listener_.get(), [this] { accept_caller(); });
}

Control::~Control() {
    loop_.forget(listener_.get());
    for (const Caller& caller : callers_) loop_.forget(caller.socket.get());
    unlink(path_.c_str());
}

void Control::accept_caller() {
    net::Descriptor socket(
        accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket || callers_.size() >= callers_most) return;
    Caller& caller = callers_.emplace_back();
    caller.socket = std::move(socket);
    loop_.watch(caller.socket.get(), [this, &caller] { serve(caller); });
}

void Control::hang_up(const Caller& caller) {
    loop_.forget(caller.socket.get());
    callers_.remove_if([&](const Caller& each) { return &each == &caller; });
}

void Control::serve(Caller& caller) {
    std::array<char, 1024> buffer{};
    const ssize_t got = recv(caller.socket.get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return hang_up(caller);
    caller.heard.append(buffer.data(), static_cast<std::size_t>(got));
    const auto end = caller.heard.find('\n');
    if (end == std::string::npos && caller.heard.size() < line_most) return;
    const bool sent = send_line(caller.socket.get(), answer(caller, caller.heard.substr(0, end)));
    if (!sent || !caller.watches) hang_up(caller);
}

std::string Control::answer(Caller& caller, const std::string& line) {
    const std::string verb = line.substr(0, line.find(' '));
    const std::string rest = verb.size() < line.size() ? line.substr(verb.size() + 1) : "";
    const Status status = node_.status();
    if (verb == "status") return rest == "text" ? to_text(status) : json(status);
    if (verb == "members") return rest == "text" ? to_text(status.members) : json(status.members);
    if (verb == "leader") return status.leader;
    if (verb == "is-leader") return status.may_act ? "yes" : "no";
    if (verb == "resign") {
        const std::string why = node_.resign(rest);
        return why.empty() ? "ok" : why;
    }
    if (verb == "pause" || verb == "resume") {
        node_.set_paused(verb == "pause");
        return "ok";
    }
    if (verb == "why") return to_reasons(status);
    if (verb == "bound") return rest == "json" ? json(node_.bound()) : to_text(node_.bound());
    if (verb == "question") {
        node_.question_peers();
        return "ok";
    }
    if (verb == "doctor") {
        std::string findings;
        for (const std::string& each : node_.examine())
            findings += (findings.empty() ? "" : "\n") + each;
        return findings;
    }
    if (verb != "watch") return "there is no request '" + verb + "'";
    caller.watches = true;
    return json(status);
}

void Control::tell_watchers() {
    const std::string line = json(node_.status());
    std::vector<const Caller*> gone;
    for (const Caller& caller : callers_)
        if (caller.watches && !send_line(caller.socket.get(), line)) gone.push_back(&caller);
    for (const Caller* caller : gone) hang_up(*caller);
}

bool ask_node(const std::string& path, const std::string& line,
              const std::function<bool(const std::string&)>& hear) {
    const net::Descriptor socket = open_socket(0);
    if (!connect_to(socket, path) || !send_line(socket.get(), line)) return false;
    std::string heard;
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t got = recv(socket.get(), buffer.data(), buffer.size(), 0);
        if (got <= 0) return true;
        heard.append(buffer.data(), static_cast<std::size_t>(got));
        for (auto end = heard.find('\n'); end != std::string::npos; end = heard.find('\n')) {
            if (!hear(heard.substr(0, end))) return true;
            heard.erase(0, end + 1);
        }
    }
}

}  // namespace conclave::agent
