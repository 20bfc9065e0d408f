// A short visit to a service over TCP: does it let us in, and, if we ask by HTTP, is it content?
#pragma once

#include <functional>
#include <string>

#include "conclave/core/time.hpp"
#include "conclave/net/address.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::agent {

class Visit {
public:
    // `words` completes "the service ...".
    using Done = std::function<void(bool well, const std::string& words)>;

    explicit Visit(net::Loop& loop);
    ~Visit() { leave(); }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

    // An empty request only connects. Otherwise the answer must begin as HTTP with a code of 2xx.
    void start(const net::Address& to, std::string request, Duration limit, Done done);

private:
    void enter();
    void listen();
    void leave();
    void finish(bool well, const std::string& words);

    net::Loop& loop_;
    net::Alarm limit_;
    net::Descriptor socket_;
    std::string request_, heard_;
    Done done_;
};

}  // namespace conclave::agent
