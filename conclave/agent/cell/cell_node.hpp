// A node whose group shares a cell in an engine: the host of lease/tenant.hpp, with the command
// under its guardian. It decides nothing about the lease.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conclave/agent/cell/cell_link.hpp"
#include "conclave/agent/report/node_status.hpp"
#include "conclave/agent/work/work.hpp"
#include "conclave/lease/tenant.hpp"
#include "conclave/net/log.hpp"

namespace conclave::agent {

// How long the group may be without a running command.
struct CellBound {
    Duration silent_ns{};    // its leader says nothing, nor does anybody for it
    Duration died_ns{};      // its agent died, and its guardian lives
    Duration handover_ns{};  // it was asked to hand over; without the time to stop
    Duration stop_ns{};      // the command may take this long to stop when asked
    std::vector<std::string> assumed{};
};
std::string to_text(const CellBound& bound);

class CellNode {
public:
    using Ended = std::function<void(int code, const std::string& why)>;
    using MakeWork = std::function<std::unique_ptr<Work>(Work::Gone)>;
    CellNode(net::Loop& loop, const Config& config, const ViaGiven& via, const FormerTree& former,
             const MakeWork& make_work, Ended ended);

    void start();
    std::function<void()> on_change = [] {};

    // Requests of operators and health checks; a sentence where one is refused.
    std::string resign();
    void set_paused(bool paused);
    void resume();
    void set_healthy(bool healthy, const std::string& words);
    void leave();
    void pass_signal(int number) { work_->pass_signal(number); }

    NodeStatus status() const;
    CellBound bound() const;
    std::vector<std::string> examine() const;
    const Config& config() const { return config_; }

private:
    struct RealChance final : Chance {
        std::uint64_t choose(std::uint64_t n) override;
    };
    // Reasons against leading here.
    struct Wishes {
        bool healthy = true, paused = false, resigning = false, departing = false;
        std::string health_words{};
        std::string failure{};  // of the command here, until an operator resumes; empty: none
        Time give_up = never;   // the cell is not waited for any longer
    };
    // The command, since it was started last.
    struct Term {
        bool done = false;      // it ended well, and is not started again
        bool noticed = false;   // the guardian has its death notice
        bool stopping = false;  // it was asked to stop
        int code = 0;           // with which this process ends
        std::uint32_t starts = 0;
    };
    template <class Event>
    void tell(const Event& event);
    void hear(const lease::Contents& now, const std::string& holder);
    void perform();
    void start_work();
    void heed();
    void renew_notice();
    void look();  // may this node lead?
    std::string obstacle() const;
    void hear_work(const WorkEvent& event);
    void end_if_free();
    bool knows_holder() const;

    const Config& config_;
    net::Log log_;
    const FormerTree& former_;
    lease::TenantSettings settings_;
    lease::Tenant tenant_{};
    lease::Tenant::Turn::Effects effects_{};
    RealChance chance_{};
    Rows rows_{};
    std::uint32_t incarnation_;
    std::unique_ptr<Work> work_;
    net::Alarm beat_, look_, again_;
    CellLink link_;
    Ended ended_;
    std::string holder_{};   // as the cell names it
    std::string problem_{};  // as it was logged last
    Wishes wishes_{};
    Term term_{};
    Time born_;
};

}  // namespace conclave::agent
