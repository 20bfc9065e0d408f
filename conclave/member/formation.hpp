// How a roster of a given size comes to be, once: when exactly so many names have been heard, and
// all of them have said that they heard the same, it is fixed.
//
// What has been heard is never forgotten, and a list of that size not even in a crash: it is on
// disk before it is said. So a node says one list of that size at most, and no two different
// rosters can both have the word of one node. A node that comes later, its memory lost, takes the
// roster from the others, if it stands in it.
//
// `Name` is what nodes call themselves: text on a network, an id in simulator and checker.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conclave/core/fields.hpp"

namespace conclave::member {

using conclave::operator==;

template <class Name>
struct Formation {
    using Names = std::vector<Name>;  // in order, each once
    struct Statement {
        Name who{};
        Names list{};
    };

    Name me{};
    std::uint32_t expected = 0;
    Names known{};                           // heard of, me included
    std::vector<Statement> heard{};          // what each of the others said last, in order
    Names fixed{};                           // by the others; empty: none of them has said so
    bool kept = false;                       // `known` is on disk, and complete
    static constexpr std::size_t most = 64;  // what is known beyond that is of no use

    // `said`: the list of the expected size that this node kept in a former life; else empty.
    static Formation begin(const Name& me, std::uint32_t expected, Names said = {}) {
        const bool kept = !said.empty();
        return {.me = me,
                .expected = expected,
                .known = kept ? std::move(said) : Names{me},
                .kept = kept};
    }

    // Another node says whom it has heard of, or, when that is fixed, who its roster is.
    void hear(const Name& who, Names list, bool is_fixed) {
        if (who == me || known.size() > most) return;
        std::sort(list.begin(), list.end());
        if (is_fixed) fixed = list;
        const auto at = std::lower_bound(known.begin(), known.end(), who);
        if (at == known.end() || *at != who) known.insert(at, who);
        const auto place =
            std::find_if(heard.begin(), heard.end(), [&](const auto& s) { return !(s.who < who); });
        if (place == heard.end() || place->who != who)
            heard.insert(place, {who, std::move(list)});
        else
            place->list = std::move(list);
    }

    // Why it cannot be.
    enum class Obstacle : std::uint8_t {
        none,
        no_member,   // the others have fixed it without this node: no waiting helps
        other_size,  // they have fixed another number: no waiting helps
        too_many,    // more are here than expected
    };
    Obstacle obstacle() const {
        if (!fixed.empty() && !std::binary_search(fixed.begin(), fixed.end(), me))
            return Obstacle::no_member;
        if (!fixed.empty()) return fixed.size() == expected ? Obstacle::none : Obstacle::other_size;
        return known.size() > expected ? Obstacle::too_many : Obstacle::none;
    }

    // What is to be done now. After `keep`, when `known` is on disk: confirm().
    enum class Next : std::uint8_t { wait, keep, fix };
    Next next() const {
        if (obstacle() != Obstacle::none) return Next::wait;
        if (!fixed.empty()) return Next::fix;
        if (!complete()) return Next::wait;
        if (!kept) return Next::keep;
        // Everybody's word counts, also of those whom this node knows from a former life only.
        const bool all = heard.size() + 1 == known.size() &&
                         std::all_of(heard.begin(), heard.end(),
                                     [&](const Statement& each) { return each.list == known; });
        return all ? Next::fix : Next::wait;
    }
    void confirm() { kept = true; }

    bool complete() const { return known.size() == expected; }  // as far as this node has heard
    const Names& roster() const { return fixed.empty() ? known : fixed; }  // after Next::fix
    // What this node may say that it has heard of.
    Names statement() const { return complete() && !kept ? Names{me} : known; }
};

// An observer takes the roster as a member says it. Why it cannot:
enum class Adoption : std::uint8_t { possible, other_size, is_member };
template <class Name>
Adoption adoption_of(const std::vector<Name>& roster, std::uint32_t expected, const Name& me) {
    if (expected != 0 && roster.size() != expected) return Adoption::other_size;
    return std::find(roster.begin(), roster.end(), me) != roster.end() ? Adoption::is_member
                                                                       : Adoption::possible;
}

}  // namespace conclave::member
