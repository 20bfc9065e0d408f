// conclave timed: the time daemon, and what one asks of it.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>

#include "conclave/net/failure.hpp"
#include "conclave/time_interval.hpp"
#include "conclave/timed/service.hpp"
#include "conclave/tool/laboratory.hpp"
#include "conclave/tool/timed_ask.hpp"
#include "conclave/tool/timed_order.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

struct TimedGiven {
    std::vector<std::string> words;
    std::deque<std::vector<std::string>> values;  // in the order of config_words()
    std::deque<bool> set;
    std::optional<std::string> wait, count;
    bool json = false, check = false;
};

std::vector<timed::Given> gather(const TimedGiven& given) {
    std::vector<timed::Given> all;
    std::size_t i = 0;
    for (const timed::ConfigWord& word : timed::config_words()) {
        const std::string name(word.name);
        if (given.set[i]) all.push_back({name, ""});
        for (const std::string& each : given.values[i]) all.push_back({name, each});
        ++i;
    }
    return all;
}

std::optional<std::string> value_of(const TimedGiven& given, std::string_view name) {
    std::size_t i = 0;
    for (const timed::ConfigWord& word : timed::config_words()) {
        if (word.name == name && !given.values[i].empty()) return given.values[i].front();
        ++i;
    }
    return std::nullopt;
}

// Which options go with what is asked of a daemon that runs here; with the daemon itself, all but
// --json and --count.
struct TimedVerb {
    std::string_view name;
    std::vector<std::string_view> options;
};
const std::vector<TimedVerb>& timed_verbs() {
    static const std::vector<TimedVerb> all{{"status", {"control", "json"}},
                                            {"check", {"control", "within", "members", "json"}},
                                            {"now", {"control", "page", "json"}},
                                            {"watch", {"control", "count", "json"}},
                                            {"set", {"control", "json"}},
                                            {"resign", {"control", "json"}},
                                            {"--wait-sync", {"control", "within", "members"}}};
    return all;
}

// An option that would change nothing was meant to change something.
void refuse_idle(const TimedGiven& given, const std::vector<timed::Given>& all,
                 const std::string& verb) {
    std::vector<std::string> names;
    for (const timed::Given& each : all) names.push_back(each.name);
    if (given.json) names.emplace_back("json");
    if (given.count) names.emplace_back("count");
    if (given.check) names.emplace_back("check-config");
    const auto& verbs = timed_verbs();
    const auto found = std::find_if(verbs.begin(), verbs.end(),
                                    [&](const TimedVerb& each) { return each.name == verb; });
    if (found == verbs.end() && !verb.empty()) return;  // it is refused itself
    for (const std::string& name : names) {
        const bool fits = verb.empty()
                              ? name != "json" && name != "count"
                              : std::count(found->options.begin(), found->options.end(), name) != 0;
        if (!fits)
            throw Refusal{"--" + name + " says nothing to conclave timed" +
                          (verb.empty() ? "" : " " + verb) + ": leave it out"};
    }
}

// By the daemon's own words, so that both read them alike.
TimedAsk asked_by(const TimedGiven& given, const std::vector<timed::Given>& all) {
    TimedAsk ask{.wanted = {}, .count = given.count, .json = given.json};
    timed::Config config;
    for (const timed::Given& each : all) {
        if (each.name != "within" && each.name != "members") continue;
        timed::read_given(config, each);
        ask.wanted += " " + each.name + "=" + each.value;
    }
    return ask;
}

std::string socket_of(const TimedGiven& given) {
    return value_of(given, "control").value_or(timed::default_control());
}

// The daemon's that was asked for; else this user's, if there is one, or the machine's.
std::string page_of(const TimedGiven& given) {
    if (const auto page = value_of(given, "page")) return *page;
    const std::string beside = timed::page_beside(socket_of(given));
    const bool chosen = value_of(given, "control").has_value();
    return chosen || access(beside.c_str(), F_OK) == 0 ? beside : std::string(TimePage::usual_path);
}

int run_daemon(const TimedGiven& given, const std::vector<timed::Given>& all) {
    const timed::Config config = timed::make_config(all);
    if (!given.check) return timed::serve(config);
    std::fputs(timed::describe(config).c_str(), stdout);
    return Exit::yes;
}

