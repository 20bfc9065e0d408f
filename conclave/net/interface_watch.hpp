// Tells when the machine's interfaces or their addresses have changed, as soon as the kernel says
// so: a cable that is put back must not wait for somebody to look.
//
// It says that something changed and not what: list_interfaces() has the state. Several changes in
// a row may be told as one. Where the kernel refuses the socket nothing is ever told, so an owner
// looks now and then as well.
#pragma once

#include <functional>

#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::net {

class InterfaceWatch {
public:
    InterfaceWatch(Loop& loop, std::function<void()> changed);
    ~InterfaceWatch();
    InterfaceWatch(const InterfaceWatch&) = delete;
    InterfaceWatch& operator=(const InterfaceWatch&) = delete;

private:
    void read();

    Loop& loop_;
    std::function<void()> changed_;
    Descriptor descriptor_;
};

}  // namespace conclave::net
