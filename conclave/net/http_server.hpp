// Answers GET and HEAD over HTTP in the process's own loop, so everything is bounded: connections,
// their number and age, and what may wait to be sent. Watchers of /events are counted apart, and
// when all other places are taken, whoever has been silent longest makes room: nobody keeps others
// from asking. Nothing is ever changed from there.
#pragma once

#include <functional>
#include <list>
#include <string>

#include "conclave/net/address.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/http_request.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::net {

struct HttpAnswer {
    int code = 200;
    std::string body{};
    std::string_view type = "text/plain; charset=utf-8";
    bool gzipped = false;  // the body is, as every browser reads it
};

class HttpServer {
public:
    struct Site {
        std::function<HttpAnswer(const std::string& path)> answer;
        // Text of /events, now and at every change (server-sent events); nothing: there is none.
        std::function<std::string()> event{};
        // By which callers may name this server, beside addresses, localhost and the host's name.
        std::vector<std::string> names{};
    };
    static constexpr std::size_t askers_most = 64, watchers_most = 64;

    // Throws a Failure.
    HttpServer(Loop& loop, const Address& at, Site site);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    void tell_watchers();  // something has changed
    bool watched() const { return watchers() != 0; }
    Address local() const;

private:
    struct Caller {
        Descriptor socket;
        std::string heard, unsent;
        bool watches = false;
        Time since{};
    };
    void accept_caller();
    void make_room();
    std::size_t watchers() const;
    std::string respond(const HttpRequest& request, bool& watches) const;
    void read(Caller& caller);
    void answer(Caller& caller);
    void send_waiting(Caller& caller);
    void hang_up(const Caller& caller);
    void end_old();

    Loop& loop_;
    Site site_;
    Descriptor listener_;
    std::list<Caller> callers_;
    Alarm sweep_;
};

}  // namespace conclave::net
