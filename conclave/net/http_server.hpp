// Answers GET and HEAD over HTTP in the process's own loop, so everything is bounded: connections,
// their number and age, and what may wait to be sent. Nothing is ever changed from there.
#pragma once

#include <functional>
#include <list>
#include <string>

#include "conclave/net/address.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::net {

struct HttpAnswer {
    int code = 200;
    std::string body{};
    std::string_view type = "text/plain; charset=utf-8";
};

class HttpServer {
public:
    struct Site {
        std::function<HttpAnswer(const std::string& path)> answer;
        // What /events tells, now and at every change (server-sent events); nothing: there is none.
        std::function<std::string()> event{};
    };

    // Throws a Failure.
    HttpServer(Loop& loop, const Address& at, Site site);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    void tell_watchers();  // something has changed
    Address local() const;

private:
    struct Caller {
        Descriptor socket;
        std::string heard, unsent;
        bool watches = false;
        Time since{};
    };
    void accept_caller();
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
