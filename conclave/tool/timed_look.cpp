// conclave timed status, watch, check, wait: what the time daemon of this machine says of itself.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "conclave/net/clock.hpp"
#include "conclave/tool/timed_ask.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

// ---------------------------------------------------------------- status, watch

std::string status_line(const TimedAsked& asked) { return asked.json ? "status" : "status text"; }

int print_time_status(const TimedAsked& asked) {
    std::puts(ask_time_daemon(asked.socket(), status_line(asked)).c_str());
    return Exit::yes;
}

struct TimedWatch : TimedAsked {
    std::int64_t count = 0;  // 0: without end
};
constexpr options::Option<TimedWatch> count_option[] = {
    options::once<&TimedWatch::count, options::Count<1, 1'000'000'000>>(
        "count", "end after this many pictures", "never")};
constexpr options::OptionGroup<TimedWatch> timed_watch_groups[] = {{"", count_option},
                                                                   {"", timed_options<TimedWatch>}};

int watch_time(const TimedWatch& watch) {
    const bool live = !watch.json && isatty(STDOUT_FILENO) == 1;
    for (std::int64_t shown = 1;; ++shown) {
        const std::string picture = ask_time_daemon(watch.socket(), status_line(watch));
        std::printf("%s%s\n", live ? "\x1b[H\x1b[J" : "", picture.c_str());
        std::fflush(stdout);
        if (shown == watch.count) return Exit::yes;
        poll(nullptr, 0, 1000);
    }
}

// ---------------------------------------------------------------- check, wait

struct TimedCheck : TimedAsked {
    std::optional<Duration> within{};        // empty: the daemon's own --within
    std::optional<std::uint32_t> members{};  // likewise
    std::string timeout{};                   // of wait; empty: for ever

    std::string line() const {
        std::string line = "check";
        if (within) line += " within=" + format_duration(*within);
        if (members) line += " members=" + std::to_string(*members);
        return line + (json ? " json" : "");
    }
};
constexpr options::Option<TimedCheck> standard_options[] = {
    options::once<&TimedCheck::within, options::Span<1>>(
        "within", "largest error bound that is good enough", "the daemon's"),
    options::once<&TimedCheck::members, options::Count<1, 1'000'000>>(
        "members", "number of clocks that must agree on the time, this one included",
        "the daemon's"),
};
constexpr options::Option<TimedCheck> timeout_option[] = {options::argument<&TimedCheck::timeout>(
    "TIMEOUT", "wait no longer than this, such as 30s (default: for ever)")};
constexpr options::OptionGroup<TimedCheck> timed_check_groups[] = {{"", standard_options},
                                                                   {"", timed_options<TimedCheck>}};
constexpr options::OptionGroup<TimedCheck> timed_wait_groups[] = {
    {"", timeout_option}, {"", standard_options}, {"", timed_options<TimedCheck>}};

struct Checked {
    bool good = false;
    std::string text;
};
// The first line of an answer says yes or no, the others why.
Checked read_checked(const std::string& answer) {
    constexpr std::string_view refused = "refused ";
    if (answer.starts_with(refused)) throw Refusal{answer.substr(refused.size())};
    const auto end = std::min(answer.find('\n'), answer.size());
    return {answer.substr(0, end) == "yes", answer.substr(std::min(end + 1, answer.size()))};
}

int check_time(const TimedCheck& check) {
    const auto [good, text] = read_checked(ask_time_daemon(check.socket(), check.line()));
    std::puts(text.c_str());
    return good ? Exit::yes : Exit::no;
}

int wait_for_time(const TimedCheck& check) {
    Duration patience = never - net::boot_time();
    if (!check.timeout.empty())
        if (const auto answer =
                options::read_duration(check.timeout, Duration{1}, patience, patience);
            !answer)
            throw Refusal{"TIMEOUT cannot be '" + check.timeout + "': " + answer.remedy};
    const Time end = net::boot_time() + patience;
    for (;;) {
        const auto answer = try_time_daemon(check.socket(), check.line());
        const auto [good, text] =
            answer ? read_checked(*answer)
                   : Checked{false, "no time daemon listens on " + check.socket()};
        if (good) return Exit::yes;
        if (net::boot_time() >= end) {
            std::puts(text.c_str());
            return Exit::no;
        }
        poll(nullptr, 0, 20);
    }
}

}  // namespace

Verb timed_status_verb() {
    return make_verb<TimedAsked>({"timed status",
                                  "prints the state of the time daemon of this machine",
                                  {"conclave timed status --json"}},
                                 only_timed_options<TimedAsked>, print_time_status);
}
Verb timed_watch_verb() {
    return make_verb<TimedWatch>({"timed watch",
                                  "prints the state of the time daemon once a second",
                                  {"conclave timed watch --count 1"}},
                                 timed_watch_groups, watch_time);
}
Verb timed_check_verb() {
    return make_verb<TimedCheck>(
        {"timed check",
         "tells whether the clock is as good as wanted, and why not; exit code 1: it is not",
         {"conclave timed check --within 1ms --members 3"}},
        timed_check_groups, check_time);
}
Verb timed_wait_verb() {
    return make_verb<TimedCheck>(
        {"timed wait",
         "waits until timed check would say yes; exit code 1: it took too long",
         {"conclave timed wait 30s --within 1ms"}},
        timed_wait_groups, wait_for_time);
}

}  // namespace conclave::cli
