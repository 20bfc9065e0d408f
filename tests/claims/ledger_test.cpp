// Every row of the ledger at reduced size: none fails, and only those wait that need a time daemon.
#include <gtest/gtest.h>

#include "conclave/claims/claim.hpp"

namespace conclave::claims {
namespace {

class Ledger : public testing::TestWithParam<Claim> {};

TEST_P(Ledger, row_holds) {
    const Claim& claim = GetParam();
    const Result result = claim.run({.quick = true, .threads = 1});
    const bool waits =
        claim.id == "T11" || claim.id == "T12" || claim.id == "T13" || claim.id == "T14";
    EXPECT_EQ(result.status == Status::not_yet, waits) << claim.id;
    EXPECT_NE(result.status, Status::fail)
        << claim.statement << "\nexpected " << result.expected << "\nmeasured " << result.measured;
}

INSTANTIATE_TEST_SUITE_P(Claims, Ledger, testing::ValuesIn(all_claims()),
                         [](const auto& row) { return std::string(row.param.id); });

}  // namespace
}  // namespace conclave::claims
