// conclave timed now: the time as an interval, from the page that the daemon writes.
#include <unistd.h>

#include <cstdio>

#include "conclave/core/date.hpp"
#include "conclave/core/text.hpp"
#include "conclave/time_interval.hpp"
#include "conclave/timed/daemon_config.hpp"
#include "conclave/tool/timed_ask.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

using namespace std::chrono_literals;

struct TimedNow : TimedAsked {
    std::string page{};

    // That of the daemon that was named; else this user's, if there is one, or the machine's.
    std::string path() const {
        if (!page.empty()) return page;
        const std::string beside = timed::page_beside(socket());
        const bool chosen = !control.empty();
        return chosen || access(beside.c_str(), F_OK) == 0 ? beside
                                                           : std::string(TimePage::usual_path);
    }
};
constexpr options::Option<TimedNow> page_option[] = {
    options::once<&TimedNow::page, options::Path>("page", "page of the daemon",
                                                  "that of the daemon's --control")
        .with(options::Hint::file)};
constexpr options::OptionGroup<TimedNow> timed_now_groups[] = {{"", page_option},
                                                               {"", timed_options<TimedNow>}};

// Behind the milliseconds, the rest of the nanoseconds.
std::string format_exactly(Time time) {
    std::string text = format_date(time), rest = std::to_string(time % 1ms / 1ns);
    rest.insert(0, 6 - rest.size(), '0');
    return text.insert(text.size() - 1, rest);
}

void print_json(const TimeInterval& now, const std::string& problem) {
    const bool known = now.status != TimeStatus::unknown;
    const auto time = [&](Time value) { return known ? quote(format_exactly(value)) : "null"; };
    const auto number = [&](std::int64_t ns) { return known ? json(ns) : "null"; };
    const auto half = known ? ((now.latest - now.earliest) / 2).count() : 0;
    std::printf(
        "{\"status\":%s,\"earliest\":%s,\"latest\":%s,\"earliest_ns\":%s,\"latest_ns\":%s,"
        "\"error_ns\":%s,\"problem\":%s}\n",
        quote(name_of(now.status)).c_str(), time(now.earliest).c_str(), time(now.latest).c_str(),
        number(now.earliest.count()).c_str(), number(now.latest.count()).c_str(),
        number(half).c_str(), known ? "null" : quote(problem).c_str());
}

int print_time(const TimedNow& asked) {
    TimePage page(asked.path());
    const TimeInterval now = page.now();
    const bool known = now.status != TimeStatus::unknown;
    if (asked.json)
        print_json(now, page.problem());
    else if (known)
        std::printf("earliest %s\nlatest   %s\n%s\n", format_exactly(now.earliest).c_str(),
                    format_exactly(now.latest).c_str(), std::string(name_of(now.status)).c_str());
    else
        std::printf("unknown: %s\n", page.problem().c_str());
    return known ? Exit::yes : Exit::no;
}

}  // namespace

Verb timed_now_verb() {
    return make_verb<TimedNow>(
        {"timed now",
         "prints the earliest and the latest time that it can be now; exit code 1: unknown",
         {"conclave timed now --json"}},
        timed_now_groups, print_time);
}

}  // namespace conclave::cli
