// conclave run, conclave agent: a node, with a command or without.
#include <cstdio>

#include "conclave/agent/cell/cell_service.hpp"
#include "conclave/agent/launch.hpp"
#include "conclave/agent/node_service.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

// The command line beside a node's own options.
struct Start {
    std::string config{};  // a file
    bool check = false;
    std::vector<std::string> command{};
    agent::ViaGiven via{};
};

constexpr auto via_url = [](auto& start) -> auto& { return start.via.url; };
constexpr auto via_credentials = [](auto& start) -> auto& { return start.via.credentials; };
constexpr auto via_ca = [](auto& start) -> auto& { return start.via.ca; };
constexpr auto via_cert = [](auto& start) -> auto& { return start.via.certificate; };
constexpr auto via_key = [](auto& start) -> auto& { return start.via.private_key; };

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
constexpr options::Option<Start> via_options[] = {
    options::once<via_url, options::Text, Start>(
        "via",
        "keep the lease in an engine: etcd://HOST:PORT,HOST:PORT/PREFIX or "
        "postgresql://HOST,HOST/DATABASE; all with the same --via and --group take part")
        .called("URL"),
    options::once<via_credentials, options::Path, Start>(
        "via-credentials",
        "file with the engine's user and password, a line each, which nobody else can read")
        .with(options::Hint::file),
    options::once<via_ca, options::Path, Start>(
        "via-ca", "file with the certificates that the engine's is signed by: use TLS")
        .with(options::Hint::file),
    options::once<via_cert, options::Path, Start>(
        "via-cert", "file with the certificate of this node, for the engine")
        .with(options::Hint::file),
    options::once<via_key, options::Path, Start>("via-cert-key",
                                                 "file with the private key of --via-cert")
        .with(options::Hint::file)};
constexpr options::OptionGroup<Start> run_groups[] = {
    {"", command_option}, {"an engine", via_options}, {"configuration", start_options}};
constexpr options::OptionGroup<Start> agent_groups[] = {{"an engine", via_options},
                                                        {"configuration", start_options}};

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
        const bool via = !start.via.url.empty();
        if (const std::string problem = agent::via_problem(start.via, given); !problem.empty())
            throw Refusal{problem};
        Givens all = given;
        if (via) all.push_back({"expect", "1", "--via"});  // nobody else votes
        const agent::Config config = configure(start, all);
        if (start.check) {
            std::fputs(agent::describe(config).c_str(), stdout);
            agent::check_launch(config);
            return Exit::yes;
        }
        const agent::Served served =
            via ? agent::serve_cell(config, start.via) : agent::serve(config);
        if (!served.why.empty()) std::fprintf(stderr, "conclave: %s\n", served.why.c_str());
        return served.code;
    } catch (const agent::ConfigRefusal& refusal) {
        throw Refusal{refusal.sentence, refusal.code};
    } catch (const net::Failure& failure) {
        throw Refusal{failure.what(), exit_code::internal};
    } catch (const std::exception& error) {
        throw Refusal{std::string("internal error: ") + error.what(), exit_code::internal};
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
