// conclave watch: a line of JSON now and at every change.
#include <charconv>
#include <cstdio>
#include <memory>

#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

struct WatchGiven {
    Asked asked;
    std::optional<std::string> count;
};

int run(const WatchGiven& given) {
    std::uint64_t left = 0;  // of none, there is no end
    if (given.count) {
        const char* end = given.count->data() + given.count->size();
        const auto read = std::from_chars(given.count->data(), end, left);
        if (read.ec != std::errc{} || read.ptr != end || left == 0)
            throw Refusal{"--count cannot be '" + *given.count + "': give a number of lines"};
    }
    bool enough = false;
    given.asked.listen("watch", [&](const std::string& line) {
        std::puts(line.c_str());
        std::fflush(stdout);
        enough = given.count && --left == 0;
        return !enough;
    });
    if (enough) return Exit::yes;
    std::fputs("conclave watch: the node has ended\n", stderr);
    return Exit::no;
}

std::function<int()> prepare_watch(Command& command) {
    const auto given = std::make_shared<WatchGiven>();
    given->asked.declare(command);
    command.value("count", "N", "end after so many lines", given->count);
    return [given] { return run(*given); };
}

}  // namespace

Verb watch_verb() {
    return {"watch",
            "prints how a node stands, now and at every change; exit code 1: it has ended",
            {"conclave watch --group jobs --count 1"},
            &prepare_watch};
}

}  // namespace conclave::cli
