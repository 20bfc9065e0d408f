#include "conclave/elector.hpp"

#include <sys/eventfd.h>

#include <future>
#include <mutex>
#include <thread>

#include "conclave/agent/launch.hpp"
#include "conclave/agent/node.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/failure.hpp"

namespace conclave {

namespace {

// A descriptor that is readable once somebody rang.
class Bell {
public:
    Bell() : descriptor_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
        if (!descriptor_) throw Elector::Refusal("no descriptor is left: raise the limit of files");
    }
    void ring() const { eventfd_write(descriptor_.get(), 1); }
    void silence() const {
        eventfd_t rings = 0;
        eventfd_read(descriptor_.get(), &rings);
    }
    int fd() const { return descriptor_.get(); }

private:
    net::Descriptor descriptor_;
};

agent::Config config_of(const Elector::Settings& settings) {
    std::vector<agent::Given> given;
    for (const auto& [name, value] : settings) given.push_back({name, value, "'" + name + "'"});
    return agent::make_config(given, {});
}

template <class Make>
auto or_refuse(const Make& make) {
    try {
        return make();
    } catch (const agent::ConfigRefusal& refusal) {
        throw Elector::Refusal(refusal.sentence);
    } catch (const net::Failure& failure) {
        throw Elector::Refusal(failure.what());
    }
}

}  // namespace

// The program is the work: it is told to begin and to stop, and is gone when it has been told.
struct Elector::Body {
    struct Program final : agent::Work {
        Program(Body& owner, Gone when_gone)
            : body(owner), gone(std::move(when_gone)), end(owner.loop, [this] { cease(); }) {}

        std::string start(const agent::WorkOrder& order) override {
            running = true;
            extend(order.deadline);
            body.tell({true, order.deadline - body.config.margin(), order.token, body.config.name});
            return {};
        }
        void extend(Time deadline) override {
            if (!running) return;
            end.set(deadline - body.config.margin());
            body.extend(deadline - body.config.margin());
        }
        void stop(Duration) override { end.set(Time{}); }
        void farewell(const Bytes&, const std::vector<net::Address>&) override {}
        void pass_signal(int) override {}
        std::string_view phase() const override { return running ? "running" : "none"; }
        std::string containment() const override { return "none"; }
        bool guarded() const override { return running; }

        void cease() {
            running = false;
            body.tell({});
            gone({});
        }

        Body& body;
        Gone gone;
        bool running = false;
        net::Alarm end;
    };

    Body(const Settings& settings, Changed when_changed)
        : config(or_refuse([&] { return config_of(settings); })),
          launch(or_refuse([&] { return agent::prepare_launch(config); })),
          changed(std::move(when_changed)) {
        node = or_refuse([&] {
            return std::make_unique<agent::Node>(
                loop, config, launch.keys, *launch.file, launch.state,
                [this](int, agent::Work::Gone gone) -> std::unique_ptr<agent::Work> {
                    return std::make_unique<Program>(*this, std::move(gone));
                },
                [this](int, const std::string& why) { end(why); });
        });
        node->on_change = [this] { tell_leader(); };
        loop.watch(requests.fd(), [this] { serve_requests(); });
        node->start();
        thread = std::thread([this] {
            while (!over) loop.step(std::chrono::hours(1));
        });
    }
    ~Body() {
        ask([this] { node->leave(); });
        thread.join();
    }

    // ------------------------------------------------------------ on the elector's thread

    void end(const std::string& why) {
        over = true;
        const std::lock_guard guard(mutex);
        ended = true;
        failure = why;
        now.leads = false;
        news.ring();
        waiting.clear();  // nobody answers any more
    }
    void tell(const Leadership& next) {
        {
            const std::lock_guard guard(mutex);
            now = next;
        }
        news.ring();
        if (changed) changed(next);
    }
    // A renewal is no news.
    void extend(Time deadline) {
        const std::lock_guard guard(mutex);
        if (now.leads) now.deadline = deadline;
    }
    void tell_leader() {
        const std::string leader = node->status().leader;
        Leadership next;
        {
            const std::lock_guard guard(mutex);
            if (now.leader == leader || (now.leads && leader.empty())) return;
            next = now;
        }
        next.leader = leader;
        if (leader == config.name) return;  // its program is told when it may begin
        tell(next);
    }
    void serve_requests() {
        requests.silence();
        std::vector<std::function<void()>> all;
        {
            const std::lock_guard guard(mutex);
            all.swap(waiting);
        }
        for (const auto& each : all) each();
    }

    // ------------------------------------------------------------ on any thread

    bool ask(std::function<void()> request) {
        const std::lock_guard guard(mutex);
        if (ended) return false;
        waiting.push_back(std::move(request));
        requests.ring();
        return true;
    }

    agent::Config config;
    agent::Launch launch;
    Changed changed;
    Bell news, requests;
    net::Loop loop;
    std::unique_ptr<agent::Node> node;
    bool over = false;
    std::thread thread;

    mutable std::mutex mutex;  // of all below
    Leadership now;
    bool ended = false;
    std::string failure;
    std::vector<std::function<void()>> waiting;
};

Elector::Elector(const Settings& settings, Changed changed)
    : body_(std::make_unique<Body>(settings, std::move(changed))) {}

Elector::~Elector() = default;

Leadership Elector::leadership() const {
    const std::lock_guard guard(body_->mutex);
    Leadership now = body_->now;
    if (now.leads && net::boot_time() >= now.deadline) now.leads = false;
    return now;
}

int Elector::fd() const { return body_->news.fd(); }

Leadership Elector::take_news() {
    body_->news.silence();
    return leadership();
}

std::string Elector::resign(const std::string& heir) {
    const auto answer = std::make_shared<std::promise<std::string>>();
    std::future<std::string> told = answer->get_future();
    if (!body_->ask([this, answer, heir] { answer->set_value(body_->node->resign(heir)); }))
        return "this node has ended";
    if (std::this_thread::get_id() == body_->thread.get_id()) return {};
    try {
        return told.get();
    } catch (const std::future_error&) {
        return "this node has ended";
    }
}

std::string Elector::failure() const {
    const std::lock_guard guard(body_->mutex);
    return body_->failure;
}

}  // namespace conclave
