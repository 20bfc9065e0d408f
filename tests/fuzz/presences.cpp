// Any bytes are refused, or are the one spelling of a message between agents; and what makes sense
// can be logged and shown: plain letters within their limits.
#include <algorithm>

#include "conclave/agent/group/formation_words.hpp"
#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/group/presence.hpp"
#include "conclave/agent/group/publication.hpp"
#include "conclave/core/check.hpp"
#include "conclave/core/glyph.hpp"
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

void look_at(const Publication& said) {
    check(said.value.size() <= published_most, "a value is small");
    const auto steers = [](char c) { return (c >= 0 && c < ' ') || c == 127; };
    check(std::none_of(said.value.begin(), said.value.end(), steers), "a value can be shown");
    Publications heard;
    check(heard.hear(said) && heard.heard(said.token) == said.value, "what was heard is known");
    check(!heard.hear(said), "what was heard before is no news");
}
void look_at(const RosterNews& said) {
    Roster roster;
    roster.renew(said.roster);
    check(roster.size() == said.roster.members.size(), "every member has a name");
    for (const Id id : roster.ids())
        check(name_problem(roster.name_of(id)).empty(), "a name can be shown");
    static_cast<void>(pending_change(roster));
}
void look_at(const member::Wish& said) {
    check(said.entry.empty() || name_problem(member::name_in(said.entry)).empty(),
          "whoever comes can be shown");
}
void look_at(const auto&) {}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Input input(reinterpret_cast<const std::byte*>(data), size);
    for (std::uint8_t version = wire::spoken.oldest; version <= wire::spoken.newest; ++version) {
        const auto hear = [&](const auto& message) {
            Bytes again;
            wire::encode_body(message, version, again);
            check(again.size() <= input.size() &&
                      std::equal(again.begin(), again.end(), input.begin()),
                  "a message has one spelling, and what follows is skipped");
            if (makes_sense(message)) look_at(message);
        };
        static_cast<void>(wire::read_body(AgentMessages{}, {version, input}, hear));
    }
    return 0;
}
