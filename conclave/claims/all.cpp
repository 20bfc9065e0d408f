#include "conclave/claims/claim.hpp"

namespace conclave::claims {

// In the order of the ledger: one line a document, as its rows are written.
std::vector<Claim> all_claims() {
    std::vector<Claim> list;
    const auto add = [&](std::span<const Claim> document) {
        list.insert(list.end(), document.begin(), document.end());
    };
    add(tempo_claims());
    add(nemeth_claims());
    add(ring_claims());
    add(archimedean_claims());
    add(bully_claims());
    add(invitation_claims());
    add(limit_claims());
    return list;
}

}  // namespace conclave::claims
