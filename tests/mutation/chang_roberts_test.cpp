// Every way of breaking Chang-Roberts is noticed; and the instrument that says so is tried out.
#include "tests/mutation/mutants.hpp"

namespace conclave::mutation {
namespace chang_roberts_test {

Outcome elect(const Simulate& simulate, simulator::Initiators::Who who) {
    Scenario scenario;
    scenario.order.how = simulator::Order::How::ascending;
    scenario.initiators.who = who;
    return simulate(scenario);
}

const Promise all_follow_the_best{"all follow the best", [](const Simulate& simulate) {
                                      const Outcome outcome =
                                          elect(simulate, simulator::Initiators::Who::all);
                                      return outcome.leader == Id{5} && outcome.violations.empty();
                                  }};
const Promise best_case{"2N messages when the best calls", [](const Simulate& simulate) {
                            return elect(simulate, simulator::Initiators::Who::best).messages == 10;
                        }};

TEST(Mutants, of_chang_roberts_are_killed) {
    expect_killed("chang-roberts", {all_follow_the_best, best_case});
}

// ---------------------------------------------------------------- the instrument itself

using Complaints = std::vector<std::string>;
const Engine& chang_roberts() { return *simulator::find_engine("chang-roberts"); }

TEST(Mutants, are_all_that_the_simulator_can_make) {
    Complaints names;
    for (const Mutant& mutant : mutants_of(chang_roberts())) names.push_back(mutant.name);
    EXPECT_EQ(names, (Complaints{"drop Election", "drop Elected", "double Election",
                                 "double Elected", "drop follow"}));
}

TEST(Mutants, that_survive_are_named) {
    EXPECT_EQ(judge_mutants(chang_roberts(), {all_follow_the_best}, {}),
              (Complaints{"survives: double Election", "survives: double Elected"}));
}

TEST(Mutants, may_be_listed_as_equivalent) {
    EXPECT_EQ(judge_mutants(chang_roberts(), {all_follow_the_best},
                            {{"double Election", "costs only"}, {"double Elected", "costs only"}}),
              Complaints{});
}

TEST(Mutants, that_are_killed_may_not_be_listed_as_equivalent) {
    EXPECT_EQ(judge_mutants(chang_roberts(), {best_case, all_follow_the_best},
                            {{"double Elected", "because"}}),
              Complaints{"not equivalent: double Elected, which breaks the promise: "
                         "2N messages when the best calls"});
}

TEST(Mutants, that_do_not_exist_may_not_be_listed_as_equivalent) {
    EXPECT_EQ(judge_mutants(chang_roberts(), {all_follow_the_best, best_case},
                            {{"drop Vote", "because"}}),
              Complaints{"there is no mutant 'drop Vote' (because)"});
}

TEST(Mutants, are_judged_only_if_the_unbroken_algorithm_keeps_the_promises) {
    const Promise never{"never", [](const Simulate&) { return false; }};
    EXPECT_EQ(judge_mutants(chang_roberts(), {never}, {}),
              Complaints{"unbroken, it does not keep the promise: never"});
}

}  // namespace chang_roberts_test
}  // namespace conclave::mutation
