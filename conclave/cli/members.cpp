// conclave members: who belongs to the group, and who of them is heard.
#include <cstdio>
#include <memory>

#include "conclave/cli/ask.hpp"
#include "conclave/cli/verbs.hpp"

namespace conclave::cli {

namespace {

struct Given {
    Asked asked;
    bool json = false;
};

int run(const Given& given) {
    std::puts(given.asked.ask(given.json ? "members" : "members text").c_str());
    return Exit::yes;
}

std::function<int()> prepare(Command& command) {
    const auto given = std::make_shared<Given>();
    given->asked.declare(command);
    command.flag("json", "for programs", given->json);
    return [given] { return run(*given); };
}

}  // namespace

Verb members_verb() {
    return {"members",
            "lists the members of a group as a node of this machine sees them",
            {"conclave members --group jobs"},
            &prepare};
}

}  // namespace conclave::cli
