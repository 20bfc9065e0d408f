// A range of seeds as people write it: 1..1000, both included.
#pragma once

#include "conclave/options/forms.hpp"
#include "conclave/simulator/campaign/sweep.hpp"

namespace conclave::cli {

struct SeedRange {
    static constexpr std::string_view name = "A..B";
    static constexpr std::uint64_t most = 1'000'000'000'000;

    static options::Answer read(std::string_view text, simulator::Seeds& into) {
        const auto pair = options::split_pair(text, "..");
        const auto first = options::parse_number<std::uint64_t>(pair ? pair->first : "");
        const auto last = options::parse_number<std::uint64_t>(pair ? pair->second : "");
        if (!first || !last) return options::wrong("give A..B, such as 1..1000");
        if (*last < *first) return options::wrong("put the smaller one first");
        if (*last - *first >= most)
            return options::wrong("give at most " + std::to_string(most) + " of them");
        into = {*first, *last};
        return {};
    }
    static std::string write(const simulator::Seeds& seeds) {
        return std::to_string(seeds.first) + ".." + std::to_string(seeds.last);
    }
};

}  // namespace conclave::cli
