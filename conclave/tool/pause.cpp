// conclave pause, conclave resume: a node keeps its role while people work on it.
#include <cstdio>
#include <memory>

#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

int run(const Asked& asked, const std::string& request, const char* done) {
    const std::string answer = asked.ask(request);
    std::puts(answer == "ok" ? done : answer.c_str());
    return answer == "ok" ? Exit::yes : Exit::no;
}

std::function<int()> prepare_pause(Command& command) {
    const auto asked = std::make_shared<Asked>();
    asked->declare(command);
    return [asked] { return run(*asked, "pause", "paused until conclave resume"); };
}

std::function<int()> prepare_resume(Command& command) {
    const auto asked = std::make_shared<Asked>();
    asked->declare(command);
    return [asked] { return run(*asked, "resume", "resumed"); };
}

}  // namespace

Verb pause_verb() {
    return {"pause",
            "keeps a node's role: a follower does not stand, a leader stays though unhealthy",
            {"conclave pause --group jobs"},
            &prepare_pause};
}

Verb resume_verb() {
    return {"resume",
            "ends a pause; lets a command be started again that was done, or failed on this node",
            {"conclave resume --group jobs"},
            &prepare_resume};
}

}  // namespace conclave::cli
