// Every way of breaking the invitation algorithm is noticed.
#include "tests/mutation/mutants.hpp"

namespace conclave::mutation {
namespace invitation_test {

using namespace std::chrono_literals;

// They search in step; a task of 30 parts is at hand.
Scenario in_step(std::uint32_t nodes, Time until) {
    Scenario scenario;
    scenario.nodes = nodes;
    scenario.order.how = simulator::Order::How::ascending;
    scenario.initiators.who = simulator::Initiators::Who::none;
    scenario.settings = {{"jitter", "0"}, {"parts", "30"}};
    scenario.until = until;
    return scenario;
}

bool good(const Outcome& outcome) {
    return outcome.end == Outcome::End::agreed && outcome.violations.empty() &&
           outcome.reports == 0;
}

TEST(Mutants, of_invitation_are_killed) {
    const Promises promises{
        {"five in step are one group at 30ms, for so many messages",
         [](const Simulate& simulate) {
             // 5 queries, 20 answers; 4 invitations, 4 answers, 4 times the state; each has done
             // the same 2 parts alone, and the 4 members do 23 of the others; 4 times the result;
             // a query and 4 answers.
             const Outcome outcome = simulate(in_step(5, 30ms));
             return good(outcome) && outcome.leader == Id{5} && outcome.messages == 69;
         }},
        {"two parts merge when the network heals, and finish the task",
         [](const Simulate& simulate) {
             Scenario scenario = in_step(4, 150ms);
             scenario.settings.push_back({"work", "7ms"});
             scenario.partitions = {{{{Id{1}, Id{2}}, {Id{3}, Id{4}}}, {0ms, 50ms}}};
             return good(simulate(scenario));
         }},
        {"a dead coordinator is missed, and its share is done by others",
         [](const Simulate& simulate) {
             Scenario scenario = in_step(4, 400ms);
             scenario.settings.push_back({"work", "9ms"});
             scenario.crashes = {{Id{4}, 30ms}, {Id{1}, 31ms}};
             return good(simulate(scenario));
         }},
        {"a coordinator that comes right back has its group again soon",
         [](const Simulate& simulate) {
             Scenario scenario = in_step(3, 100ms);
             scenario.settings.push_back({"work", "6ms"});
             scenario.crashes = {{Id{3}, 45ms}};
             scenario.recoveries = {{Id{3}, 46ms}};
             return good(simulate(scenario));
         }},
        {"who is invited while it searches gives the search up",
         [](const Simulate& simulate) {
             Scenario scenario = in_step(2, 60ms);
             scenario.starts = {{Id{1}, 2ms}};
             scenario.partitions = {{{{Id{1}}, {Id{2}}}, {0ms, 19500us}}};
             const Outcome outcome = simulate(scenario);
             return good(outcome) && outcome.leader == Id{2};
         }},
        {"who leads no longer waits for the coordinator that it had",
         [](const Simulate& simulate) {
             Scenario scenario = in_step(2, 180ms);
             scenario.calls = {{Id{1}, 45ms}};  // it takes up a new task, and the other comes along
             const Outcome outcome = simulate(scenario);
             return good(outcome) && outcome.leader == Id{1};
         }},
    };
    expect_killed("invitation", promises);
}

}  // namespace invitation_test
}  // namespace conclave::mutation
