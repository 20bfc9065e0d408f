// What a member without a memory learns from all the others before it promises again (R10).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conclave/lease/ballot.hpp"

namespace conclave::lease {

// One blank life of a member: from coming up without a memory to having one again.
struct BlankLife {
    Id member;
    std::uint32_t nonce;
};

// What one of the others says about itself.
struct Record {
    Id member;
    Ballot highest;
    bool blank;
    bool founder;         // it was blank together with me, and all others were, too
    std::uint32_t nonce;  // of its blank life
};

struct Register {
    std::uint32_t nonce = 0;      // of my own blank life; 0: I have my memory
    std::uint32_t asked = 0;      // how often I asked, where that is bounded
    bool called = false;          // meanwhile somebody called an election
    std::vector<Record> records;  // one a member, ordered: a message that comes twice counts once
    std::vector<BlankLife> founders;  // whom I found blank when all were

    enum class Finding : std::uint8_t { waiting, undecidable, complete };

    void enter(const Record& record) {
        const auto at = std::find_if(records.begin(), records.end(),
                                     [&](const Record& r) { return r.member >= record.member; });
        if (at == records.end() || at->member != record.member)
            records.insert(at, record);
        else
            *at = record;
    }

    // Who lost its disk beside another that lost its own can have promised, together with that one,
    // what nobody else knows of. Unless all were blank: then there is nothing to know.
    Finding finding(std::size_t others) const {
        if (records.size() < others) return Finding::waiting;
        const auto blank = [](const Record& r) { return r.blank; };
        const auto remembers = [](const Record& r) { return !r.blank && !r.founder; };
        const bool some_blank = std::any_of(records.begin(), records.end(), blank);
        const bool some_remember = std::any_of(records.begin(), records.end(), remembers);
        return some_blank && some_remember ? Finding::undecidable : Finding::complete;
    }

    // The greatest ballot that the others promised. The register is closed; only who founded the
    // group together with me is kept, for when they ask.
    Ballot close() {
        Ballot highest;
        for (const Record& record : records) {
            highest = greater_of(highest, record.highest);
            if (record.blank) founders.push_back({record.member, record.nonce});
        }
        records.clear();
        nonce = asked = 0;
        return highest;
    }

    bool founded_with(const BlankLife& life) const {
        return std::find(founders.begin(), founders.end(), life) != founders.end();
    }
};

}  // namespace conclave::lease
