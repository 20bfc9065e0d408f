// conclave timed set, conclave timed resign: orders to the time daemon of this machine.
#include "conclave/tool/timed_order.hpp"

#include <poll.h>

#include <cstdio>

#include "conclave/core/date.hpp"
#include "conclave/core/text.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/tool/timed_ask.hpp"
#include "conclave/tool/tool_verbs.hpp"

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

int print_moved(bool done, const std::string& by, const std::string& text, bool json) {
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

namespace {

struct TimedSet : TimedAsked {
    std::string date{};
};
constexpr options::Option<TimedSet> date_option[] = {options::argument<&TimedSet::date>(
    "DATE", "date with its time zone, such as 2026-11-17T10:30:00Z, or a difference: +3s, -1h")};
constexpr options::OptionGroup<TimedSet> timed_set_groups[] = {{"", date_option},
                                                               {"", timed_options<TimedSet>}};

// Waits until the network has the date, and prints by how much it was moved.
int set_network_date(const TimedSet& set) {
    if (set.date.empty())
        throw Refusal{"DATE is missing: give one, such as 2026-11-17T10:30:00Z, or +3s"};
    const WantedDate wanted = read_wanted_date(set.date);
    const std::string taken =
        ordered(set.socket(), std::string("set ") + (wanted.relative ? "by " : "to ") +
                                  std::to_string(wanted.value.count()));
    if (const auto failed = behind(taken, "failed"))
        return print_moved(false, {}, *failed, set.json);
    for (const Time end = net::boot_time() + patience; net::boot_time() < end;) {
        const std::string answer = ask_time_daemon(set.socket(), "set");
        if (const auto failed = behind(answer, "failed"))
            return print_moved(false, {}, *failed, set.json);
        if (const auto done = behind(answer, "done")) {
            const auto blank = done->find(' ');
            return print_moved(true, done->substr(0, blank), done->substr(blank + 1), set.json);
        }
        poll(nullptr, 0, 20);
    }
    return print_moved(false, {}, "the master took the date, and this clock did not follow yet",
                       set.json);
}

// The master hands over, and does not become master again for a minute.
int resign_as_time_master(const TimedAsked& asked) {
    const auto failed = behind(ordered(asked.socket(), "resign"), "failed");
    return print_moved(!failed, {}, failed.value_or("hands over"), asked.json);
}

}  // namespace

Verb timed_set_verb() {
    return make_verb<TimedSet>(
        {"timed set",
         "moves the clocks of the whole network to a date",
         {"conclave timed set 2026-11-17T10:30:00Z", "conclave timed set -1h"}},
        timed_set_groups, set_network_date);
}
Verb timed_resign_verb() {
    return make_verb<TimedAsked>({"timed resign",
                                  "lets the master of this machine hand over to another daemon",
                                  {"conclave timed resign"}},
                                 only_timed_options<TimedAsked>, resign_as_time_master);
}

}  // namespace conclave::cli
