// Asks again and again whether the service that this node stands for is well: --health.
//
// The first answer counts at once. Later it takes `rise` good answers in a row to become well, and
// `fall` bad ones to become unwell, so that one lost packet moves no leader.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "conclave/agent/work/shell_script.hpp"
#include "conclave/agent/work/visit.hpp"

namespace conclave::agent {

struct Config;

// What is asked.
struct ShellCheck {
    std::string command;
};
struct ConnectCheck {
    net::Address to;
    std::string request;  // empty: that a connection stands is enough
};
using HealthCheck = std::variant<ShellCheck, ConnectCheck>;

// "tcp:HOST:PORT", "http://HOST:PORT/PATH", with or without the //, or a command; HOST is an IP
// address or localhost. Nothing: it is none of them.
std::optional<HealthCheck> parse_check(std::string_view text);

struct HealthSettings {
    HealthCheck check;
    Duration every{}, limit{};
    std::uint32_t rise = 2, fall = 3;
};

class Health {
public:
    // Said at the first answer, and at every change; `words` is the answer that did it.
    using Changed = std::function<void(bool well, const std::string& words)>;

    Health(net::Loop& loop, HealthSettings settings, Changed changed);

    void start() { ask(); }

private:
    void ask();
    void hear(bool well, const std::string& words);

    HealthSettings settings_;
    Changed changed_;
    net::Alarm again_;
    Script script_;
    Visit visit_;
    Time asked_{};
    std::optional<bool> well_{};  // nothing: no answer yet
    std::uint32_t against_ = 0;   // answers in a row that say the opposite
};

// Nothing where no check was asked for.
std::unique_ptr<Health> make_health(net::Loop& loop, const Config& config, Health::Changed changed);

}  // namespace conclave::agent
