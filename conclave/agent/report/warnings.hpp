// The node's log, and warnings that are said once: doctor repeats those that still hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conclave/core/time.hpp"
#include "conclave/net/log.hpp"

namespace conclave::agent {

class Warnings {
public:
    static constexpr std::uint64_t own = 1, group = 2;  // whom one is about; else a peer's identity

    // Lines of the log go to `sink`; empty: to stderr.
    explicit Warnings(std::string who, net::Log::Sink sink = {})
        : log(std::move(who), std::move(sink)) {}

    // In the log, unless the same was said before.
    void once(std::uint64_t about, const std::string& sentence);
    // What was found again since then about other nodes.
    std::vector<std::string> about_peers(Time since) const;

    const net::Log log;

private:
    struct Warning {
        std::uint64_t about;
        std::string sentence;
        Time last;  // it was found
    };
    std::vector<Warning> said_{};
};

}  // namespace conclave::agent
