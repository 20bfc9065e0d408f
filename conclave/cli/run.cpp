// conclave run: a command on one machine of several, whatever happens.
#include <csignal>
#include <cstdio>
#include <deque>
#include <memory>

#include "conclave/agent/control.hpp"
#include "conclave/agent/launch.hpp"
#include "conclave/agent/node.hpp"
#include "conclave/cli/verbs.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/net/signals.hpp"

namespace conclave::cli {

namespace {

struct Words {
    std::deque<std::optional<std::string>> values;  // in the order of config_words()
    std::deque<bool> set;
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
        if (word.flag && words.set[i]) given.push_back({name, "true", "--" + name});
        if (words.values[i]) given.push_back({name, *words.values[i], "--" + name});
        ++i;
    }
    return given;
}

int run_node(const agent::Config& config) {
    agent::Launch launch = agent::prepare_launch(config);
    net::Loop loop;
    int code = 0;
    std::string why;
    const auto make_work = [&](int socket, agent::Work::Gone gone) {
        if (config.command.empty()) return agent::make_idle_work(loop, std::move(gone));
        return agent::make_guarded_work(loop, config, {launch.lock.get(), socket}, std::move(gone));
    };
    agent::Node node(loop, config, launch.keys, *launch.file, launch.state, make_work,
                     [&](int ended, const std::string& reason) {
                         code = ended;
                         why = reason;
                         loop.stop();
                     });
    agent::Control control(loop, node, agent::place_of(config, ".sock"));
    node.on_change = [&] { control.tell_watchers(); };
    const net::Signals signals(loop, {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}, [&](int number) {
        number == SIGTERM || number == SIGINT ? node.leave() : node.pass_signal(number);
    });
    node.start();
    if (!loop.stopped()) loop.run();
    if (!why.empty()) throw Refusal{why};
    return code;
}

int run(const Words& words) {
    try {
        const agent::Config config = agent::make_config(gather(words), words.command);
        if (words.check) {
            std::fputs(agent::describe(config).c_str(), stdout);
            return Exit::yes;
        }
        return run_node(config);
    } catch (const agent::ConfigRefusal& refusal) {
        throw Refusal{refusal.sentence};
    } catch (const net::Failure& failure) {
        throw Refusal{failure.what()};
    }
}

std::function<int()> prepare(Command& command) {
    const auto words = std::make_shared<Words>();
    command.rest("COMMAND", "runs on exactly one node of the group; without it a node only leads",
                 words->command);
    for (const agent::ConfigWord& word : agent::config_words()) {
        words->values.emplace_back();
        words->set.push_back(false);
        if (word.flag)
            command.flag(std::string(word.name), std::string(word.purpose), words->set.back());
        else
            command.value(std::string(word.name), std::string(word.form), std::string(word.purpose),
                          words->values.back());
    }
    command.value("config", "FILE", "a TOML file with any of these settings", words->config);
    command.flag("check-config", "say what would be done, and end", words->check);
    return [words] { return run(*words); };
}

}  // namespace

Verb run_verb() {
    return {"run",
            "runs a command on exactly one node of a group",
            {"conclave run --group jobs --expect 3 --check-config -- ./scheduler",
             "conclave run --group jobs --name a --members a,b,c --check-config -- ./scheduler"},
            &prepare};
}

}  // namespace conclave::cli
