// The agent's side of conclave-engine, its connection to a shared cell. It is started again if it
// ends; what was asked of it meanwhile is lost, as in a network.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conclave/agent/settings/node_config.hpp"
#include "conclave/core/bytes.hpp"
#include "conclave/lease/cell.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"
#include "conclave/process/cell_orders.hpp"

namespace conclave::agent {

// Where the cell is: --via and what belongs to it, as they were given.
struct ViaGiven {
    std::string url{};
    std::string credentials{}, ca{}, certificate{}, private_key{};  // files; empty: none
};

class CellLink {
public:
    struct Handlers {
        std::function<void(const lease::Contents&, const std::string& holder)> told;
        std::function<void()> changed;  // problem(), findings() or notice_place()
    };
    CellLink(net::Loop& loop, const Config& config, const ViaGiven& via, Handlers handlers);
    ~CellLink();
    CellLink(const CellLink&) = delete;
    CellLink& operator=(const CellLink&) = delete;

    void read();
    void write(const lease::Write& write);
    void leave();  // conclave-engine need not outlive this process

    // Why nothing is known of the cell at present; empty: it answers.
    const std::string& problem() const { return problem_; }
    const std::vector<std::string>& findings() const { return findings_; }
    // The slowest of the last answers.
    Duration slowest() const;
    // To whom a guardian's death notice goes; nothing: there is nobody yet.
    std::optional<net::Address> notice_place() const { return place_; }
    Bytes notice(std::uint64_t life) const;

private:
    void start();
    void hear();
    void take(const process::CellReport& report);
    void ask(process::CellRequest request);
    void lose(const std::string& why);

    net::Loop& loop_;
    std::vector<std::string> words_;
    Handlers handlers_;
    net::Descriptor channel_;
    pid_t child_ = -1;
    net::Alarm again_;
    std::string problem_ = "the engine has not answered yet";
    std::vector<std::string> findings_{};
    std::optional<net::Address> place_{};
    std::uint64_t secret_ = 0;
    Time asked_ = never;  // the oldest request without an answer
    std::vector<Duration> spans_{};
};

// Beside this program.
std::string find_engine_program();

}  // namespace conclave::agent
