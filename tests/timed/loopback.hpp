// Daemons with virtual clocks in one loop, over the loopback interface.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"
#include "conclave/net/socket.hpp"
#include "conclave/timed/daemon/daemon.hpp"

namespace conclave::timed {

class LoopbackLan {
public:
    void start(const std::string& name, std::vector<options::Given> more = {}) {
        std::vector<options::Given> given{{"name", name},
                                          {"address", "127.77.0." + std::to_string(++hosts_)},
                                          {"broadcast", "127.255.255.255"},
                                          {"port", std::to_string(port_)},
                                          {"no-control", "true"}};
        given.insert(given.end(), more.begin(), more.end());
        if (std::none_of(more.begin(), more.end(),
                         [](const options::Given& g) { return g.name == "clock"; }))
            given.push_back({"clock", "virtual"});
        if (keys.empty())
            given.push_back({"insecure", "true"});
        else
            given.push_back({"key", "unused"});
        auto daemon = std::make_unique<Daemon>(loop, make_config(given), keys);
        daemon->start();
        daemons[name] = std::move(daemon);
    }
    template <class Condition>
    bool wait(const Condition& condition, Duration most = std::chrono::seconds(30)) {
        const Time end = net::boot_time() + most;
        while (!condition()) {
            if (net::boot_time() > end) return false;
            loop.step(std::chrono::milliseconds(20));
        }
        return true;
    }
    bool all_follow_one() const {
        std::string master;
        for (const auto& [name, daemon] : daemons) {
            const DaemonStatus status = daemon->status();
            if (status.master.empty() || !status.has_time) return false;
            if (!daemons.contains(status.master)) return false;
            if (master.empty()) master = status.master;
            if (master != status.master) return false;
        }
        return true;
    }
    std::string master() const { return daemons.begin()->second->status().master; }
    Duration spread() const {
        std::int64_t low = INT64_MAX, high = INT64_MIN;
        for (const auto& [name, daemon] : daemons) {
            const std::int64_t offset = daemon->status().clock.offset_ns.value();
            low = std::min(low, offset);
            high = std::max(high, offset);
        }
        return Duration{high - low};
    }

    // What a BSD timed would say, to one of them.
    void speak_as_bsd(const std::string& address) {
        const auto port = static_cast<std::uint16_t>(port_);
        net::Socket old(*net::parse_address("127.77.0.99", port), net::Socket::Use::alone);
        const wire::TspDatagram slaveup{.type = wire::TspDatagram::Type::slaveup, .name = "old"};
        ASSERT_TRUE(old.send(*net::parse_address(address, port), wire::write_datagram(slaveup)));
    }
    bool all_keep_times_of(const std::string& mode) const {
        return std::all_of(daemons.begin(), daemons.end(),
                           [&](const auto& each) { return each.second->status().mode == mode; });
    }

    net::Loop loop;
    wire::Keys keys;
    std::map<std::string, std::unique_ptr<Daemon>> daemons;

private:
    std::uint64_t port_ = 20'000 + net::random_number() % 20'000;
    int hosts_ = 0;
};

}  // namespace conclave::timed
