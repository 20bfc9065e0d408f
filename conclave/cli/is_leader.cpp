// conclave is-leader: may this node act?
#include <cstdio>
#include <memory>

#include "conclave/cli/ask.hpp"
#include "conclave/cli/verbs.hpp"

namespace conclave::cli {

namespace {

struct Given {
    Asked asked;
};

int run(const Given& given) {
    const std::string answer = given.asked.ask("is-leader");
    std::puts(answer.c_str());
    return answer == "yes" ? Exit::yes : Exit::no;
}

std::function<int()> prepare(Command& command) {
    const auto given = std::make_shared<Given>();
    given->asked.declare(command);
    return [given] { return run(*given); };
}

}  // namespace

Verb is_leader_verb() {
    return {"is-leader",
            "says whether the node of this machine leads and may act; exit code 1: it does not",
            {"conclave is-leader --group jobs"},
            &prepare};
}

}  // namespace conclave::cli
