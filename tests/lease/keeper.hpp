// One member whose disk works, or fails, as a test likes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "conclave/lease/leased.hpp"
#include "conclave/lease/willing.hpp"
#include "tests/election/actor.hpp"

namespace conclave::lease {

using Member = Leased<Willing>;
using Stored = Member::Turn::Stored;

// Says Kept or Unkept after every store, as a host does, and adds what comes of that.
struct Keeper : Actor<Member> {
    using Actor::Actor;

    template <class Event>
    Lines after(const Event& event, std::uint32_t from = 0) {
        Lines lines = Actor::after(event, from);
        if (!effects().stored || disk_waits) return lines;
        unbound = effects().unbound;
        const Lines more = disk_fails ? after(Unkept{}) : after(Kept{});
        lines.insert(lines.end(), more.begin(), more.end());
        return lines;
    }

    // Its disk is lost, and nobody else among three has promised anything.
    void forget() {
        node = {};
        settings.formed = false;
        ++chosen;
        after(Start{});
        now += settings.promise;
        after(Member::Enquire{});
        for (const std::uint32_t other : {2u, 3u})
            after(Entry{node.lost.nonce, {}, false, false, 0}, other);
        EXPECT_FALSE(node.voter.amnesiac);
    }

    bool disk_fails = false, disk_waits = false;
    std::size_t unbound = 0;  // so many sends of the last turn that stored need not wait for it
};

inline bool says(const Lines& lines, std::string_view begin) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.starts_with(begin); });
}

// Member 1, with a memory; L = 300 ms, D = 280 ms.
struct One : Keeper {
    One() : Keeper(1, 3) {
        settings.formed = true;
        settings.nonces = 1;
        after(Start{});
    }
    Ask ask(std::uint64_t round, std::uint32_t member, std::uint32_t k = 1) const {
        return {{round, Id{member}, 7}, k, false, settings.seal};
    }
    Lines hear(const Ask& ask) { return after(ask, static_cast<std::uint32_t>(ask.ballot.member)); }
    Lines recover() {
        const Stored stored = node.disk;
        node = {};
        return after(Recover<Stored>{stored});
    }
    Lines promise(std::uint32_t from, std::uint32_t k = 1) {
        return after(Promise{node.candidacy.ballot, k}, from);
    }
};

}  // namespace conclave::lease
