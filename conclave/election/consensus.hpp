// CS425 (Mittal 2023), "Why is Election so hard?": consensus by election.
//
// "If we could solve election, then we could solve consensus! Elect a process, use its id's last
// bit as the consensus decision." So this is an election (bully) with a decision around it, final
// once taken: the last bit of the first leader that a process knows. Costs what the election costs.
// Assumes what the election assumes, and that its winner lives until everybody has heard of it:
// otherwise some decide by the first winner and some by the next.
#pragma once

#include "conclave/core/around.hpp"
#include "conclave/election/bully.hpp"

namespace conclave {

struct Consensus {
    static constexpr Card card{"consensus",
                               "CS425 lecture (Mittal 2023)",
                               Network::full,
                               Links::any,
                               "as bully",
                               "as bully; the winner lives until all have heard of it",
                               {},
                               /* restless */ false,
                               Bully::predict};

    enum class Proposals : std::uint8_t { in_id, all_0 };
    struct Settings {
        Bully::Settings election;
        Proposals proposals = Proposals::in_id;
    };
    static constexpr std::array readings_listed{
        Reading{
            "proposals", "in-id",
            "\"use its id's last bit as the consensus decision\": a process has an id whose last "
            "bit is what it proposes"},
        Reading{
            "proposals", "all-0",
            "\"then we could solve consensus\", in which processes propose values whatever their "
            "ids are: here each proposes 0"},
    };
    static constexpr std::span<const Reading> readings() { return readings_listed; }
    using Turn = conclave::Turn<Bully::Turn::Messages, Bully::Turn::Timers, Settings, Nothing,
                                EffectsOf<Bully>>;

    // It remembers
    enum class Decision : std::uint8_t { none, zero, one };
    Decision decided = Decision::none;
    Bully election;

    // It does: whatever happens, happens to the election
    template <class Event>
        requires Handles<Bully, Event>
    void on(const Event& event, Turn& turn) {
        const auto& effects =
            inner_turn(election, turn.settings.election, turn,
                       [&](Bully& inner, Bully::Turn& inner_turn) { inner.on(event, inner_turn); });
        if (decided == Decision::none && effects.leader.value_or(nobody) != nobody)
            decided = static_cast<std::uint32_t>(*effects.leader) % 2 == 0 ? Decision::zero
                                                                           : Decision::one;
        pass_on<Bully>(effects, turn);
    }

    std::string_view decision() const {
        return decided == Decision::none ? "" : decided == Decision::one ? "1" : "0";
    }
    // Validity: what is decided, somebody proposed.
    std::string_view broken(const Turn& turn) const {
        const bool apart = turn.settings.proposals == Proposals::all_0;
        return apart && decided == Decision::one ? "1 is decided, and all proposed 0" : "";
    }
    std::string label() const {
        return election.label() +
               (decided == Decision::none ? std::string{} : ", decided " + std::string(decision()));
    }
};

static_assert(Algorithm<Consensus>);

}  // namespace conclave
