// Tells systemd how the service stands, and that it is alive: the protocol of sd_notify(3), which
// is a datagram to a socket that the environment names. Without it nothing is done.
#pragma once

#include <string>

#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::net {

class Notify {
public:
    explicit Notify(Loop& loop);

    // "READY=1", "STATUS=follows 'a'", "STOPPING=1"; several with a line's end between them.
    void say(const std::string& words) const;

private:
    void pat_watchdog();

    std::string path_;
    Descriptor socket_;
    Duration every_{};  // 0: there is no watchdog
    Alarm pat_;
};

}  // namespace conclave::net
