// A command that ended well is done for the whole group, until an operator resumes it.
//
// Every member keeps the greatest record that it has heard of, on disk before it says so. A member
// that knows a greater one than a candidate promises nothing to it, and tells it instead. So once a
// majority knows a record, whoever leads later knows it, and starts nothing.
#pragma once

#include <cstdint>
#include <string>

namespace conclave::member {

struct Done {
    std::uint64_t token = 0;   // of the command that ended; 0: none has
    bool resumed = false;      // an operator wants it to be started again
    std::string node{};        // where it ended ...
    std::int64_t unix_ms = 0;  // ... and when, by that node's clock

    bool operator==(const Done&) const = default;
    // Nothing is to be started.
    bool in_force() const { return token != 0 && !resumed; }
};

// Whichever is greater is the later: a token ends once, and is resumed after that.
inline bool is_later(const Done& a, const Done& b) {
    return a.token != b.token ? a.token > b.token : a.resumed && !b.resumed;
}

// Whether to answer a candidate by what it said of itself last; `said`: it told its record at all,
// which programs that know of none do not.
inline bool may_promise(const Done& mine, bool said, const Done& candidate) {
    return !said || !is_later(mine, candidate);
}

// One member's knowledge: what it has heard of, and what of it is on disk.
struct DoneRecord {
    Done known{};  // the latest; nothing is started by it
    Done kept{};   // on disk for sure, true after a crash, too: what the others are told

    // True: it is later than what was known, and must be stored.
    bool learn(const Done& heard) {
        const bool later = is_later(heard, known);
        if (later) known = heard;
        return later;
    }
    bool is_kept() const { return !is_later(known, kept); }
    // A member that said `said` of itself last must still be told.
    bool is_news_to(const Done& said) const { return kept.token != 0 && is_later(kept, said); }
    // An operator wants it to be started again.
    Done resumed() const {
        Done again = known;
        again.resumed = true;
        return again;
    }
};

}  // namespace conclave::member
