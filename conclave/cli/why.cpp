// conclave why: why the present leader leads, and who led before.
#include <cstdio>
#include <memory>

#include "conclave/cli/ask.hpp"
#include "conclave/cli/verbs.hpp"

namespace conclave::cli {

namespace {

int run(const Asked& asked) {
    std::puts(asked.ask("why").c_str());
    return Exit::yes;
}

std::function<int()> prepare(Command& command) {
    const auto asked = std::make_shared<Asked>();
    asked->declare(command);
    return [asked] { return run(*asked); };
}

}  // namespace

Verb why_verb() {
    return {"why",
            "explains the present leader: who could stand, who promised, who led before",
            {"conclave why --group jobs"},
            &prepare};
}

}  // namespace conclave::cli
