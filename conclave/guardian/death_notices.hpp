// The datagrams that tell the others that an agent is dead and its command gone.
//
// The agent made and sealed them while it was alive; the guardian only sends them, so it needs no
// key and understands no message.
#pragma once

#include <array>

#include "conclave/process/orders.hpp"

namespace conclave::guardian {

class DeathNotices {
public:
    void keep(const process::DeathNotice& death_notice);
    // Each to its address, over sockets that the agent left open.
    void send_all() const;

private:
    std::array<process::DeathNotice, process::DeathNotice::most> kept_;
    std::size_t count_ = 0;
};

}  // namespace conclave::guardian
