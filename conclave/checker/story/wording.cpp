#include "conclave/checker/story/wording.hpp"

#include <array>

#include "conclave/core/text.hpp"

namespace conclave::checker {

std::string describe_world(const Shared& shared, const Nodes& nodes, const std::uint32_t* world) {
    std::string lines;
    for (std::size_t at = 0; at < shared.ring.size(); ++at) {
        const NodeState& node = nodes[world[at]];
        lines += (at == 0 ? "" : "\n") + text(shared.ring[at]) + ": ";
        if (node.life != Life::up) {
            lines += node.life == Life::down ? "down" : "not started";
            continue;
        }
        lines += nodes.label(world[at]);
        if (node.leader == shared.ring[at])
            lines += ", leads";
        else if (node.leader != nobody)
            lines += ", follows " + text(node.leader);
    }
    for (std::size_t link = 0; link < shared.links.size(); ++link) {
        const auto [from, to] = shared.links[link];
        const Mail& mail = shared.mails[world[shared.ring.size() + link]];
        if (mail.parcels.empty()) continue;
        lines += "\n" + text(shared.ring[from]) + ">" + text(shared.ring[to]) + ":";
        for (const Parcel& parcel : mail.parcels) lines += " " + nodes.message_text(parcel.message);
    }
    return lines;
}

std::string describe_step(const Shared& shared, const Nodes& nodes, const Step& step) {
    if (step.kind == Step::Kind::tick) return "tick";
    const std::string me = text(shared.ring[step.node]);
    const std::string other = step.from == 0 ? "" : text(shared.ring[step.from - 1u]);
    const auto what = static_cast<What>(step.what);
    if (step.kind != Step::Kind::event || what == What::message) {
        const std::string copy = step.kind == Step::Kind::lose        ? " lost"
                                 : step.kind == Step::Kind::duplicate ? " again later"
                                                                      : "";
        return other + ">" + me + " " + nodes.message_text(step.which) + copy;
    }
    if (what == What::timer) return me + " " + std::string(nodes.traits().timers[step.which]);
    static constexpr std::array<std::string_view, 10> words{
        "starts",         "is called",    "", "", "suspects", "trusts", "crashes", "recovers",
        "comes up blank", "meets a fault"};
    return me + " " + std::string(words[step.what]) + (other.empty() ? "" : " " + other);
}

}  // namespace conclave::checker
