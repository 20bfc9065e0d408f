// The command of a node: started, renewed and stopped as member/duty.hpp answers, and what is left
// of a former life's command.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "conclave/agent/disk/former_tree.hpp"
#include "conclave/agent/report/history.hpp"
#include "conclave/agent/site.hpp"
#include "conclave/agent/work/work.hpp"
#include "conclave/member/done.hpp"
#include "conclave/member/duty.hpp"

namespace conclave::agent {

class Runner {
public:
    struct Handlers {
        std::function<void()> problem;  // what keeps the command from being started has changed
        std::function<void(const member::Done&)> done;  // the command ended well
        std::function<void()> after_turn;               // look again, when this turn is over
    };
    Runner(Site& site, History& history, Handlers handlers);

    void employ(std::unique_ptr<Work> work) { work_ = std::move(work); }
    const Work& work() const { return *work_; }
    void set_times() { work_->set_times(site_.config); }
    void pass_signal(int number) { work_->pass_signal(number); }
    // Before the member is seated; `former` outlives the node.
    void wait_for(const FormerTree& former) { former_ = &former; }

    // R8: what the former life of this node held is released when its command is proved to be gone.
    void release_former();
    // During and after a turn; `wanted`: the command is not done for the group, `able`: nothing
    // keeps it from being started.
    void turn(const member::View& view, bool wanted, bool able);
    bool settle(bool wanted, bool able);  // true: the member took another turn
    // Everything of the command is gone.
    void hear(const WorkEvent& event);

    // Hands over, and ends when nothing runs: over() says when.
    void depart();
    bool departing() const { return departing_; }
    bool over() const;
    int exit_code() const { return exit_code_; }
    // An operator lets a command be started again that failed here.
    void forgive() { failure_.clear(); }

    // Why the command cannot be started: because of what was, and at present. Empty: it can.
    std::string past_problem() const;
    std::string problem() const { return work_->obstacle(); }
    void show(WorkStatus& status) const;

private:
    member::CommandFacts facts(bool wanted, bool able) const;
    bool former_gone() const { return former_ == nullptr || former_->gone(); }
    void note_former_gone();
    void start(const member::View& view);
    void renew_death_notice(const member::View& view);
    void fail(int code);

    Site& site_;
    History& history_;
    Handlers handlers_;
    std::unique_ptr<Work> work_{};
    const FormerTree* former_ = nullptr;  // nullptr: it is gone
    net::Alarm unknown_;  // nothing is left of a former command that could not be found
    struct Notice {
        lease::Ballot ballot{};
        Id successor = nobody;
        std::uint8_t version = 0;
        lease::Stamp members{};
        bool operator==(const Notice&) const = default;
    };
    Notice notice_{};  // as the guardian has it
    std::uint32_t starts_ = 0;
    std::uint64_t started_ = 0;  // token of the last start
    std::string failure_{};      // of the command here, until an operator resumes; empty: none
    bool finished_ = false;      // the command is not to be started again
    bool departing_ = false;     // the process is to end
    int exit_code_ = 0;
};

}  // namespace conclave::agent
