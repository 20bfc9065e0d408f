#include "conclave/elector.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "conclave/agent/group/pursuit.hpp"
#include "conclave/agent/launch.hpp"
#include "conclave/agent/node.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/net/in_order.hpp"
#include "conclave/net/signals.hpp"

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

// Settings of conclave run that speak of what a program does itself, or does without.
constexpr std::array<std::string_view, 20> of_run_alone{
    "contain",      "require-contain", "restart",   "when-done",   "stop-timeout",
    "grace",        "watchdog",        "on-leader", "on-follower", "on-lost",
    "on-no-leader", "hook-timeout",    "http",      "http-host",   "health",
    "health-every", "health-timeout",  "rise",      "fall",        "stretch"};

agent::Config config_of(const Elector::Settings& settings) {
    std::vector<options::Given> given;
    for (const auto& [name, value] : settings) {
        const std::string quoted = "'" + name + "'";
        if (std::find(of_run_alone.begin(), of_run_alone.end(), name) != of_run_alone.end())
            agent::refuse(quoted + " is a setting of conclave run alone: leave it out");
        given.push_back({name, value, quoted});
    }
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

net::Log::Sink sink_of(Elector::Logged log) {
    if (!log) return [](net::Log::Level, std::string_view) {};
    return [log = std::move(log)](net::Log::Level level, std::string_view line) {
        log(static_cast<LogLevel>(level), line);
    };
}

// The leader as a follower sees it.
Leadership seen_in(const agent::NodeStatus& status) {
    Leadership seen;
    seen.leader = status.leader;
    if (seen.leader.empty()) return seen;
    seen.token = status.lease.token;
    seen.value = status.lease.value;
    for (const agent::MemberStatus& member : status.members)
        if (member.leads) seen.address = member.address;
    return seen;
}

constexpr Duration longest_wait = std::chrono::hours(24 * 365);  // sums with it do not overflow

}  // namespace

// The program is the work: it is told to begin and to stop, and is gone when it has been told.
struct Elector::Body {
    struct Program final : agent::Work {
        Program(Body& owner, Gone when_gone)
            : body(owner), gone(std::move(when_gone)), end(owner.loop, [this] { cease(); }) {}

        std::string start(const agent::WorkOrder& order) override {
            phase_now = Phase::running;
            const Time deadline = order.deadline - body.node->config().margin();
            end.set(deadline);
            Leadership begun = seen_in(body.node->status());
            begun.leads = true;
            begun.deadline = deadline;
            begun.token = order.token;
            begun.leader = body.config.name;
            body.tell(begun);
            return {};
        }
        void extend(Time deadline) override {
            if (phase_now != Phase::running) return;
            end.set(deadline - body.node->config().margin());
            body.extend(deadline - body.node->config().margin());
        }
        void stop(Duration) override { end.set(Time{}); }  // cease() in this step of the loop
        void death_notice(const Bytes&, const std::vector<net::Address>&) override {}
        void pass_signal(int) override {}
        std::string_view phase() const override { return name_of(phase_now); }
        std::string containment() const override { return "none"; }
        bool guarded() const override { return phase_now == Phase::running; }

        // The work is gone when the program has been told, and has returned.
        void cease() {
            if (std::exchange(phase_now, Phase::stopping) != Phase::running) return;
            body.tell({}, [this] {
                phase_now = Phase::none;
                gone({});
            });
        }

        Body& body;
        Gone gone;
        enum class Phase : std::uint8_t { none, running, stopping };
        Phase phase_now = Phase::none;
        net::Alarm end;
    };

    Body(const Settings& settings, Changed when_changed, Logged log)
        : config(or_refuse([&] { return config_of(settings); })),
          sink(sink_of(std::move(log))),
          launch(or_refuse([&] { return agent::prepare_launch(config, sink); })),
          changed(std::move(when_changed)) {
        const net::SignalsBlocked in_threads;  // they are the program's
        if (changed) callbacks = std::make_unique<net::InOrder>();
        node = or_refuse([&] {
            return std::make_unique<agent::Node>(
                loop, config, launch.keys, *launch.file, launch.state,
                [this](int, agent::Work::Gone gone) -> std::unique_ptr<agent::Work> {
                    return std::make_unique<Program>(*this, std::move(gone));
                },
                [this](int, const std::string& why) { end(why); }, sink);
        });
        node->wait_for(launch.former);
        node->on_change = [this] { look(); };
        loop.watch(requests.fd(), [this] { serve_requests(); });
        thread = std::thread([this] { run(); });
    }
    ~Body() {
        ask([this] {
            node->leave();
            give_up.set(net::boot_time() + node->config().detect);
        });
        thread.join();
    }

    // ------------------------------------------------------------ on the elector's thread

