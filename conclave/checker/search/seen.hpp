// The worlds seen so far: as fingerprints, or whole where certainty is wanted more than room.
#pragma once

#include <array>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_set>

#include "conclave/checker/search/fingerprints.hpp"

namespace conclave::checker {

class Seen {
public:
    Seen(bool exact, std::size_t width) : exact_(exact), width_(width) {}

    void prefetch(std::uint64_t print) const {
        if (!exact_) prints_.prefetch(print);
    }
    bool insert(std::uint64_t print, const std::uint32_t* world) {
        if (!exact_) return prints_.insert(print);
        std::string whole(reinterpret_cast<const char*>(world), width_ * sizeof(std::uint32_t));
        Shard& shard = shards_[print % shards_.size()];
        const std::lock_guard lock(shard.mutex);
        return shard.worlds.insert(std::move(whole)).second;
    }
    // Makes room for so many more, and says for how many there is room now. Only while nobody
    // inserts.
    std::uint64_t make_room(std::uint64_t held, std::uint64_t more) {
        if (exact_) return ~std::uint64_t{0} >> 1;
        while (prints_.room(held) < more) prints_.grow();
        return prints_.room(held);
    }
    std::uint64_t bytes(std::uint64_t held) const {
        return exact_ ? held * (width_ * sizeof(std::uint32_t) + 56) : prints_.bytes();
    }

private:
    struct Shard {
        std::mutex mutex;
        std::unordered_set<std::string> worlds;
    };
    bool exact_;
    std::size_t width_;
    Fingerprints prints_;
    std::array<Shard, 64> shards_;
};

}  // namespace conclave::checker
