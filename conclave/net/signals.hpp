// Signals as something to wait for: the handler only writes to a pipe, the loop does the rest.
#pragma once

#include <functional>
#include <vector>

#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::net {

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
