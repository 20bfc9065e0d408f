// conclave transfer: hand over to a given node, and see it lead.
#include <cstdio>
#include <memory>
#include <thread>

#include "conclave/net/clock.hpp"
#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

namespace {

struct TransferGiven {
    Asked asked;
    std::optional<std::string> heir, wait;
};

// Whoever has led since then, other than the heir, has taken what was meant for it.
int run(const TransferGiven& given) {
    if (!given.heir) throw Refusal{"--to is missing: name the member that should lead"};
    const auto patience = parse_duration(given.wait.value_or("30s"));
    if (!patience) throw Refusal{"--wait cannot be '" + *given.wait + "': give a duration"};
    const std::string former = given.asked.ask("leader");
    if (const std::string answer = given.asked.ask("resign " + *given.heir); answer != "ok") {
        std::puts(answer.c_str());
        return Exit::no;
    }
    const Time began = net::boot_time();
    while (net::boot_time() - began < *patience) {
        const std::string leader = given.asked.ask("leader");
        const auto passed = (net::boot_time() - began) / std::chrono::milliseconds(1);
        if (!leader.empty() && leader != former) {
            std::printf("'%s' leads after %lld ms\n", leader.c_str(),
                        static_cast<long long>(passed));
            return leader == *given.heir ? Exit::yes : Exit::no;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::printf("'%s' does not lead yet\n", given.heir->c_str());
    return Exit::no;
}

std::function<int()> prepare_transfer(Command& command) {
    const auto given = std::make_shared<TransferGiven>();
    given->asked.declare(command);
    command.value("to", "NAME", "the member that shall lead", given->heir);
    command.value("wait", "D", "so long at most; 30s unless given", given->wait);
    return [given] { return run(*given); };
}

}  // namespace

Verb transfer_verb() {
    return {"transfer",
            "lets the leader of this machine hand over to a given member, and waits for it",
            {"conclave transfer --group jobs --to b"},
            &prepare_transfer};
}

}  // namespace conclave::cli
