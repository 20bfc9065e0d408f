// Datagrams that claim to be of this group and could not be opened: likely causes, for people.
// None of it is proved, so it blames no member.
#pragma once

#include <array>
#include <string>

#include "conclave/agent/settings/node_config.hpp"
#include "conclave/net/address.hpp"
#include "conclave/net/log.hpp"
#include "conclave/wire/envelope.hpp"

namespace conclave::agent {

// "claims ...: perhaps ..."; empty: not worth a line.
std::string refusal_remark(const Config& config, wire::Drop reason);

class Refusals {
public:
    // In the log at once, for whoever waits for the others; but not at the pace of a forger.
    void note(const Config& config, const net::Log& log, wire::Drop reason,
              const net::Address& from);

private:
    std::array<Time, wire::drop_count> told_{};  // 0: never
};

}  // namespace conclave::agent
