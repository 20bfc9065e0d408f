// Every row of the ledger, at the size for every commit; and which of them the code refutes
// is no accident.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "conclave/claims/claim.hpp"

namespace conclave::claims {

// A test's name must not tell where the claim lies in memory.
static void PrintTo(const Claim& claim, std::ostream* out) { *out << claim.id; }

namespace ledger_test {

constexpr std::array<std::string_view, 15> findings{"T2", "T7", "T9",  "N2", "N4", "N5", "V2", "V3",
                                                    "V5", "V7", "V11", "B5", "M1", "I3", "X1"};

Status status_expected(std::string_view id) {
    if (std::find(findings.begin(), findings.end(), id) != findings.end()) return Status::finding;
    return Status::pass;
}

class Ledger : public testing::TestWithParam<Claim> {};

TEST_P(Ledger, row_is_as_the_documentation_says) {
    const Result result = GetParam().run({.quick = true, .threads = 1});
    EXPECT_EQ(result.status, status_expected(GetParam().id))
        << GetParam().id << ": expected " << result.expected << ", measured " << result.measured;
}

INSTANTIATE_TEST_SUITE_P(Each, Ledger, testing::ValuesIn(all_claims()),
                         [](const auto& row) { return std::string(row.param.id); });

}  // namespace ledger_test
}  // namespace conclave::claims
