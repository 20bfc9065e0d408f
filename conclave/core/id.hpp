// Ids, ranks, and the group that every member knows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace conclave {

enum class Id : std::uint32_t {};
inline constexpr Id nobody{0};
inline constexpr Id everyone{0xffffffff};

// Extrema-finding algorithms compare this: <eligible, incumbent, priority, id>, best is greatest.
// With equal attributes the id decides; by default it alone does.
enum class Rank : std::uint64_t {};
inline constexpr std::uint32_t priority_max = (1u << 30) - 1;

constexpr Rank make_rank(bool eligible, bool incumbent, std::uint32_t priority, Id id) {
    return Rank{std::uint64_t{eligible} << 63 | std::uint64_t{incumbent} << 62 |
                std::uint64_t{std::min(priority, priority_max)} << 32 |
                static_cast<std::uint32_t>(id)};
}
constexpr Id id_of(Rank rank) { return Id{static_cast<std::uint32_t>(rank)}; }
constexpr std::uint32_t priority_of(Rank rank) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(rank) >> 32) & priority_max;
}
constexpr Rank plain_rank(Id id) { return make_rank(true, false, 0, id); }

// The members as everybody knows them. Ids run from 1 to size(), in whatever order along the ring.
struct Group {
    std::span<const Id> ring;              // in the direction of travel
    std::span<const std::uint32_t> place;  // place[id - 1]: position in `ring`
    std::span<const Rank> ranks;           // ranks[id - 1]; empty: the id is the rank
    bool lowest = false;                   // the lowest id is the best, whatever the ranks

    std::uint32_t size() const { return static_cast<std::uint32_t>(ring.size()); }
    bool contains(Id id) const { return id != nobody && static_cast<std::uint32_t>(id) <= size(); }
    std::uint32_t position(Id id) const { return place[static_cast<std::uint32_t>(id) - 1]; }
    Id after(Id id) const {
        const std::uint32_t at = position(id) + 1;
        return ring[at == size() ? 0 : at];
    }
    Id before(Id id) const {
        const std::uint32_t at = position(id);
        return ring[(at == 0 ? size() : at) - 1];
    }
    Rank rank(Id id) const {
        return ranks.empty() ? plain_rank(id) : ranks[static_cast<std::uint32_t>(id) - 1];
    }
    bool better(Id a, Id b) const { return lowest ? a < b : rank(a) > rank(b); }
};

// A set of ids as an ordered list, so that equal sets are equal bytes.
struct IdSet {
    std::vector<Id> ids;

    bool contains(Id id) const { return std::binary_search(ids.begin(), ids.end(), id); }
    bool insert(Id id) {
        const auto at = std::lower_bound(ids.begin(), ids.end(), id);
        if (at != ids.end() && *at == id) return false;
        ids.insert(at, id);
        return true;
    }
    bool erase(Id id) {
        const auto at = std::lower_bound(ids.begin(), ids.end(), id);
        if (at == ids.end() || *at != id) return false;
        ids.erase(at);
        return true;
    }
    std::size_t size() const { return ids.size(); }
    bool empty() const { return ids.empty(); }
    auto begin() const { return ids.begin(); }
    auto end() const { return ids.end(); }
};

}  // namespace conclave
