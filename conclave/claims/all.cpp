#include "conclave/claims/claim.hpp"

namespace conclave::claims {

// In the order of the ledger: one line a document, as its rows are written.
std::vector<Claim> all_claims() {
    std::vector<Claim> list;
    [[maybe_unused]] const auto add = [&](std::span<const Claim> document) {
        list.insert(list.end(), document.begin(), document.end());
    };
    return list;
}

}  // namespace conclave::claims
