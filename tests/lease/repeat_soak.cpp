// Repeated asks with a lease of two units: where it counted from the last ask, two would act.
#include "tests/lease/searches.hpp"

namespace conclave::checker {
namespace repeat_soak {

TEST(RepeatSoak, answers_to_repeated_asks_never_let_two_act_with_a_longer_lease) {
    const Verdict verdict = explore_lease(repeating("5ms", "2ms"));
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds);
    EXPECT_TRUE(verdict.searched.complete);
}

}  // namespace repeat_soak
}  // namespace conclave::checker
