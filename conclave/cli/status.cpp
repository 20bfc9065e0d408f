// conclave status: how a node stands.
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
    std::puts(given.asked.ask(given.json ? "status" : "status text").c_str());
    return Exit::yes;
}

std::function<int()> prepare(Command& command) {
    const auto given = std::make_shared<Given>();
    given->asked.declare(command);
    command.flag("json", "for programs", given->json);
    return [given] { return run(*given); };
}

}  // namespace

Verb status_verb() {
    return {"status",
            "says how a node of this machine stands",
            {"conclave status --group jobs"},
            &prepare};
}

}  // namespace conclave::cli
