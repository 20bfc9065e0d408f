#include "conclave/tool/ask.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "conclave/agent/config.hpp"
#include "conclave/agent/roster.hpp"
#include "conclave/net/line_server.hpp"

namespace conclave::cli {

namespace {

// As run would find it: the option, then the environment, then the default.
std::string found(const std::optional<std::string>& option, const char* variable,
                  const std::string& otherwise) {
    if (option) return *option;
    const char* given = std::getenv(variable);
    return given != nullptr ? given : otherwise;
}

std::string group_of(const Asked& asked) {
    const std::string group = found(asked.group, "CONCLAVE_GROUP", {});
    if (group.empty()) throw Refusal{"--group is missing: give the name that run was given"};
    return group;
}

// Every node has its socket in its group's folder; without a name there must be one. A node that
// was killed leaves its own behind.
std::string socket_of(const Asked& asked) {
    const std::string folder =
        found(asked.state, "CONCLAVE_STATE", agent::default_state()) + "/" + group_of(asked);
    if (const std::string name = found(asked.name, "CONCLAVE_NAME", {}); !name.empty())
        return folder + "/" + name + ".sock";
    std::vector<std::string> here;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".sock" && net::is_listening(entry.path()))
            here.push_back(entry.path().stem().string());
    if (error == std::errc::permission_denied)
        throw Refusal{folder + " is another user's (permission denied): ask as that user, or as " +
                      "root"};
    if (here.empty())
        throw Refusal{"no node of this group runs here (nobody listens in " + folder +
                      "): start one with conclave run, or give its --state"};
    if (here.size() > 1)
        throw Refusal{"--name is missing, and several nodes of this group run here: choose from " +
                      agent::join(here)};
    return folder + "/" + here.front() + ".sock";
}

}  // namespace

void Asked::declare(Command& command) {
    command.value("group", "NAME", "the group, as run was given it", group);
    command.value("name", "NAME", "the node; needed where several of the group run here", name);
    command.value("state", "DIR", "the folder that run was given", state);
}

void Asked::listen(const std::string& line,
                   const std::function<bool(const std::string&)>& hear) const {
    const std::string socket = socket_of(*this);
    switch (net::ask_line(socket, line, hear)) {
        case net::Asking::answered: return;
        case net::Asking::nobody:
            throw Refusal{"nobody listens on " + socket + ": start the node with conclave run"};
        case net::Asking::forbidden:
            throw Refusal{socket + " is another user's (permission denied): ask as that user, " +
                          "or as root"};
        case net::Asking::silent:
            throw Unanswered{{"the agent of group '" + group_of(*this) + "' does not answer on " +
                              socket + ": is it stopped?"}};
    }
}

std::string Asked::ask(const std::string& line) const {
    std::string answer;
    listen(line, [&](const std::string& each) {
        answer += (answer.empty() ? "" : "\n") + each;
        return true;
    });
    return answer;
}

std::function<int()> print_answer(Command& command, const char* line, const char* json_line) {
    struct Given {
        Asked asked;
        bool json = false;
    };
    const auto given = std::make_shared<Given>();
    given->asked.declare(command);
    command.flag("json", "for programs", given->json);
    return [given, line, json_line] {
        std::puts(given->asked.ask(given->json ? json_line : line).c_str());
        return Exit::yes;
    };
}

}  // namespace conclave::cli
