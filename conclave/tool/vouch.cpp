// conclave vouch: an operator's word for a node that lost its memory beside another that did.
#include <cstdio>
#include <memory>

#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

int run(const Asked& asked) {
    const std::string answer = asked.ask("vouch");
    std::puts(answer == "ok" ? "it promises again" : answer.c_str());
    return answer == "ok" ? Exit::yes : Exit::no;
}

std::function<int()> prepare_vouch(Command& command) {
    const auto asked = std::make_shared<Asked>();
    asked->declare(command);
    return [asked] { return run(*asked); };
}

}  // namespace

Verb vouch_verb() {
    return {"vouch",
            "lets a node promise again that lost its memory beside another that did",
            {"conclave vouch --group jobs"},
            &prepare_vouch};
}

}  // namespace conclave::cli
