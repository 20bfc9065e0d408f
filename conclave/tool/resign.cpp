// conclave resign: hand over to somebody else, and stay.
#include <cstdio>
#include <memory>

#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

struct ResignGiven {
    Asked asked;
    std::optional<std::string> heir;
};

int run(const ResignGiven& given) {
    const std::string answer = given.asked.ask("resign" + (given.heir ? " " + *given.heir : ""));
    std::puts(answer == "ok" ? "hands over" : answer.c_str());
    return answer == "ok" ? Exit::yes : Exit::no;
}

std::function<int()> prepare_resign(Command& command) {
    const auto given = std::make_shared<ResignGiven>();
    given->asked.declare(command);
    command.value("to", "NAME", "the member that should lead next", given->heir);
    return [given] { return run(*given); };
}

}  // namespace

Verb resign_verb() {
    return {"resign",
            "lets the node of this machine hand over, once its command has stopped",
            {"conclave resign --group jobs"},
            &prepare_resign};
}

}  // namespace conclave::cli
