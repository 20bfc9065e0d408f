// Any bytes are refused, or are the one spelling of a message between agents; and what makes sense
// can be logged and shown: plain letters within their limits.
#include <algorithm>

#include "conclave/agent/formation.hpp"
#include "conclave/agent/presence.hpp"
#include "conclave/agent/roster.hpp"
#include "conclave/core/check.hpp"
#include "conclave/wire/body.hpp"

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
    Formation formation = Formation::begin("me", 3);
    formation.hear(said.name, said.roster, said.fixed);
    const bool fixes = formation.next() == Formation::Next::fix;
    check(!fixes || Roster(formation.roster()).id_of("me") != nobody,
          "whoever forms a group is in it");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Input input(reinterpret_cast<const std::byte*>(data), size);
    for (std::uint8_t version = wire::spoken.oldest; version <= wire::spoken.newest; ++version) {
        const auto hear = [&]<class Message>(const Message& message) {
            Bytes again;
            wire::encode_body(message, version, again);
            check(again.size() <= input.size() &&
                      std::equal(again.begin(), again.end(), input.begin()),
                  "a message has one spelling, and what follows is skipped");
            if (!makes_sense(message)) return;
            if constexpr (std::same_as<Message, Presence>) look_at(message);
        };
        static_cast<void>(wire::read_body(AgentMessages{}, {version, input}, hear));
    }
    return 0;
}
