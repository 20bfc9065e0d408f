#include "conclave/net/http_server.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

#include "conclave/net/failure.hpp"

namespace conclave::net {

namespace {

constexpr std::size_t waiting_most = 1 << 20;
constexpr Duration patience = std::chrono::seconds(5);

std::string_view words_of(int code) {
    switch (code) {
        case 200: return "OK";
        case 400: return "Bad Request";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 421: return "Misdirected Request";
        case 431: return "Request Header Fields Too Large";
        case 503: return "Service Unavailable";
        default: return "HTTP Version Not Supported";
    }
}

std::string heading(int code, std::string_view type) {
    return "HTTP/1.1 " + std::to_string(code) + " " + std::string(words_of(code)) +
           "\r\nContent-Type: " + std::string(type) +
           "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
           "Connection: close\r\n";
}

std::string whole(const HttpAnswer& answer, bool head) {
    return heading(answer.code, answer.type) +
           (answer.gzipped ? "Content-Encoding: gzip\r\n" : "") +
           "Content-Length: " + std::to_string(answer.body.size()) + "\r\n\r\n" +
           (head ? "" : answer.body);
}

std::string event_of(const std::string& text) { return "data: " + text + "\n\n"; }

}  // namespace

HttpServer::HttpServer(Loop& loop, const Address& at, Site site)
    : loop_(loop), site_(std::move(site)), sweep_(loop, [this] { end_old(); }) {
    std::array<char, HOST_NAME_MAX + 1> own{};
    if (gethostname(own.data(), own.size() - 1) == 0) site_.names.emplace_back(own.data());
    const RawAddress raw = to_raw(at);
    const int yes = 1;
    listener_ =
        Descriptor(socket(raw.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (!listener_ || bind(listener_.get(), raw.get(), raw.size) != 0 ||
        listen(listener_.get(), askers_most) != 0)
        throw Failure("--http " + text(at) + " cannot be had (" + std::strerror(errno) +
                      "): give an address of this machine and a port that is free");
    loop_.watch(listener_.get(), [this] { accept_caller(); });
}

HttpServer::~HttpServer() {
    loop_.forget(listener_.get());
    for (const Caller& caller : callers_) loop_.forget(caller.socket.get());
}

Address HttpServer::local() const {
    RawAddress raw;
    raw.size = sizeof raw.storage;
    getsockname(listener_.get(), raw.get(), &raw.size);
    return from_raw(raw.get()).value_or(Address{});
}

void HttpServer::accept_caller() {
    Descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket) return;
    make_room();
    Caller& caller = callers_.emplace_back();
    caller.socket = std::move(socket);
    caller.since = loop_.time();
    loop_.watch(caller.socket.get(), [this, &caller] { read(caller); });
    if (!sweep_.is_set()) sweep_.set_after(patience);
}

// Of those that do not watch the first has been here longest, and takes its time.
void HttpServer::make_room() {
    if (callers_.size() - watchers() < askers_most) return;
    for (const Caller& caller : callers_)
        if (!caller.watches) return hang_up(caller);
}

std::size_t HttpServer::watchers() const {
    return static_cast<std::size_t>(
        std::count_if(callers_.begin(), callers_.end(), [](const Caller& c) { return c.watches; }));
}

void HttpServer::read(Caller& caller) {
    std::array<char, 2048> buffer{};
    const ssize_t got = recv(caller.socket.get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return hang_up(caller);
    if (caller.watches) return;  // whatever it says now
    caller.heard.append(buffer.data(), static_cast<std::size_t>(got));
    answer(caller);
}

void HttpServer::answer(Caller& caller) {
    const HttpRequest request = read_request(caller.heard);
    if (request.state == HttpRequest::State::partial) return;
    caller.unsent = respond(request, caller.watches);
    send_waiting(caller);
}

std::string HttpServer::respond(const HttpRequest& request, bool& watches) const {
    if (request.state == HttpRequest::State::refused && request.code == 405)
        return whole({405, "this server only shows, and changes nothing: use GET or HEAD\n"},
                     false);
    if (request.state == HttpRequest::State::refused)
        return whole({request.code, std::string(words_of(request.code)) + "\n"}, false);
    if (!is_known_host(request.host, site_.names))
        return whole({421,
                      "this server is not known by that name: use an IP address or the name of its "
                      "host; conclave run takes further names with --http-host\n"},
                     request.head);
    if (!site_.event || request.path != "/events" || request.head)
        return whole(site_.answer(request.path), request.head);
    if (watchers() >= watchers_most)
        return whole({503, "too many watch already: ask for /status now and then\n"}, false);
    watches = true;
    return heading(200, "text/event-stream") + "\r\n" + event_of(site_.event());
}

void HttpServer::send_waiting(Caller& caller) {
    const ssize_t sent =
        send(caller.socket.get(), caller.unsent.data(), caller.unsent.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return hang_up(caller);
    if (sent > 0) caller.unsent.erase(0, static_cast<std::size_t>(sent));
    if (!caller.unsent.empty())
        return loop_.watch_writing(caller.socket.get(), [this, &caller] { send_waiting(caller); });
    if (!caller.watches) return hang_up(caller);
    loop_.watch(caller.socket.get(), [this, &caller] { read(caller); });
}

void HttpServer::hang_up(const Caller& caller) {
    loop_.forget(caller.socket.get());
    shutdown(caller.socket.get(), SHUT_WR);
    callers_.remove_if([&](const Caller& each) { return &each == &caller; });
}

// A watcher may stay; who has not asked, or does not take its answer, has had its time.
void HttpServer::end_old() {
    const Time old = loop_.time() - patience;
    std::vector<const Caller*> late;
    for (const Caller& caller : callers_)
        if (!caller.watches && caller.since <= old) late.push_back(&caller);
    for (const Caller* caller : late) hang_up(*caller);
    if (!callers_.empty()) sweep_.set_after(patience / 5);
}

void HttpServer::tell_watchers() {
    std::vector<Caller*> watchers;
    for (Caller& caller : callers_)
        if (caller.watches) watchers.push_back(&caller);
    if (watchers.empty()) return;
    const std::string event = event_of(site_.event());
    for (Caller* caller : watchers) {
        caller->unsent += event;
        if (caller->unsent.size() > waiting_most)
            hang_up(*caller);
        else
            send_waiting(*caller);
    }
}

}  // namespace conclave::net
