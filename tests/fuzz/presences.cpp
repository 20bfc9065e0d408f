// Any bytes are refused, or are the one spelling of a message between agents; and what makes sense
// can be logged and shown: plain letters within their limits.
#include <algorithm>

#include "conclave/agent/formation.hpp"
#include "conclave/agent/presence.hpp"
#include "conclave/agent/roster.hpp"
#include "conclave/core/check.hpp"

namespace {

using namespace conclave;
using namespace conclave::agent;

void look_at(const Presence& said) {
    const auto is_plain = [](const std::string& text) {
        return text.size() <= 64 &&
               std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 127; });
    };
    check(is_plain(said.name) && !said.name.empty(), "a name can be shown");
    check(is_plain(said.version) && is_plain(said.algorithm) && is_plain(said.leader),
          "words can be shown");
    for (const auto* list : {&said.roster, &said.hearing}) {
        check(size_on_wire(*list) <= Roster::bytes_most, "a list fits into a datagram");
        check(std::all_of(list->begin(), list->end(), is_plain), "names can be shown");
    }
    Formation formation("g", "me", 3);
    formation.hear(said.name, said.roster, said.fixed);
    const auto roster = formation.result();
    check(!roster || roster->id_of("me") != nobody, "whoever forms a group is in it");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Input input(reinterpret_cast<const std::byte*>(data), size);
    const auto message = decode_all<AgentMessage>(input);
    if (!message) return 0;
    Bytes again;
    encode(*message, again);
    check(std::equal(again.begin(), again.end(), input.begin(), input.end()),
          "a message has one spelling");
    if (!makes_sense(*message)) return 0;
    if (const auto* said = std::get_if<Presence>(&*message)) look_at(*said);
    return 0;
}
