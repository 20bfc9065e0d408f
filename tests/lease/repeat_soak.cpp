// Repeated asks at length: a lease of two units, where two would act if it counted from the last
// ask, and the losses of which repeat_test.cpp tries a few.
#include "tests/lease/losses.hpp"
#include "tests/lease/searches.hpp"

namespace conclave::checker {
namespace repeat_soak {

TEST(RepeatSoak, answers_to_repeated_asks_never_let_two_act_with_a_longer_lease) {
    const Verdict verdict = explore_lease(repeating("5ms", "2ms"));
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds);
    EXPECT_TRUE(verdict.searched.complete);
}

TEST(RepeatSoak, loss_moves_a_leader_as_seldom_as_in_the_documentation) {
    using tests::Who;
    EXPECT_EQ(tests::lose(20, 200, Who::best).sum, 0u);
    EXPECT_LE(tests::lose(20, 200, Who::first).sum, 2u);
    const tests::Losses most = tests::lose(30, 200, Who::first);
    EXPECT_LE(most.most, 3u);
    EXPECT_EQ(most.violations, 0u);
}

}  // namespace repeat_soak
}  // namespace conclave::checker
