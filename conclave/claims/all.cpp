#include "conclave/claims/claim.hpp"

namespace conclave::claims {

// In the order of the ledger: one line a document, as its rows are written.
std::vector<Claim> all_claims() {
    std::vector<Claim> list;
    const auto add = [&](std::span<const Claim> document) {
        list.insert(list.end(), document.begin(), document.end());
    };
    add(nemeth_claims());
    return list;
}

}  // namespace conclave::claims
