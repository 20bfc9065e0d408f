// Signals as something to wait for: the handler only writes to a pipe, the loop does the rest.
#pragma once

#include <csignal>
#include <functional>
#include <vector>

#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::net {

// While it lives, this thread takes no signals; nor do threads that are started meanwhile, ever.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

// One for a process: signals belong to the whole of it. The former handlers return with its end.
class Signals {
public:
    Signals(Loop& loop, std::vector<int> which, std::function<void(int)> arrived);
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

private:
    void read_pipe();

    Loop& loop_;
    std::vector<int> which_;
    std::function<void(int)> arrived_;
    Descriptor reader_, writer_;
};

}  // namespace conclave::net
