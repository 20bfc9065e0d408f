// conclave run, conclave agent: a node, with a command or without.
#include <cstdio>

#include "conclave/agent/launch.hpp"
#include "conclave/agent/service.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

// The command line beside a node's own options.
struct Start {
    std::string config{};  // a file
    bool check = false;
    std::vector<std::string> command{};
};

constexpr options::Option<Start> command_option[] = {options::rest<&Start::command>(
    "COMMAND", "command to run on exactly one node of the group; without it a node only leads")};
constexpr options::Option<Start> start_options[] = {
    options::once<&Start::config, options::Path>(
        "config",
        "TOML file with any of these options; the command line overrides it, "
        "as in --witness=false")
        .with(options::Hint::file),
    options::flag<&Start::check>(
        "check-config", "print all settings, check key, command and state folder, and end")};
constexpr options::OptionGroup<Start> run_groups[] = {{"", command_option},
                                                      {"configuration", start_options}};
constexpr options::OptionGroup<Start> agent_groups[] = {{"configuration", start_options}};

agent::Config configure(const Start& start, Givens given) {
    if (!start.config.empty())
        for (options::Given& each : agent::read_config_file(start.config))
            given.push_back(std::move(each));
    for (options::Given& each : options::read_environment(agent::config_table().rows()))
        given.push_back(std::move(each));
    return agent::make_config(given, start.command);
}

int start_node(const Start& start, const Givens& given) {
    try {
        const agent::Config config = configure(start, given);
        if (start.check) {
            std::fputs(agent::describe(config).c_str(), stdout);
            agent::check_launch(config);
            return Exit::yes;
        }
        const agent::Served served = agent::serve(config);
        if (!served.why.empty()) std::fprintf(stderr, "conclave: %s\n", served.why.c_str());
        return served.code;
    } catch (const agent::ConfigRefusal& refusal) {
        throw Refusal{refusal.sentence, refusal.code};
    } catch (const net::Failure& failure) {
        throw Refusal{failure.what(), agent::exit_code::internal};
    } catch (const std::exception& error) {
        throw Refusal{std::string("internal error: ") + error.what(), agent::exit_code::internal};
    }
}

Verb start_verb(Summary summary, const options::Table<Start>& table) {
    Verb verb{std::move(summary), table.sections()};
    const auto node = agent::config_table().sections();
    verb.takes.insert(verb.takes.end() - 1, node.begin(), node.end());
    verb.run = [table, otherwise = verb.lists()](Givens given) {
        Start start;
        refuse_if(table.read(options::take(table, given), start, otherwise));
        return start_node(start, given);
    };
    return verb;
}

}  // namespace

Verb run_verb() {
    return start_verb(
        {"run",
         "runs a command on exactly one node of a group",
         {"conclave run --group jobs --expect 3 --key jobs.key --check-config -- sleep infinity",
          "conclave run --group jobs --expect 3 --check-config -- sleep infinity",
          "conclave run --group web --name a --members a,b,c --check-config -- sleep infinity",
          "conclave run --group jobs --expect 3 --broadcast --check-config -- sleep infinity"}},
        run_groups);
}

Verb agent_verb() {
    return start_verb(
        {"agent",
         "is a node without a command: it votes, leads, and tells hooks and others who does",
         {"conclave agent --group jobs --expect 3 --on-leader ./become-leader --check-config",
          "conclave agent --group jobs --members a,b,c --name c --witness --check-config",
          "conclave agent --group jobs --name desk --observer --check-config"}},
        agent_groups);
}

}  // namespace conclave::cli
