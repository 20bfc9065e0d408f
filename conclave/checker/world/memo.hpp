// Successors of a part of the world, worked out once: from a 64-bit question to a 32-bit answer.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "conclave/core/key.hpp"

namespace conclave::checker {

class Memo {
public:
    static constexpr std::uint32_t unknown = 0xffffffff;

    std::uint32_t find(std::uint64_t question) const {
        for (std::size_t i = mix(question);; ++i) {
            const Entry& entry = entries_[i & mask_];
            if (entry.answer == unknown) return unknown;
            if (entry.question == question) return entry.answer;
        }
    }
    void put(std::uint64_t question, std::uint32_t answer) {
        if (2 * ++size_ > entries_.size()) grow();
        place(question, answer);
    }

private:
    struct Entry {
        std::uint64_t question = 0;
        std::uint32_t answer = unknown;
    };
    void place(std::uint64_t question, std::uint32_t answer) {
        std::size_t i = mix(question);
        while (entries_[i & mask_].answer != unknown) ++i;
        entries_[i & mask_] = {question, answer};
    }
    void grow() {
        std::vector<Entry> old(2 * entries_.size());
        std::swap(old, entries_);
        mask_ = entries_.size() - 1;
        for (const Entry& entry : old)
            if (entry.answer != unknown) place(entry.question, entry.answer);
    }

    std::vector<Entry> entries_{1024};
    std::size_t mask_ = 1023, size_ = 0;
};

}  // namespace conclave::checker
