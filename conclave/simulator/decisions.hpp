// Every choice of a run: seeded, recorded, replayed, or seeded with some of them overridden.
//
// A choice is named by its purpose, the link (or node) it concerns and a count, and drawn by mixing
// that name with the seed. So there is a stream per link and purpose: taking one fault away does
// not shift what the others do, which is what makes shrinking and replay meaningful. A recording
// keeps only the choices that differ from the usual one; a replay that finds nothing does the
// usual.
#pragma once

#include <array>
#include <cstdint>

#include "conclave/core/id.hpp"
#include "conclave/core/key.hpp"
#include "conclave/trace/decision.hpp"

namespace conclave::simulator {

using trace::Decision;
using trace::DecisionLog;
using trace::Purpose;

class Decisions {
public:
    explicit Decisions(std::uint64_t seed) {
        for (std::size_t i = 0; i < bases_.size(); ++i) bases_[i] = mix(mix(seed) + i);
    }
    // Follows the seed where the overrides are silent. They must outlive this.
    Decisions(std::uint64_t seed, const DecisionLog& overrides) : Decisions(seed) {
        if (overrides.empty()) return;
        followed_ = &overrides;
        logged_ = true;
    }
    // Follows the log instead of the seed.
    static Decisions replay(const DecisionLog& log) {
        Decisions decisions(0);
        decisions.followed_ = &log;
        decisions.logged_ = true;
        decisions.seeded_ = false;
        return decisions;
    }
    void record_into(DecisionLog& log) {
        recorded_ = &log;
        logged_ = true;
    }
    bool logged() const { return logged_; }      // a choice can be looked up, or is written down
    bool replaying() const { return !seeded_; }  // what the log is silent about is as usual
    bool foresees(Purpose purpose) const;        // the log that is followed has some of it

    std::uint64_t bits(const Decision& d) const {
        return mix(bases_[static_cast<std::size_t>(d.purpose)] +
                   static_cast<std::uint64_t>(d.from) * 0xd1342543de82ef95 +
                   static_cast<std::uint64_t>(d.to) * 0xaf251af3b0f025b5 +
                   std::uint64_t{d.count} * 0x9fb21c651e98df25);
    }

    // The outcome of one choice; `draw` maps 64 random bits to it.
    template <class Draw>
    std::int64_t decide(const Decision& decision, std::int64_t usual, const Draw& draw) {
        if (!logged_) [[likely]]
            return draw(bits(decision));
        return consult_logs(decision, usual, seeded_ ? draw(bits(decision)) : usual);
    }

private:
    std::int64_t consult_logs(Decision decision, std::int64_t usual, std::int64_t drawn);

    std::array<std::uint64_t, 16> bases_{};
    const DecisionLog* followed_ = nullptr;
    DecisionLog* recorded_ = nullptr;
    bool logged_ = false;  // one of the two is there
    bool seeded_ = true;
};

}  // namespace conclave::simulator
