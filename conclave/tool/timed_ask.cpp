#include "conclave/tool/timed_ask.hpp"

#include <poll.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>

#include "conclave/core/date.hpp"
#include "conclave/core/text.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/line_server.hpp"
#include "conclave/time_interval.hpp"

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

Duration duration_of(const std::string& option, const std::string& value) {
    const auto duration = parse_duration(value);
    if (!duration || *duration <= 0s)
        throw Refusal{option + " cannot be '" + value + "': give a duration, such as 1ms"};
    return *duration;
}

long count_of(const std::string& option, const std::string& value) {
    long number = 0;
    const char* end = value.data() + value.size();
    const auto [read, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc{} || read != end || number < 1 || number > 1'000'000'000)
        throw Refusal{option + " cannot be '" + value + "': give a whole number from 1 up"};
    return number;
}

std::string check_line(const TimedAsk& asked) {
    return "check" + asked.wanted + (asked.json ? " json" : "");
}
struct Answered {
    bool good = false;
    std::string text;
};
// The first line says yes or no, the others why.
Answered read_checked(const std::string& answer) {
    constexpr std::string_view refused = "refused ";
    if (answer.starts_with(refused)) throw Refusal{answer.substr(refused.size())};
    const auto end = std::min(answer.find('\n'), answer.size());
    return {answer.substr(0, end) == "yes", answer.substr(std::min(end + 1, answer.size()))};
}

// Behind the milliseconds, the rest of the nanoseconds.
std::string format_exactly(Time time) {
    std::string text = format_date(time), rest = std::to_string(time % 1ms / 1ns);
    rest.insert(0, 6 - rest.size(), '0');
    return text.insert(text.size() - 1, rest);
}

}  // namespace

std::string ask_time_daemon(const std::string& socket, const std::string& line) {
    const auto answer = try_asking(socket, line);
    if (!answer)
        throw Refusal{"no time daemon listens on " + socket +
                      ": start one with conclave timed, or give its --control"};
    return *answer;
}

int print_time_status(const std::string& socket, const TimedAsk& asked) {
    std::puts(ask_time_daemon(socket, asked.json ? "status" : "status text").c_str());
    return Exit::yes;
}

int check_time(const std::string& socket, const TimedAsk& asked) {
    const auto [good, text] = read_checked(ask_time_daemon(socket, check_line(asked)));
    std::puts(text.c_str());
    return good ? Exit::yes : Exit::no;
}

int print_time(const std::string& path, const TimedAsk& asked) {
    TimePage page(path);
    const TimeInterval now = page.now();
    const bool known = now.status != TimeStatus::unknown;
    if (asked.json) {
        const auto time = [&](Time value) { return known ? quote(format_exactly(value)) : "null"; };
        const auto number = [&](std::int64_t ns) { return known ? json(ns) : "null"; };
        const auto half = known ? ((now.latest - now.earliest) / 2).count() : 0;
        std::printf(
            "{\"status\":%s,\"earliest\":%s,\"latest\":%s,\"earliest_ns\":%s,\"latest_ns\":%s,"
            "\"error_ns\":%s,\"problem\":%s}\n",
            quote(name_of(now.status)).c_str(), time(now.earliest).c_str(),
            time(now.latest).c_str(), number(now.earliest.count()).c_str(),
            number(now.latest.count()).c_str(), number(half).c_str(),
            known ? "null" : quote(page.problem()).c_str());
    } else if (known) {
        std::printf("earliest %s\nlatest   %s\n%s\n", format_exactly(now.earliest).c_str(),
                    format_exactly(now.latest).c_str(), std::string(name_of(now.status)).c_str());
    } else {
        std::printf("unknown: %s\n", page.problem().c_str());
    }
    return known ? Exit::yes : Exit::no;
}

int watch_time(const std::string& socket, const TimedAsk& asked) {
    long left = asked.count ? count_of("--count", *asked.count) : -1;
    const bool live = !asked.json && isatty(STDOUT_FILENO) == 1;
    for (;;) {
        const std::string picture = ask_time_daemon(socket, asked.json ? "status" : "status text");
        std::printf("%s%s\n", live ? "\x1b[H\x1b[J" : "", picture.c_str());
        std::fflush(stdout);
        if (--left == 0) return Exit::yes;
        poll(nullptr, 0, 1000);
    }
}

int wait_for_time(const std::string& socket, const std::string& timeout, const TimedAsk& asked) {
    const Time end =
        timeout.empty() ? never : net::boot_time() + duration_of("--wait-sync", timeout);
    for (;;) {
        const auto answer = try_asking(socket, check_line(asked));
        const auto [good, text] =
            answer ? read_checked(*answer) : Answered{false, "no time daemon listens on " + socket};
        if (good) return Exit::yes;
        if (net::boot_time() >= end) {
            std::puts(text.c_str());
            return Exit::no;
        }
        poll(nullptr, 0, 20);
    }
}

}  // namespace conclave::cli
