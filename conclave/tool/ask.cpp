#include "conclave/tool/ask.hpp"

#include <cstdio>
#include <filesystem>

#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/core/text.hpp"
#include "conclave/net/line_server.hpp"

namespace conclave::cli {

namespace {

std::string group_of(const Asked& asked) {
    if (asked.group.empty()) throw Refusal{"--group is missing: give the name that run was given"};
    return asked.group;
}

// Every node has its socket in its group's folder; without a name there must be one. A node that
// was killed leaves its own behind.
std::string socket_of(const Asked& asked) {
    const std::string folder =
        (asked.state.empty() ? agent::default_state() : asked.state) + "/" + group_of(asked);
    if (!asked.name.empty()) return folder + "/" + asked.name + ".sock";
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

int print_outcome(bool done, const std::string& text, bool json) {
    if (json)
        std::printf("{\"done\":%s,\"text\":%s}\n", done ? "true" : "false", quote(text).c_str());
    else
        std::puts(text.c_str());
    return done ? Exit::yes : Exit::no;
}

}  // namespace conclave::cli
