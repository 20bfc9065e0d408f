// conclave is-leader: may this node act?
#include <cstdio>
#include <memory>

#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

struct IsLeaderGiven {
    Asked asked;
};

// Who cannot be asked may not act on it: a script that asks must not take that for a mistake of
// its own.
int run(const IsLeaderGiven& given) {
    std::string answer = "no";
    try {
        answer = given.asked.ask("is-leader");
    } catch (const Unanswered& unanswered) {
        std::fprintf(stderr, "conclave is-leader: %s\n", unanswered.sentence.c_str());
    }
    std::puts(answer.c_str());
    return answer == "yes" ? Exit::yes : Exit::no;
}

std::function<int()> prepare_is_leader(Command& command) {
    const auto given = std::make_shared<IsLeaderGiven>();
    given->asked.declare(command);
    return [given] { return run(*given); };
}

}  // namespace

Verb is_leader_verb() {
    return {"is-leader",
            "says whether the node of this machine leads and may act; exit code 1: it does not",
            {"conclave is-leader --group jobs"},
            &prepare_is_leader};
}

}  // namespace conclave::cli
