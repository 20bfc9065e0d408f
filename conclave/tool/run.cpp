// conclave run: a command on one machine of several, whatever happens.
#include <cstdio>
#include <deque>
#include <memory>

#include "conclave/agent/launch.hpp"
#include "conclave/agent/service.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

struct Words {
    std::deque<std::optional<std::string>> values;  // in the order of config_words()
    std::deque<std::optional<bool>> set;
    std::optional<std::string> config;
    bool check = false;
    std::vector<std::string> command;
};

std::vector<agent::Given> gather(const Words& words) {
    std::vector<agent::Given> given;
    if (words.config) given = agent::read_config_file(*words.config);
    for (agent::Given& each : agent::read_environment()) given.push_back(std::move(each));
    std::size_t i = 0;
    for (const agent::ConfigWord& word : agent::config_words()) {
        const std::string name(word.name);
        if (words.set[i]) given.push_back({name, *words.set[i] ? "true" : "false", "--" + name});
        if (words.values[i]) given.push_back({name, *words.values[i], "--" + name});
        ++i;
    }
    return given;
}

int run_node(const agent::Config& config) {
    const agent::Served served = agent::serve(config);
    if (!served.why.empty()) std::fprintf(stderr, "conclave: %s\n", served.why.c_str());
    return served.code;
}

int run(const Words& words) {
    try {
        const agent::Config config = agent::make_config(gather(words), words.command);
        if (words.check) {
            std::fputs(agent::describe(config).c_str(), stdout);
            agent::check_launch(config);
            return Exit::yes;
        }
        return run_node(config);
    } catch (const agent::ConfigRefusal& refusal) {
        throw Refusal{refusal.sentence, refusal.code};
    } catch (const net::Failure& failure) {
        throw Refusal{failure.what(), agent::exit_code::internal};
    } catch (const std::exception& error) {
        throw Refusal{std::string("internal error: ") + error.what(), agent::exit_code::internal};
    }
}

std::function<int()> declare_words(Command& command, const std::shared_ptr<Words>& words) {
    for (const agent::ConfigWord& word : agent::config_words()) {
        words->values.emplace_back();
        words->set.emplace_back();
        if (word.flag)
            command.flag(std::string(word.name), std::string(word.purpose), words->set.back());
        else
            command.value(std::string(word.name), std::string(word.form), std::string(word.purpose),
                          words->values.back());
    }
    command.value("config", "FILE",
                  "a TOML file with any of these settings; options win, as --witness=false does",
                  words->config);
    command.flag("check-config", "say what would be done, check key, command and state, and end",
                 words->check);
    return [words] { return run(*words); };
}

std::function<int()> prepare_run(Command& command) {
    const auto words = std::make_shared<Words>();
    command.rest("COMMAND", "runs on exactly one node of the group; without it a node only leads",
                 words->command);
    return declare_words(command, words);
}

std::function<int()> prepare_agent(Command& command) {
    return declare_words(command, std::make_shared<Words>());
}

}  // namespace

Verb run_verb() {
    return {"run",
            "runs a command on exactly one node of a group",
            {"conclave run --group jobs --expect 3 --check-config -- sleep infinity",
             "conclave run --group web --name a --members a,b,c --check-config -- sleep infinity",
             "conclave run --group jobs --expect 3 --broadcast --check-config -- sleep infinity",
             "conclave run --group jobs --expect 3 --no-quorum --check-config -- sleep infinity"},
            &prepare_run};
}

Verb agent_verb() {
    return {"agent",
            "is a node without a command: it votes, leads, and tells hooks and others who does",
            {"conclave agent --group jobs --expect 3 --on-leader ./become-leader --check-config",
             "conclave agent --group jobs --members a,b,c --name c --witness --check-config",
             "conclave agent --group jobs --name desk --observer --check-config"},
            &prepare_agent};
}

}  // namespace conclave::cli
