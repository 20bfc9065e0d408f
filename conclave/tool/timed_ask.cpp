#include "conclave/tool/timed_ask.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "conclave/net/clock.hpp"
#include "conclave/net/line_server.hpp"

namespace conclave::cli {

namespace {

using namespace std::chrono_literals;

std::optional<std::string> try_asking(const std::string& socket, const std::string& line) {
    std::string answer;
    const net::Asking asking = net::ask_line(socket, line, [&](const std::string& each) {
        answer += (answer.empty() ? "" : "\n") + each;
        return true;
    });
    if (asking == net::Asking::silent)
        throw Refusal{"the time daemon behind " + socket + " does not answer: is it stopped?"};
    if (asking == net::Asking::forbidden)
        throw Refusal{"the time daemon behind " + socket +
                      " is another user's: ask as that user, or as root"};
    if (asking == net::Asking::nobody) return std::nullopt;
    return answer;
}

std::string ask(const std::string& socket, const std::string& line) {
    const auto answer = try_asking(socket, line);
    if (!answer)
        throw Refusal{"no time daemon listens on " + socket +
                      ": start one with conclave timed, or give its --control"};
    return *answer;
}

// The daemon's own JSON has one spelling; what is looked for in it needs no parser.
std::string value_of(const std::string& json, std::string_view name) {
    const std::string key = "\"" + std::string(name) + "\":";
    const auto at = json.find(key);
    if (at == std::string::npos) return {};
    const auto begin = at + key.size();
    return json.substr(begin, json.find_first_of(",}", begin) - begin);
}

Duration duration_of(const std::string& option, const std::string& value) {
    const auto duration = parse_duration(value);
    if (!duration || *duration <= 0s)
        throw Refusal{option + " cannot be '" + value + "': give a duration, such as 1ms"};
    return *duration;
}

}  // namespace

int print_time_status(const std::string& socket, const TimedAsk& asked) {
    std::puts(ask(socket, asked.json ? "status" : "status text").c_str());
    return Exit::yes;
}

int check_time(const std::string& socket, const TimedAsk& asked) {
    const Duration within = duration_of("--within", asked.within.value_or("1ms"));
    const std::string status = ask(socket, "status");
    const bool synchronised = value_of(status, "synchronised") == "true";
    const Duration error{std::strtoll(value_of(status, "maximum_error_ns").c_str(), nullptr, 10)};
    const bool good = synchronised && error <= within;
    if (asked.json)
        std::printf("{\"good\":%s,\"synchronised\":%s,\"maximum_error_ns\":%lld}\n",
                    good ? "true" : "false", synchronised ? "true" : "false",
                    static_cast<long long>(error.count()));
    else if (!synchronised)
        std::puts("not synchronised");
    else
        std::printf("synchronised, off by at most %s\n", format_duration(error).c_str());
    return good ? Exit::yes : Exit::no;
}

int watch_time(const std::string& socket, const TimedAsk& asked) {
    long left = asked.count ? std::strtol(asked.count->c_str(), nullptr, 10) : -1;
    if (left == 0)
        throw Refusal{"--count cannot be '" + *asked.count + "': give a number of pictures"};
    const bool live = !asked.json && isatty(STDOUT_FILENO) == 1;
    for (;;) {
        const std::string picture = ask(socket, asked.json ? "status" : "status text");
        std::printf("%s%s\n", live ? "\x1b[H\x1b[J" : "", picture.c_str());
        std::fflush(stdout);
        if (--left == 0) return Exit::yes;
        poll(nullptr, 0, 1000);
    }
}

int wait_for_time(const std::string& socket, const std::string& timeout) {
    const Time end =
        timeout.empty() ? never : net::boot_time() + duration_of("--wait-sync", timeout);
    for (;;) {
        const auto status = try_asking(socket, "status");
        if (status && value_of(*status, "synchronised") == "true") return Exit::yes;
        if (net::boot_time() >= end) return Exit::no;
        poll(nullptr, 0, 20);
    }
}

}  // namespace conclave::cli
