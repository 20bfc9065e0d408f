#include "conclave/core/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace conclave {

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
    std::string_view best;
    std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string_view candidate : known) {
        std::vector<std::size_t> row(candidate.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 0; i < word.size(); ++i) {
            std::size_t diagonal = row[0];
            row[0] = i + 1;
            for (std::size_t j = 0; j < candidate.size(); ++j) {
                const std::size_t replaced = diagonal + (word[i] != candidate[j]);
                diagonal = row[j + 1];
                row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
            }
        }
        if (row.back() >= least) continue;
        least = row.back();
        best = candidate;
    }
    for (const std::string_view candidate : known)
        if (best.empty() && word.size() > 2 && candidate.starts_with(word)) best = candidate;
    return best;
}

}  // namespace conclave
