// conclave watch: a line of JSON now and at every change.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "conclave/cli/ask.hpp"
#include "conclave/cli/verbs.hpp"

namespace conclave::cli {

namespace {

struct Given {
    Asked asked;
    std::optional<std::string> count;
};

int run(const Given& given) {
    long left = given.count ? std::strtol(given.count->c_str(), nullptr, 10) : -1;
    if (left == 0)
        throw Refusal{"--count cannot be '" + *given.count + "': give a number of lines"};
    given.asked.listen("watch", [&](const std::string& line) {
        std::puts(line.c_str());
        std::fflush(stdout);
        return --left != 0;
    });
    return Exit::yes;
}

std::function<int()> prepare(Command& command) {
    const auto given = std::make_shared<Given>();
    given->asked.declare(command);
    command.value("count", "N", "end after so many lines", given->count);
    return [given] { return run(*given); };
}

}  // namespace

Verb watch_verb() {
    return {"watch",
            "prints how a node stands, now and at every change",
            {"conclave watch --group jobs --count 1"},
            &prepare};
}

}  // namespace conclave::cli
