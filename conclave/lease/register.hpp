// What a member without a memory learns from all the others before it promises again (R10).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conclave/lease/ballot.hpp"

namespace conclave::lease {

// One amnesiac life of a member: from coming up without a memory to having one again.
struct AmnesiacLife {
    Id member;
    std::uint32_t nonce;
};

// What one of the others says about itself.
struct Record {
    Id member;
    Ballot highest;
    bool amnesiac;
    bool founder;         // it was amnesiac together with me, and all others were, too
    std::uint32_t nonce;  // of its amnesiac life
};

struct Register {
    std::uint32_t nonce = 0;      // of my own amnesiac life; 0: I have my memory
    std::uint32_t asked = 0;      // how often I asked, where that is bounded
    bool called = false;          // meanwhile somebody called an election
    Duration silence{};           // so long I wait before I ask ...
    Time quiet = long_ago;        // ... until then; what is said before does not count
    std::vector<Record> records;  // one a member, ordered: a message that comes twice counts once
    std::vector<AmnesiacLife> founders;  // whom I found amnesiac when all were

    enum class Finding : std::uint8_t { waiting, undecidable, complete };

    void enter(const Record& record) {
        const auto at = std::find_if(records.begin(), records.end(),
                                     [&](const Record& r) { return r.member >= record.member; });
        if (at == records.end() || at->member != record.member)
            records.insert(at, record);
        else
            *at = record;
    }

    // M9, M10: what I promised may have been for longer than I knew.
    void wait_for(Duration promise, Time now) {
        if (promise <= silence) return;
        quiet = std::max(quiet, now) + (promise - silence);
        silence = promise;
        records.clear();
    }

    // Who lost its disk beside another that lost its own can have promised, together with that one,
    // what nobody else knows of. Unless all were amnesiac: then there is nothing to know.
    Finding finding(const std::vector<Id>& others) const {
        bool some_amnesiac = false, some_remember = false;
        for (const Id other : others) {
            const auto at = std::find_if(records.begin(), records.end(),
                                         [&](const Record& r) { return r.member == other; });
            if (at == records.end()) return Finding::waiting;
            some_amnesiac = some_amnesiac || at->amnesiac;
            some_remember = some_remember || (!at->amnesiac && !at->founder);
        }
        return some_amnesiac && some_remember ? Finding::undecidable : Finding::complete;
    }

    // The greatest ballot that the others promised. The register is closed; only who founded the
    // group together with me is kept, for when they ask.
    Ballot close() {
        Ballot highest;
        for (const Record& record : records) {
            highest = greater_of(highest, record.highest);
            if (record.amnesiac) founders.push_back({record.member, record.nonce});
        }
        records.clear();
        nonce = asked = 0;
        silence = Duration{0};
        quiet = long_ago;
        return highest;
    }

    bool founded_with(const AmnesiacLife& life) const {
        return std::find(founders.begin(), founders.end(), life) != founders.end();
    }
};

}  // namespace conclave::lease