    void run() {
        runs_on = std::this_thread::get_id();
        try {
            node->start();
            while (!over) loop.step(std::chrono::hours(1));
        } catch (const net::Failure& failure) {
            end(failure.what());
        }
    }
    // Only a callback is waited for.
    void leave_anyhow() {
        if (!callbacks || callbacks->idle()) return end({});
        give_up.set(net::boot_time() + node->config().margin());
    }
    void end(const std::string& why) {
        over = true;
        bool led = false;
        {
            const std::lock_guard guard(mutex);
            led = now.leads;
        }
        if (led) tell({});
        const std::lock_guard guard(mutex);
        ended = true;
        failure = why;
        now = {};
        news.ring();
        changes.notify_all();
        waiting.clear();  // nobody answers any more
    }
    // `after` is done here, when the callback has returned.
    void tell(const Leadership& next, std::function<void()> after = {}) {
        {
            const std::lock_guard guard(mutex);
            now = next;
        }
        news.ring();
        changes.notify_all();
        if (callbacks)
            return callbacks->add([this, next, after = std::move(after)] {
                changed(next);
                if (after) ask(after);
            });
        if (after) after();
    }
    // A renewal is no news.
    void extend(Time deadline) {
        const std::lock_guard guard(mutex);
        if (now.leads) now.deadline = deadline;
    }
    void look() {
        Leadership next = seen_in(node->status());
        {
            const std::lock_guard guard(mutex);
            const bool own = next.leader == config.name;
            if (own && !now.leads) return;  // its program is told when it may begin
            if (now.leads) {
                const std::string value = own ? next.value : now.value;
                next = now;
                next.value = value;
            }
            if (next == now) return;
        }
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

    // After fork() a child has the memory, but neither the thread nor the lease.
    bool is_here() const { return getpid() == process; }
    bool on_own_thread() const { return runs_on.load() == std::this_thread::get_id(); }
    bool calls_back() const { return on_own_thread() || (callbacks && callbacks->is_here()); }

    bool ask(std::function<void()> request) {
        const std::lock_guard guard(mutex);
        if (ended) return false;
        waiting.push_back(std::move(request));
        requests.ring();
        return true;
    }
    // Done on the elector's thread. Asked there, by a log callback, it is done later, and nothing
    // is answered.
    template <class Answer>
    Answer request(std::function<Answer()> action, Answer refused) {
        const auto answer = std::make_shared<std::promise<Answer>>();
        std::future<Answer> told = answer->get_future();
        if (!ask([answer, action = std::move(action)] { answer->set_value(action()); }))
            return refused;
        if (on_own_thread()) return {};
        try {
            return told.get();
        } catch (const std::future_error&) {
            return refused;
        }
    }
    std::string request(std::function<std::string()> action) {
        if (!is_here()) return foreign();
        return request<std::string>(std::move(action), "this elector has ended");
    }
    std::string foreign() const {
        return "this elector belongs to process " + std::to_string(process) +
               ", which was forked: construct another in this one";
    }
    Leadership current() const {  // with the mutex
        return now.leads && net::boot_time() >= now.deadline ? Leadership{} : now;
    }

    const pid_t process = getpid();
    agent::Config config;
    net::Log::Sink sink;
    agent::Launch launch;
    Changed changed;
    Bell news, requests;
    net::Loop loop;
    net::Alarm give_up{loop, [this] { leave_anyhow(); }};
    std::unique_ptr<agent::Node> node;
    bool over = false;
    std::atomic<std::thread::id> runs_on{};

    mutable std::mutex mutex;  // of all below
    std::condition_variable_any changes;
    Leadership now;
    bool ended = false;
    std::string failure;
    std::vector<std::function<void()>> waiting;

    // Last, so that they end first: `callbacks` when all that was told has been heard.
    std::unique_ptr<net::InOrder> callbacks;
    std::thread thread;
};

Elector::Elector(const Settings& settings, Changed changed, Logged log)
    : body_(std::make_unique<Body>(settings, std::move(changed), std::move(log))) {}

// A child has no threads to end, and nobody to tell: what it inherited ends with it.
Elector::~Elector() {
    if (body_->is_here()) return;
    [[maybe_unused]] const Body* inherited = body_.release();
}

Leadership Elector::leadership() const {
    if (!body_->is_here()) return {};
    const std::lock_guard guard(body_->mutex);
    return body_->current();
}

Leadership Elector::campaign(std::stop_token stop, Duration limit) {
    if (!body_->is_here()) return {};
    Body& body = *body_;
    std::unique_lock lock(body.mutex);
    const auto settled = [&] { return body.ended || body.current().leads; };
    if (!body.calls_back())
        body.changes.wait_for(lock, std::move(stop), std::min(limit, longest_wait), settled);
    return body.current();
}

std::string Elector::resign(const std::string& successor) {
    return body_->request(
        [body = body_.get(), successor] { return body->node->resign(successor); });
}

std::string Elector::change(const std::vector<std::string>& words, Duration limit,
                            const std::string& phrase) {
    const std::string line = agent::change_line(words);
    if (line.empty()) return "a name is empty or has a space in it: give one word";
    const Time end = net::boot_time() + std::min(limit, longest_wait);
    const auto ask = [&, body = body_.get(), said = line + " " + phrase](bool first) {
        return body->request([body, said, first] { return body->node->change(said, first); });
    };
    return agent::pursue(ask, [&] { return !body_->calls_back() && net::boot_time() < end; });
}

std::string Elector::publish(const std::string& value) {
    if (const std::string problem = published_problem(value); !problem.empty())
        return "this cannot be published: " + problem;
    return body_->request([body = body_.get(), value] { return body->node->publish(value); });
}

std::string Elector::pause() {
    return body_->request([body = body_.get()] {
        body->node->set_paused(true);
        return std::string{};
    });
}

std::string Elector::resume() {
    return body_->request([body = body_.get()] {
        body->node->resume();
        return std::string{};
    });
}

std::vector<Participant> Elector::participants() const {
    if (!body_->is_here()) return {};
    const auto list = [body = body_.get()] {
        std::vector<Participant> all;
        for (const agent::MemberStatus& each : body->node->status().members)
            all.push_back({each.name, each.address, each.self, each.leads, each.alive, each.witness,
                           each.healthy, each.paused});
        return all;
    };
    if (body_->on_own_thread()) return list();
    return body_->request<std::vector<Participant>>(list, {});
}

std::string Elector::failure() const {
    if (!body_->is_here()) return body_->foreign();
    const std::lock_guard guard(body_->mutex);
    return body_->failure;
}

int Elector::fd() const { return body_->is_here() ? body_->news.fd() : -1; }

Leadership Elector::take_news() {
    if (body_->is_here()) body_->news.silence();
    return leadership();
}

}  // namespace conclave
