#include "conclave/agent/report/control.hpp"

#include "conclave/agent/report/why.hpp"

namespace conclave::agent {

namespace {

bool steers(std::string_view verb) {
    return verb == "resign" || verb == "vouch" || verb == "pause" || verb == "resume" ||
           verb == "change";
}

}  // namespace

Control::Control(net::Loop& loop, Node& node, std::string path)
    : node_(node),
      server_(loop, std::move(path),
              [this](const std::string& line, const net::LineServer::Asker& asker) {
                  return answer(line, asker);
              }) {}

net::LineServer::Answer Control::answer(const std::string& line,
                                        const net::LineServer::Asker& asker) {
    const std::string verb = line.substr(0, line.find(' '));
    const std::string rest = verb.size() < line.size() ? line.substr(verb.size() + 1) : "";
    if (steers(verb) && !asker.may_steer())
        return {"user " + std::to_string(asker.user) +
                " may ask this node, but not steer it: ask as the user who runs it, or as root"};
    const NodeStatus status = node_.status();
    if (verb == "status") return {rest == "text" ? to_text(status) : json(status)};
    if (verb == "members") return {rest == "text" ? to_text(status.members) : json(status.members)};
    if (verb == "leader") return {rest == "json" ? leader_json(status) : status.leader};
    if (verb == "is-leader") return {status.may_act ? "yes" : "no"};
    if (verb == "resign") {
        const std::string why = node_.resign(rest);
        return {why.empty() ? "ok" : why};
    }
    if (verb == "change") {
        const std::size_t space = rest.find(' ');
        if (space == std::string::npos) return {"refused '" + rest + "' is no change"};
        return {node_.change(rest.substr(space + 1), rest.substr(0, space) == "first")};
    }
    if (verb == "vouch") {
        const std::string why = node_.vouch();
        return {why.empty() ? "ok" : why};
    }
    if (verb == "pause" || verb == "resume") {
        verb == "pause" ? node_.set_paused(true) : node_.resume();
        return {"ok"};
    }
    if (verb == "why") return {rest == "json" ? json(reasons_of(status)) : to_reasons(status)};
    if (verb == "bound") return {rest == "json" ? json(node_.bound()) : to_text(node_.bound())};
    if (verb == "question") {
        node_.question_peers();
        return {"ok"};
    }
    if (verb == "group") {
        const auto statements = node_.statements();
        return {rest == "text" ? to_text(statements, node_.config().detect) : json(statements)};
    }
    if (verb == "doctor") {
        std::string findings;
        for (const std::string& each : node_.examine())
            findings += (findings.empty() ? "" : "\n") + each;
        return {findings};
    }
    if (verb != "watch") return {"there is no request '" + verb + "'"};
    return {json(status), true};
}

void Control::tell_watchers() {
    if (server_.watched()) server_.tell_watchers(json(node_.status()));
}

}  // namespace conclave::agent
