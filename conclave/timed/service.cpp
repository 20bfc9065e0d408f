#include "conclave/timed/service.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <memory>

#include "conclave/net/clock.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/net/http_server.hpp"
#include "conclave/net/line_server.hpp"
#include "conclave/net/notify.hpp"
#include "conclave/timed/daemon.hpp"
#include "conclave/timed/drift_file.hpp"

namespace conclave::timed {

namespace {

volatile std::sig_atomic_t asked_to_end = 0;

void note_end(int) { asked_to_end = 1; }

// poll is interrupted by the signal; one that comes just before it waits is seen a moment later.
constexpr Duration longest_wait = std::chrono::milliseconds(500);
constexpr Duration keep_drift_every = std::chrono::minutes(5);

wire::Keys keys_of(const Config& config) {
    if (config.key.empty()) return {};
    auto read = wire::read_keys(config.key);
    if (const auto* refusal = std::get_if<wire::KeyRefusal>(&read))
        throw ConfigRefusal{refusal->sentence};
    return std::get<wire::Keys>(std::move(read));
}

void make_folder(const std::string& path) {
    if (path.empty() || mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST) return;
    net::fail("make the folder " + path + " (give another --state)", errno);
}

net::LineServer::Answer answer_line(const Daemon& daemon, const std::string& line) {
    if (line == "status") return {to_json(daemon.status())};
    if (line == "status text") return {to_text(daemon.status())};
    if (line == "watch") return {to_json(daemon.status()), true};
    return {"there is no request '" + line + "'"};
}

net::HttpAnswer answer_path(const Daemon& daemon, const std::string& path) {
    const Status status = daemon.status();
    if (path == "/status") return {200, to_json(status) + "\n", "application/json"};
    if (path == "/metrics")
        return {200, to_metrics(status), "text/plain; version=0.0.4; charset=utf-8"};
    if (path == "/synchronised")
        return {status.synchronised ? 200 : 503, status.synchronised ? "yes\n" : "no\n"};
    return {404, "there are /synchronised /status /events /metrics\n"};
}

}  // namespace

int serve(const Config& config) {
    const wire::Keys keys = keys_of(config);
    make_folder(config.state);
    // Who stands in for the kernel may not know of boot time; a round or two more after a sleep, in
    // which every clock has to be looked at anew anyway, do no harm.
    net::Loop loop(&net::monotonic_time);
    Daemon daemon(loop, config, keys);
    std::unique_ptr<net::LineServer> control;
    if (!config.control.empty())
        control = std::make_unique<net::LineServer>(
            loop, config.control,
            [&](const std::string& line, const auto&) { return answer_line(daemon, line); });
    std::unique_ptr<net::HttpServer> http;
    if (config.http)
        http = std::make_unique<net::HttpServer>(
            loop, *config.http,
            net::HttpServer::Site{
                [&](const std::string& path) { return answer_path(daemon, path); },
                [&] { return to_json(daemon.status()); }});
    const net::Notify notify(loop);
    bool ready = false;
    daemon.on_change = [&] {
        const Status status = daemon.status();
        if (control && control->watched()) control->tell_watchers(to_json(status));
        if (http) http->tell_watchers();
        // Whoever waits for this service gets the time before it is told that it may go on.
        if (status.synchronised && !ready) notify.say("READY=1");
        ready = ready || status.synchronised;
        notify.say("STATUS=" + status.state +
                   (status.master.empty() ? "" : ", " + status.master + " is master"));
    };
    const std::string drift = config.state.empty() ? "" : config.state + "/timed.drift";
    const auto keep_drift = [&] {
        if (const auto rate = daemon.drift(); rate && !drift.empty()) write_drift(drift, *rate);
    };
    if (const auto rate = drift.empty() ? std::nullopt : read_drift(drift))
        daemon.remember_drift(*rate);
    asked_to_end = 0;
    struct sigaction action{};
    action.sa_handler = &note_end;
    for (const int number : {SIGTERM, SIGINT}) sigaction(number, &action, nullptr);
    daemon.start();
    Time keep_at = loop.time() + keep_drift_every;
    while (asked_to_end == 0) {
        loop.step(longest_wait);
        if (loop.now() < keep_at) continue;
        keep_drift();
        keep_at = loop.now() + keep_drift_every;
    }
    keep_drift();
    notify.say("STOPPING=1");
    return 0;
}

}  // namespace conclave::timed
