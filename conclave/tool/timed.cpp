// conclave timed: the time daemon.
#include <cstdio>

#include "conclave/net/failure.hpp"
#include "conclave/timed/daemon_service.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

// The command line beside the daemon's own options.
struct TimedStart {
    bool check = false;
};
constexpr options::Option<TimedStart> check_option[] = {options::flag<&TimedStart::check>(
    "check-config", "print all settings as they would be used, and end")};
constexpr options::OptionGroup<TimedStart> timed_start_groups[] = {{"configuration", check_option}};

int run_daemon(bool check, const Givens& given) {
    try {
        const timed::DaemonConfig config = timed::make_config(given);
        if (!check) return timed::serve(config);
        std::fputs(timed::describe(config).c_str(), stdout);
        return Exit::yes;
    } catch (const timed::DaemonConfigRefusal& refusal) {
        throw Refusal{refusal.sentence, refusal.code};
    } catch (const net::Failure& failure) {
        throw Refusal{failure.what(), exit_code::internal};
    } catch (const std::exception& error) {
        throw Refusal{std::string("internal error: ") + error.what(), exit_code::internal};
    }
}

}  // namespace

Verb timed_verb() {
    const options::Table<TimedStart> table(timed_start_groups);
    Verb verb{{"timed",
               "keeps the clocks of a network together, without any time source",
               {"conclave timed --clock virtual --offset 50ms --drift 20ppm --address 127.0.0.1 "
                "--broadcast 127.255.255.255 --insecure --check-config",
                "conclave timed sim examples/clocks/leader_lost.toml"}},
              timed::config_table().sections()};
    for (options::Section& section : table.sections()) verb.takes.push_back(std::move(section));
    verb.run = [table, otherwise = verb.lists()](Givens given) {
        TimedStart start;
        refuse_if(table.read(options::take(table, given), start, otherwise));
        return run_daemon(start.check, given);
    };
    return verb;
}

}  // namespace conclave::cli
