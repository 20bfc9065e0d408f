#include "conclave/timed/daemon_service.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <memory>
#include <sstream>
#include <utility>

#include "conclave/net/clock.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/net/http_server.hpp"
#include "conclave/net/line_server.hpp"
#include "conclave/timed/daemon/daemon.hpp"
#include "conclave/timed/drift_file.hpp"
#include "conclave/timed/operator_orders.hpp"
#include "conclave/timed/report/clock_check.hpp"
#include "conclave/timed/report/outlets.hpp"

namespace conclave::timed {

namespace {

volatile std::sig_atomic_t asked_to_end = 0;

void note_end(int) { asked_to_end = 1; }

// poll is interrupted by the signal; one that comes just before it waits is seen a moment later.
constexpr Duration longest_wait = std::chrono::milliseconds(500);
constexpr Duration keep_drift_every = std::chrono::minutes(5);

wire::Keys keys_of(const DaemonConfig& config) {
    if (config.key.empty()) return {};
    auto read = wire::read_keys(config.key);
    if (const auto* refusal = std::get_if<wire::KeyRefusal>(&read))
        throw DaemonConfigRefusal{refusal->sentence};
    return std::get<wire::Keys>(std::move(read));
}

void make_folder(const std::string& path, mode_t mode, const std::string& option) {
    if (path.empty() || mkdir(path.c_str(), mode) == 0 || errno == EEXIST) return;
    net::fail("make the folder " + path + " (give another " + option + ")", errno);
}

// The folders of what others read can be searched by all of them.
void make_folders(const DaemonConfig& config) {
    constexpr mode_t for_all = S_IRWXU | S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH;
    const auto parent = [](const std::string& path) {
        const auto slash = path.rfind('/');
        return slash == std::string::npos ? std::string() : path.substr(0, slash);
    };
    make_folder(config.state, S_IRWXU, "--state");
    make_folder(parent(config.control), for_all, "--control");
    make_folder(parent(config.page), for_all, "--page");
    make_folder(config.statistics, for_all, "--statistics");
}

// Two daemons would correct one clock.
void refuse_second(const std::string& control) {
    const bool there = !control.empty() && access(control.c_str(), F_OK) == 0;
    if (there && net::is_listening(control))
        throw DaemonConfigRefusal{"a time daemon listens on " + control +
                                      " already: end it, or give this one another --control",
                                  exit_code::name_taken};
}

// The standard that a check asks for, from its words.
Wanted wanted_by(DaemonConfig config, std::istringstream& words, bool& as_json) {
    std::vector<options::Given> given;
    for (std::string word; words >> word;) {
        const auto equals = std::min(word.find('='), word.size());
        const std::string name = word.substr(0, equals);
        if (word == "json" && !std::exchange(as_json, true)) continue;
        if ((name != "within" && name != "members") || equals == word.size())
            throw DaemonConfigRefusal{"check does not know '" + word + "'"};
        given.push_back({name, word.substr(equals + 1), "--" + name});
    }
    const std::string problem = config_table().read(given, config, {});
    if (!problem.empty()) throw DaemonConfigRefusal{problem};
    return config.wanted;
}

// check [within=D] [members=N] [json]: by the daemon's own standard, but for what is given. The
// answer begins with a line that says yes or no, or is "refused TEXT".
std::optional<std::string> answer_check(const Daemon& daemon, const DaemonConfig& config,
                                        const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb != "check") return std::nullopt;
    try {
        bool as_json = false;
        const Checked checked = check(daemon.status(), wanted_by(config, words, as_json));
        return std::string(checked.good() ? "yes" : "no") + "\n" +
               (as_json ? to_json(checked) : to_text(checked));
    } catch (const DaemonConfigRefusal& refusal) {
        return "refused " + refusal.sentence;
    }
}

net::LineServer::Answer answer_line(Daemon& daemon, const DaemonConfig& config,
                                    const std::string& line, const net::LineServer::Asker& asker) {
    if (const auto done = obey_order(daemon, line, asker.may_steer())) return {*done};
    if (const auto checked = answer_check(daemon, config, line)) return {*checked};
    if (line == "status") return {to_json(daemon.status())};
    if (line == "status text") return {to_text(daemon.status())};
    if (line == "watch") return {to_json(daemon.status()), true};
    return {"there is no request '" + line + "'"};
}

net::HttpAnswer answer_path(const Daemon& daemon, const std::string& path) {
    const DaemonStatus status = daemon.status();
    if (path == "/status") return {200, to_json(status) + "\n", "application/json"};
    if (path == "/metrics")
        return {200, to_metrics(status), "text/plain; version=0.0.4; charset=utf-8"};
    if (path == "/synchronised") {
        const Checked checked = check(status);
        return {checked.good() ? 200 : 503, to_text(checked) + "\n"};
    }
    return {404, "there are /synchronised /status /events /metrics\n"};
}

}  // namespace

int serve(const DaemonConfig& config) {
    const wire::Keys keys = keys_of(config);
    refuse_second(config.control);
    make_folders(config);
    // Not CLOCK_BOOTTIME, which a preloaded stand-in for the kernel may lack. After a sleep timers
    // are then late by a round or two; every clock has to be measured again anyway.
    net::Loop loop(&net::monotonic_time);
    Daemon daemon(loop, config, keys);
    std::unique_ptr<net::LineServer> control;
    if (!config.control.empty())
        control = std::make_unique<net::LineServer>(
            loop, config.control, [&](const std::string& line, const auto& asker) {
                return answer_line(daemon, config, line, asker);
            });
    std::unique_ptr<net::HttpServer> http;
    if (config.http)
        http = std::make_unique<net::HttpServer>(
            loop, *config.http,
            net::HttpServer::Site{
                [&](const std::string& path) { return answer_path(daemon, path); },
                [&] { return to_json(daemon.status()); }});
    Outlets outlets(loop, config, daemon);
    daemon.on_change = [&] {
        outlets.tell_change();
        if (control && control->watched()) control->tell_watchers(to_json(daemon.status()));
        if (http) http->tell_watchers();
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
    outlets.start();
    Time keep_at = loop.time() + keep_drift_every;
    while (asked_to_end == 0) {
        loop.step(longest_wait);
        if (loop.now() < keep_at) continue;
        keep_drift();
        keep_at = loop.now() + keep_drift_every;
    }
    keep_drift();
    outlets.tell_end();
    return 0;
}

}  // namespace conclave::timed
