// A job cut into parts, as the state that a coordinator hands over.
//
// Everybody who holds it knows which parts are finished and whose turn the others are. Two states
// of the same job merge into one that holds the work of both: a part that was done twice is kept
// once, so that no part is lost and none is counted twice. Whoever mistrusts that asks `broken`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/id.hpp"

namespace conclave {

struct Task {
    struct Result {
        std::uint16_t part;
        Id by;
    };

    std::vector<Id> owners;       // owners[part]: whose turn it is; as many as there are parts
    std::uint32_t deals = 0;      // how often they were dealt out
    std::vector<Result> results;  // of the finished parts, in their order
    std::uint64_t total = 0;      // the results put together

    static Task of(std::uint16_t parts) { return {std::vector<Id>(parts, nobody), 0, {}, 0}; }
    // What the work on a part yields: any number will do that tells the parts apart.
    static constexpr std::uint64_t value_of(std::uint16_t part) { return part + 1u; }

    bool finished(std::uint16_t part) const {
        const auto at = place_of(part);
        return at != results.end() && at->part == part;
    }
    bool complete() const { return results.size() == owners.size(); }

    // False: somebody else has finished that part already, and the work is thrown away.
    bool finish(std::uint16_t part, Id by) {
        if (part >= owners.size() || finished(part)) return false;
        results.insert(place_of(part), Result{part, by});
        total += value_of(part);
        return true;
    }

    // Takes over what the other state has more than this one, and the shares that were dealt last.
    void merge(const Task& other) {
        if (owners.empty() || other.deals > deals) {
            owners = other.owners;
            deals = other.deals;
        }
        for (const Result& result : other.results) finish(result.part, result.by);
    }

    // Deals the open parts out to the members, no part to two of them.
    void share(const IdSet& members) {
        ++deals;
        std::size_t turn = 0;
        for (std::uint16_t part = 0; part < owners.size(); ++part)
            if (!finished(part)) owners[part] = members.ids[turn++ % members.size()];
    }

    std::optional<std::uint16_t> next_of(Id member) const {
        for (std::uint16_t part = 0; part < owners.size(); ++part)
            if (owners[part] == member && !finished(part)) return part;
        return std::nullopt;
    }

    std::string_view broken() const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (results[i].part >= owners.size()) return "a part that the task does not have";
            if (i != 0 && results[i].part <= results[i - 1].part) return "a part counted twice";
            sum += value_of(results[i].part);
        }
        return sum == total ? std::string_view{} : "the total is not that of the finished parts";
    }

    // At the end of a run: is anything left to do of a task of so many parts?
    std::string_view missing(std::size_t parts) const {
        return results.size() < parts ? "the task is not complete" : std::string_view{};
    }

    // "4 of 6 parts"
    std::string progress() const {
        return std::to_string(results.size()) + " of " + std::to_string(owners.size()) + " parts";
    }

private:
    std::vector<Result>::const_iterator place_of(std::uint16_t part) const {
        return std::lower_bound(results.begin(), results.end(), part,
                                [](const Result& r, std::uint16_t p) { return r.part < p; });
    }
};

}  // namespace conclave
