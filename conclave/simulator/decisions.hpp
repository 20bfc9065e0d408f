// Every choice of a run: seeded, recorded, or replayed.
//
// A choice is named by its purpose, the link (or node) it concerns and a count, and drawn by mixing
// that name with the seed. So there is a stream per link and purpose: taking one fault away does
// not shift what the others do, which is what makes shrinking and replay meaningful. A recording
// keeps only the choices that differ from the usual one; a replay that finds nothing does the usual.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "conclave/core/id.hpp"
#include "conclave/core/key.hpp"

namespace conclave::simulator {

enum class Purpose : std::uint8_t { delay, lose, duplicate, reorder, choose, detect, clock, order, fire };

struct Decision {
    Purpose purpose;
    Id from;  // the node, where no link is concerned
    Id to;
    std::uint32_t count;

    friend bool operator<(const Decision& a, const Decision& b) {
        return std::tie(a.purpose, a.from, a.to, a.count) < std::tie(b.purpose, b.from, b.to, b.count);
    }
};

using DecisionLog = std::map<Decision, std::int64_t>;

class Decisions {
public:
    explicit Decisions(std::uint64_t seed) {
        for (std::size_t i = 0; i < bases_.size(); ++i) bases_[i] = mix(mix(seed) + i);
    }
    // Follows the log instead of the seed.
    static Decisions replay(const DecisionLog& log) {
        Decisions decisions(0);
        decisions.followed_ = &log;
        return decisions;
    }
    void record_into(DecisionLog& log) { recorded_ = &log; }
    bool replaying() const { return followed_ != nullptr; }

    std::uint64_t bits(const Decision& d) const {
        return mix(bases_[static_cast<std::size_t>(d.purpose)] +
                   static_cast<std::uint64_t>(d.from) * 0xd1342543de82ef95 +
                   static_cast<std::uint64_t>(d.to) * 0xaf251af3b0f025b5 +
                   std::uint64_t{d.count} * 0x9fb21c651e98df25);
    }

    // The outcome of one choice; `draw` maps 64 random bits to it.
    template <class Draw>
    std::int64_t decide(const Decision& decision, std::int64_t usual, const Draw& draw) {
        if (followed_ == nullptr && recorded_ == nullptr) [[likely]]
            return draw(bits(decision));
        return decide_slowly(decision, usual, followed_ != nullptr ? usual : draw(bits(decision)));
    }

private:
    std::int64_t decide_slowly(const Decision& decision, std::int64_t usual, std::int64_t drawn) {
        if (followed_ != nullptr)
            if (const auto found = followed_->find(decision); found != followed_->end())
                drawn = found->second;
        if (recorded_ != nullptr && drawn != usual) (*recorded_)[decision] = drawn;
        return drawn;
    }

    std::array<std::uint64_t, 16> bases_{};
    const DecisionLog* followed_ = nullptr;
    DecisionLog* recorded_ = nullptr;
};

}  // namespace conclave::simulator
