// The smallest systems: one node, which is its own successor on a ring, and two that invite each
// other.
#include <gtest/gtest.h>

#include "tests/checker/asking.hpp"

namespace conclave::checker {

namespace small_test {

class Alone : public testing::TestWithParam<Engine> {};

TEST_P(Alone, a_node_never_meets_another_leader) {
    for (const Timing timing : {Timing::async, Timing::bounded}) {
        Query query = all_call(GetParam().card->name, 1);
        query.timing = timing;
        query.ticks_max = timing == Timing::bounded ? 50 : 0;
        query.states_max = 1000;
        query.choices_max = 2;
        const Verdict verdict = ask(query);
        EXPECT_NE(verdict.answer, Verdict::Answer::violated) << verdict.what;
        EXPECT_TRUE(verdict.clock_read || verdict.searched.states > 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Each, Alone, testing::ValuesIn(engines().begin(), engines().end()),
                         [](const auto& row) {
                             std::string name(row.param.card->name);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Ring, of_one_leads_itself) {
    for (const std::string_view name : {"chang-roberts", "dolev-klawe-rodeh", "franklin",
                                        "hirschberg-sinclair", "le-lann", "ring-basic"}) {
        const Verdict verdict = ask(all_call(name, 1));
        EXPECT_EQ(verdict.answer, Verdict::Answer::holds) << name << ": " << verdict.what;
        EXPECT_TRUE(verdict.untested.empty()) << name;
    }
}

TEST(Invitation, of_two_never_accept_their_own) {
    Query query = timed(all_call("invitation", 2), 40);
    query.initiators.clear();
    query.delay_max = 3;
    query.settings = {{"jitter", "0"}};
    query.states_max = 100'000;
    EXPECT_NE(ask(query).answer, Verdict::Answer::violated);
}

}  // namespace small_test
}  // namespace conclave::checker