int run_verb(const TimedGiven& given, const TimedAsk& ask) {
    const std::string& verb = given.words.front();
    const std::size_t words = verb == "set" ? 2 : 1;
    if (given.words.size() < words)
        throw Refusal{"set has no date: give one, such as 2026-11-17T10:30:00Z, or +3s"};
    if (given.words.size() > words)
        throw Refusal{"'" + given.words[words] +
                      "' is one word too many: conclave timed --help lists "
                      "what there is"};
    if (verb == "status") return print_time_status(socket_of(given), ask);
    if (verb == "check") return check_time(socket_of(given), ask);
    if (verb == "now") return print_time(page_of(given), ask);
    if (verb == "watch") return watch_time(socket_of(given), ask);
    if (verb == "set") return set_network_date(socket_of(given), given.words[1], given.json);
    if (verb == "resign") return resign_as_time_master(socket_of(given), given.json);
    throw Refusal{"timed does not know '" + verb +
                  "': give status, check, now, watch, set, resign, or sim and a scenario, such as "
                  "examples/clocks/jitter_10us.toml"};
}

int run(const TimedGiven& given) {
    if (given.wait && !given.words.empty())
        throw Refusal{"'" + given.words.front() +
                      "' is one word too many: conclave timed --wait-sync stands alone"};
    const std::string verb = given.wait            ? "--wait-sync"
                             : given.words.empty() ? ""
                                                   : given.words.front();
    try {
        const std::vector<timed::Given> all = gather(given);
        timed::refuse_twice(all);
        refuse_idle(given, all, verb);
        if (verb.empty()) return run_daemon(given, all);
        const TimedAsk ask = asked_by(given, all);
        if (given.wait) return wait_for_time(socket_of(given), *given.wait, ask);
        return run_verb(given, ask);
    } catch (const timed::ConfigRefusal& refusal) {
        throw Refusal{refusal.sentence};
    } catch (const net::Failure& failure) {
        throw Refusal{failure.what()};
    }
}

// conclave timed sim ... is conclave-lab timed-sim ...
void pass_simulation_on(const std::vector<std::string>& given) {
    if (!given.empty() && given.front() == "sim")
        become_laboratory(timed_sim_in_laboratory, std::span(given).subspan(1));
}

void declare_words(Command& command, TimedGiven& given) {
    for (const timed::ConfigWord& word : timed::config_words()) {
        given.values.emplace_back();
        given.set.push_back(false);
        const std::string name(word.name), form(word.form), purpose(word.purpose);
        if (word.flag)
            command.flag(name, purpose, given.set.back());
        else
            command.values(name, form, purpose, given.values.back());
    }
}

std::function<int()> prepare_timed(Command& command) {
    const auto given = std::make_shared<TimedGiven>();
    command.arguments("status|check|now|watch|set DATE|resign",
                      "asks the daemon that runs here; without it this is the daemon; "
                      "set 2026-11-17T10:30:00Z and set -1h move the clocks of the whole network, "
                      "resign lets another daemon be master; "
                      "conclave timed sim SCENARIO runs a network of clocks in imaginary time",
                      given->words);
    declare_words(command, *given);
    command.flag("check-config", "print the settings as they would be used, and end", given->check);
    command.heading("asking a daemon that runs here");
    command.maybe_value("wait-sync", "D",
                        "wait until check would say yes, no longer than this (default: for ever); "
                        "exit 1, and a sentence for each reason, if that takes longer",
                        given->wait);
    command.value("count", "N", "with watch, end after so many pictures (default: never)",
                  given->count);
    command.flag("json", "print JSON, for programs", given->json);
    return [given] { return run(*given); };
}

}  // namespace

Verb timed_verb() {
    return {"timed",
            "keeps the clocks of a network together, without any time source",
            {"conclave timed --clock virtual --offset 50ms --drift 20ppm --address 127.0.0.1 "
             "--broadcast 127.255.255.255 --insecure --check-config",
             "conclave timed sim examples/clocks/leader_lost.toml"},
            prepare_timed,
            pass_simulation_on};
}

}  // namespace conclave::cli
