// conclave: what an operator needs to run a group, look at it, steer it, and keep its clocks.
#include "conclave/agent/host.hpp"
#include "conclave/tool/tool_verbs.hpp"
#include "conclave/wire/envelope.hpp"

static std::string features() {
    using conclave::wire::spoken;
    std::string algorithms;
    for (const std::string_view name : conclave::agent::hosted_algorithms())
        algorithms += (algorithms.empty() ? "" : ", ") + std::string(name);
    return "datagrams of version " + std::to_string(spoken.oldest) + " to " +
           std::to_string(spoken.newest) + "; algorithms " + algorithms;
}

int main(int count, char** words) {
    using namespace conclave::cli;
    return run_program(
        {"conclave", "conclave elects one coordinator among machines.", groups, features}, count,
        words);
}
