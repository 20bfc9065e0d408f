#include "conclave/tool/timed_order.hpp"

#include <poll.h>

#include <cstdio>
#include <cstdlib>

#include "conclave/core/date.hpp"
#include "conclave/core/text.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/tool/timed_ask.hpp"

namespace conclave::cli {

namespace {

using namespace std::chrono_literals;

// As long as a slave may ask its master, and a little more.
constexpr Duration patience = 15s;

// "done 3 TEXT" gives "3 TEXT"; nothing: it begins otherwise.
std::optional<std::string> behind(const std::string& answer, std::string_view word) {
    if (!answer.starts_with(std::string(word) + " ")) return std::nullopt;
    return answer.substr(word.size() + 1);
}

std::string ordered(const std::string& socket, const std::string& order) {
    const std::string answer = ask_time_daemon(socket, order);
    if (const auto refusal = behind(answer, "refused")) throw Refusal{*refusal};
    return answer;
}

int print_outcome(bool done, const std::string& by, const std::string& text, bool json) {
    if (json)
        std::printf("{\"done\":%s,%s\"text\":%s}\n", done ? "true" : "false",
                    by.empty() ? "" : ("\"moved_ns\":" + by + ",").c_str(), quote(text).c_str());
    else
        std::puts(text.c_str());
    return done ? Exit::yes : Exit::no;
}

}  // namespace

WantedDate read_wanted_date(const std::string& text) {
    const bool relative = text.starts_with('+') || text.starts_with('-');
    const auto value =
        relative ? parse_duration(text.substr(text.starts_with('+') ? 1 : 0)) : parse_date(text);
    constexpr std::size_t without_time = std::string_view("2026-11-17").size();
    if (!relative && value && text.size() == without_time)
        throw Refusal{"the date '" + text +
                      "' has no time of day: give one with its time zone, "
                      "such as " +
                      text + "T10:30:00Z"};
    if (!value || text.starts_with("+-"))
        throw Refusal{"the date cannot be '" + text +
                      "': give one with its time zone, such as 2026-11-17T10:30:00Z, or a "
                      "difference, such as +3s or -1h"};
    return {relative, *value};
}

int set_network_date(const std::string& socket, const std::string& date, bool json) {
    const WantedDate wanted = read_wanted_date(date);
    const std::string taken =
        ordered(socket, std::string("set ") + (wanted.relative ? "by " : "to ") +
                            std::to_string(wanted.value.count()));
    if (const auto failed = behind(taken, "failed")) return print_outcome(false, {}, *failed, json);
    for (const Time end = net::boot_time() + patience; net::boot_time() < end;) {
        const std::string answer = ask_time_daemon(socket, "set");
        if (const auto failed = behind(answer, "failed"))
            return print_outcome(false, {}, *failed, json);
        if (const auto done = behind(answer, "done")) {
            const auto blank = done->find(' ');
            return print_outcome(true, done->substr(0, blank), done->substr(blank + 1), json);
        }
        poll(nullptr, 0, 20);
    }
    return print_outcome(false, {}, "the master took the date, and this clock did not follow yet",
                         json);
}

int resign_as_time_master(const std::string& socket, bool json) {
    const auto failed = behind(ordered(socket, "resign"), "failed");
    return print_outcome(!failed, {}, failed.value_or("hands over"), json);
}

}  // namespace conclave::cli
