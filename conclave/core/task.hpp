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
    // The result of the work on a part: any number will do that tells the parts apart.
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

    // The next part of the member's share; false: it has none left.
    bool work(Id member) {
        const auto part = next_of(member);
        return part && finish(*part, member);
    }

    // Takes over what the other state has more than this one, and the shares that were dealt last.
    // True: that made it complete.
    bool merge(const Task& other) {
        const bool was_complete = complete();
        if (owners.empty() || other.deals > deals) owners = other.owners;
        deals = std::max(deals, other.deals);
        for (const Result& result : other.results) finish(result.part, result.by);
        return complete() && !was_complete;
    }

    std::uint16_t count() const { return static_cast<std::uint16_t>(owners.size()); }

    // Deals the open parts out to the members, no part to two of them; to nobody, if there are
    // none. A task of so many parts begins with that.
    void share(std::uint16_t parts, const IdSet& members) {
        if (owners.empty()) owners.assign(parts, nobody);
        ++deals;
        std::size_t turn = 0;
        for (std::uint16_t part = 0; part < count(); ++part)
            if (!finished(part))
                owners[part] = members.empty() ? nobody : members.ids[turn++ % members.size()];
    }

    // Is every open part the turn of one of them?
    bool covered_by(const IdSet& members) const {
        for (std::uint16_t part = 0; part < count(); ++part)
            if (!finished(part) && !members.contains(owners[part])) return false;
        return true;
    }

    std::optional<std::uint16_t> next_of(Id member) const {
        for (std::uint16_t part = 0; part < count(); ++part)
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

    // For labels: ", 4 of 6 parts", or nothing if there is no task.
    std::string progress() const {
        if (owners.empty()) return {};
        return ", " + std::to_string(results.size()) + " of " + std::to_string(owners.size()) +
               " parts";
    }

private:
    std::vector<Result>::const_iterator place_of(std::uint16_t part) const {
        return std::lower_bound(results.begin(), results.end(), part,
                                [](const Result& r, std::uint16_t p) { return r.part < p; });
    }
};

}  // namespace conclave
