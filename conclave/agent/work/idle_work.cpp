#include "conclave/agent/work/work.hpp"

#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

class IdleWork final : public Work {
public:
    IdleWork(net::Loop& loop, Gone gone) : gone_(std::move(gone)), end_(loop, [this] { end(); }) {}

    std::string start(const WorkOrder& order) override {
        running_ = true;
        end_.set(order.deadline - margin);
        return {};
    }
    void extend(Time deadline) override {
        if (running_) end_.set(deadline - margin);
    }
    void stop(Duration) override {
        if (running_) end_.set(net::boot_time());
    }
    void death_notice(const Bytes&, const std::vector<net::Address>&) override {}
    void pass_signal(int) override {}
    std::string_view phase() const override { return running_ ? "running" : "none"; }
    std::string containment() const override { return "none"; }
    bool guarded() const override { return running_; }

private:
    static constexpr Duration margin = std::chrono::milliseconds(10);

    void end() {
        running_ = false;
        gone_({});
    }

    Gone gone_;
    bool running_ = false;
    net::Alarm end_;
};

}  // namespace

std::unique_ptr<Work> make_idle_work(net::Loop& loop, Work::Gone gone) {
    return std::make_unique<IdleWork>(loop, std::move(gone));
}

}  // namespace conclave::agent
