#include <sys/wait.h>

#include <csignal>

#include "conclave/agent/disk/former_tree.hpp"
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/agent/work/guardian_link.hpp"
#include "conclave/agent/work/work.hpp"
#include "conclave/core/names.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

int code_of(const GuardianLink::Event& event) {
    switch (event.cause) {
        case Cause::refused: return exit_code::refused;
        case Cause::watchdog:
        case Cause::lost: return 128 + SIGKILL;
        case Cause::not_started: return event.error == ENOENT ? 127 : 126;  // as shells do
        default: break;
    }
    return WIFSIGNALED(event.status) ? 128 + WTERMSIG(event.status) : WEXITSTATUS(event.status);
}

bool by_itself(Cause cause) {
    return cause == Cause::ended || cause == Cause::not_started || cause == Cause::refused ||
           cause == Cause::watchdog || cause == Cause::lost;
}

GuardianLink::Margins margins_of(const Config& config) {
    return {.grace = config.grace.span,
            .margin = config.margin(),
            .margin_most = config.command_detect() / 4,
            .cleanup_limit = config.on_stopped.limit};
}

class CommandWork final : public Work {
public:
    CommandWork(net::Loop& loop, const Config& config, WorkPlace place, Gone gone)
        : loop_(loop),
          command_{config.command, config.group, config.name, {}, {}},
          guard_({.guardian = find_guardian(),
                  .lock = place.lock,
                  .sockets = {place.socket},
                  .wish = contain_of(config.contain),
                  .required = config.require_contain,
                  .stop = config.stop_timeout,
                  .watchdog = config.watchdog,
                  .cleanup = config.on_stopped.line,
                  .margins = margins_of(config),
                  .tree = place.tree}),
          former_(place.former),
          gone_(std::move(gone)),
          warm_(loop, [this] { warm(); }) {
        command_.leader = config.name;
        loop_.watch(guard_.fd(), [this] { hear(); });
        if (!config.witness) warm_.set(Time{0});
    }
    ~CommandWork() override { loop_.forget(guard_.fd()); }

    std::string start(const WorkOrder& order) override {
        if (!former_gone()) return former_->remark();
        warm_.stop();
        command_.token = order.token;
        command_.reason = order.reason;
        if (const auto refused = guard_.start(command_, order.deadline)) {
            note_unready(*refused);
            return *refused;
        }
        phase_ = Phase::running;
        end_ = order.deadline;
        return {};
    }
    void extend(Time deadline) override {
        if (deadline > end_) guard_.extend(end_ = deadline);
    }
    void set_times(const Config& config) override { guard_.set_margins(margins_of(config)); }
    void stop(Duration patience) override {
        phase_ = Phase::stopping;
        guard_.stop(patience);
    }
    void death_notice(const Bytes& datagram, const std::vector<net::Address>& to) override {
        std::vector<GuardianLink::Addressed> notices;
        for (const net::Address& each : to)
            notices.push_back({.socket = 0, .to = each, .datagram = datagram});
        guard_.prepare_death_notice(notices);
    }
    void pass_signal(int number) override {
        if (phase_ != Phase::none) guard_.signal(number);
    }
    std::string_view phase() const override { return name_of(phase_); }
    std::string containment() const override {
        const auto contain = guard_.containment();
        return contain ? std::string(name_of(*contain)) : "none";
    }
    std::string obstacle() const override { return former_gone() ? unready_ : former_->remark(); }
    bool guarded() const override { return phase_ == Phase::running && guard_.running(); }
    Duration lateness() const override { return guard_.lateness(); }
    Duration margin() const override { return guard_.margin(); }

private:
    enum class Phase : std::uint8_t { none, running, stopping };
    static constexpr Duration pause = std::chrono::milliseconds(50);  // the successor is quicker so
    static constexpr Duration retry = std::chrono::milliseconds(500);

    bool former_gone() const { return former_ == nullptr || former_->gone(); }

    // A new tree is recorded where the former one is: not before that one is gone.
    void warm() {
        if (!former_gone()) return warm_.set(net::boot_time() + pause);
        if (const auto refused = guard_.prepare(command_)) note_unready(*refused);
    }
    void note_unready(const std::string& problem) {
        unready_ = problem;
        warm_.set(net::boot_time() + retry);
    }

    void hear() {
        while (const auto event = guard_.next()) {
            if (event->kind == GuardianLink::Event::Kind::stopping) phase_ = Phase::stopping;
            if (event->kind == GuardianLink::Event::Kind::ready) unready_.clear();
            if (event->kind == GuardianLink::Event::Kind::unready) note_unready(event->problem);
            if (event->kind != GuardianLink::Event::Kind::gone) continue;
            phase_ = Phase::none;
            // The lease is given back before the guardian goes: until then our death would be told.
            gone_({by_itself(event->cause), code_of(*event), describe(*event)});
            if (phase_ != Phase::none) return;
            guard_.dismiss();
            return warm_.set(net::boot_time() + (unready_.empty() ? pause : retry));
        }
    }

    net::Loop& loop_;
    GuardianLink::Command command_;
    GuardianLink guard_;
    const FormerTree* former_;
    Gone gone_;
    net::Alarm warm_;        // time to make the next guardian ready
    std::string unready_{};  // why no guardian could be made ready
    Phase phase_ = Phase::none;
    Time end_{};
};

}  // namespace

std::unique_ptr<Work> make_command_work(net::Loop& loop, const Config& config, WorkPlace place,
                                        Work::Gone gone) {
    return std::make_unique<CommandWork>(loop, config, place, std::move(gone));
}

}  // namespace conclave::agent
