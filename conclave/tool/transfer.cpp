// conclave transfer: hand over to a given node, and see it lead.
#include <thread>

#include "conclave/net/clock.hpp"
#include "conclave/tool/ask.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

struct Transfer : Asked {
    std::string successor{};
    Duration wait = std::chrono::seconds(30);
};

// Any other member that leads meanwhile has taken what was meant for the successor.
int run(const Transfer& transfer) {
    if (transfer.successor.empty())
        throw Refusal{"--to is missing: name the member that should lead"};
    const std::string former = transfer.ask("leader");
    if (const std::string answer = transfer.ask("resign " + transfer.successor); answer != "ok")
        return print_outcome(false, answer, transfer.json);
    const Time began = net::boot_time();
    while (net::boot_time() - began < transfer.wait) {
        const std::string leader = transfer.ask("leader");
        const auto passed = (net::boot_time() - began) / std::chrono::milliseconds(1);
        if (!leader.empty() && leader != former)
            return print_outcome(leader == transfer.successor,
                                 "'" + leader + "' leads after " + std::to_string(passed) + " ms",
                                 transfer.json);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return print_outcome(false, "'" + transfer.successor + "' does not lead yet", transfer.json);
}

constexpr options::Option<Transfer> transfer_options[] = {
    options::once<&Transfer::successor, options::Text>("to", "member that shall lead")
        .called("NAME"),
    options::once<&Transfer::wait, options::Span<>>(
        "wait", "wait no longer than this for it to lead", "30s"),
};
constexpr options::OptionGroup<Transfer> transfer_groups[] = {{"", transfer_options},
                                                              {"the node", node_options<Transfer>}};

}  // namespace

Verb transfer_verb() {
    return node_verb<Transfer>(
        {"transfer",
         "hands leadership over from this machine to a given member, and waits for it",
         {"conclave transfer --group jobs --to b"}},
        transfer_groups, run);
}

}  // namespace conclave::cli
