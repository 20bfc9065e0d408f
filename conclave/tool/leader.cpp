// conclave leader: the name of the leader.
#include <cstdio>
#include <memory>

#include "conclave/core/text.hpp"
#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

struct LeaderGiven {
    Asked asked;
    bool json = false;
};

int run(const LeaderGiven& given) {
    const std::string leader = given.asked.ask("leader");
    if (given.json)
        std::puts(("{\"leader\":" + (leader.empty() ? "null" : quote(leader)) + "}").c_str());
    else
        std::puts(leader.empty() ? "nobody leads" : leader.c_str());
    return leader.empty() ? Exit::no : Exit::yes;
}

std::function<int()> prepare_leader(Command& command) {
    const auto given = std::make_shared<LeaderGiven>();
    given->asked.declare(command);
    command.flag("json", "for programs", given->json);
    return [given] { return run(*given); };
}

}  // namespace

Verb leader_verb() {
    return {"leader",
            "names the leader of a group; exit code 1: there is none",
            {"conclave leader --group jobs"},
            &prepare_leader};
}

}  // namespace conclave::cli
