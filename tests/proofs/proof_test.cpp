// The lease, for every number of members: never two who may act, and tokens grow. docs/proof.md
// says what that means.
#include <gtest/gtest.h>

#include "tests/proofs/solver.hpp"

namespace conclave::proofs {
namespace proof_test {

Model lease() { return ModelReader::read(read_file(lease_model_path)); }

class Proof : public testing::TestWithParam<Solver> {};

TEST_P(Proof, the_invariant_holds_at_the_start_is_kept_by_every_step_and_implies_safety) {
    const Model model = lease();
    for (const Obligation& obligation : ObligationWriter(model).all())
        EXPECT_EQ(unproved(GetParam(), obligation, 60), std::vector<std::string>{})
            << obligation.name;
}

TEST_P(Proof, clocks_of_bounded_drift_leave_room_for_one_span_between_lease_and_promise) {
    const std::vector<std::string> said = answers(GetParam(), "proofs/clocks.smt2", 60);
    EXPECT_EQ(said, (std::vector<std::string>{"unsat", "unsat", "sat"}));
}

// Else everything would follow.
TEST(ProofBasis, what_is_assumed_has_a_model) {
    const Model model = lease();
    Obligation nonsense = ObligationWriter(model).all().at(1);
    nonsense.goals = {{"nonsense", "false"}};
    EXPECT_EQ(unproved(solvers()[0], nonsense, 60, "-nonsense"),
              std::vector<std::string>{"nonsense: sat"});
}

INSTANTIATE_TEST_SUITE_P(Solvers, Proof, testing::ValuesIn(solvers()),
                         [](const auto& each) { return each.param.name; });

// ---------------------------------------------------------------- every requirement is needed

// Without this requirement the step breaks the invariant.
bool is_needed(const Model& model, const Step& step, std::size_t which) {
    Step without = step;
    without.requirements.erase(without.requirements.begin() + static_cast<std::ptrdiff_t>(which));
    return !unproved(solvers()[0], ObligationWriter(model).kept_by(without), 2, "-mutant").empty();
}

TEST(ProofMutants, no_step_keeps_the_invariant_without_one_of_its_requirements) {
    const Model model = lease();
    std::size_t count = 0;
    for (const Step& step : model.steps)
        for (std::size_t i = 0; i < step.requirements.size(); ++i, ++count)
            EXPECT_TRUE(is_needed(model, step, i)) << step.name << ' ' << step.requirements[i].name;
    EXPECT_GT(count, 40u);
}

}  // namespace proof_test
}  // namespace conclave::proofs
