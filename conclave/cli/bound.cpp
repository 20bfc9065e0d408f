// conclave bound: how long the group may be without a leader.
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
    std::puts(given.asked.ask(given.json ? "bound json" : "bound").c_str());
    return Exit::yes;
}

std::function<int()> prepare(Command& command) {
    const auto given = std::make_shared<Given>();
    given->asked.declare(command);
    command.flag("json", "for programs", given->json);
    return [given] { return run(*given); };
}

}  // namespace

Verb bound_verb() {
    return {"bound",
            "computes how long the group may be without a leader, and what that assumes",
            {"conclave bound --group jobs", "conclave bound --group jobs --json"},
            &prepare};
}

}  // namespace conclave::cli
