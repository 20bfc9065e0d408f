// The model at work: it does not keep its theorems by doing nothing.
#include <gtest/gtest.h>

#include <set>

#include "tests/proofs/machine.hpp"

namespace conclave::proofs {
namespace run_test {

constexpr Value members = 3, rounds = 3, lives = 2, P = 8;

// Members 0, 1 and 2; quorum q is everybody but q.
class Story {
public:
    Story()
        : machine_(ModelReader::read(read_file(lease_model_path))),
          world_(machine_.world({{"Member", members},
                                 {"Ballot", 1 + members * rounds * lives},
                                 {"Quorum", members}})) {
        set("P", {}, P);
        for (Value round = 1; round <= rounds; ++round)
            for (Value owner = 0; owner < members; ++owner)
                for (Value life = 0; life < lives; ++life) {
                    const Value b = ballot(round, owner, life);
                    set("owner", {b}, owner);
                    set("token", {b}, round << 2 | owner);
                    set("life-of", {b}, life);
                }
        for (Value q = 0; q < members; ++q)
            for (Value v = 0; v < members; ++v) {
                set("in", {q, v}, v != q);
                set("common", {q, v}, q == v ? (q + 1) % members : members - q - v);
                set("another", {q, v},
                    (v + 1) % members != q ? (v + 1) % members : (v + 2) % members);
            }
        for (Value v = 0; v < members; ++v) set("on-disk", {v, 0}, 1);
    }

    static Value ballot(Value round, Value owner, Value life = 0) {
        return 1 + ((round - 1) * members + owner) * lives + life;
    }
    bool holds(const Term& formula) const {
        return machine_.holds(world_, machine_.formula(formula));
    }
    const Model& model() const { return machine_.model(); }
    std::string refusal(std::string_view step, const Values& arguments) const {
        return machine_.refusal(world_, step, arguments);
    }

    void go(const std::string& step, const Values& arguments) {
        ASSERT_EQ(refusal(step, arguments), "") << step;
        machine_.perform(world_, step, arguments);
        taken.insert(step);
        for (const auto* list : {&model().invariants, &model().safe})
            for (const Named& each : *list) EXPECT_TRUE(holds(each.formula)) << step << each.name;
    }
    // With the votes of its owner and another member, who answer until then.
    void elect(Value ballot, Value owner, Value other, Value until) {
        go("stand", {owner, ballot});
        go("vote-for-itself", {ballot});
        go("synchronise", {owner});
        go("ask", {ballot});
        go("vote", {other, ballot});
        EXPECT_EQ(refusal("answer", {other, ballot, until}), "R13-on-disk");
        go("synchronise", {other});
        go("answer", {owner, ballot, until});
        go("answer", {other, ballot, until});
        go("start", {ballot, members - owner - other});
    }

    std::set<std::string> taken;

private:
    void set(std::string_view function, const Values& at, Value value) {
        machine_.at(world_, function, at) = value;
    }

    Machine machine_;
    World world_;
};

TEST(ModelRun, a_story_has_every_step_and_the_invariant_is_true_after_each) {
    Story run;
    const Value first = Story::ballot(1, 0), second = Story::ballot(2, 1),
                third = Story::ballot(3, 0);
    for (const Named& axiom : run.model().axioms) EXPECT_TRUE(run.holds(axiom.formula));
    EXPECT_TRUE(run.holds(run.model().init));

    run.elect(first, 0, 1, P);
    run.go("tick", {3});
    EXPECT_EQ(run.refusal("tick", {P}), "R9-work-ends-with-the-lease");
    for (const Value v : {0, 1}) {
        run.go("renew", {v});
        run.go("answer", {v, first, 3 + P});
    }
    run.go("tick", {P});
    EXPECT_EQ(run.refusal("stand", {0, third}), "R8-former-work-gone");
    run.go("work-ends", {first});
    EXPECT_EQ(run.refusal("release", {first}), "R7-agent-gave-up");
    run.go("give-up", {first});
    run.go("release", {first});
    EXPECT_EQ(run.refusal("hear-release", {2, first}), "R6-only-what-was-promised");
    for (const Value v : {0, 1}) run.go("hear-release", {v, first});

    run.elect(second, 1, 2, 2 * P);
    run.go("stand", {0, third});
    run.go("vote-for-itself", {third});
    run.go("take-back", {third});  // it stood in vain
    run.go("restart", {2, second, 0, 1});
    run.go("lose-disk", {0, 1});
    EXPECT_EQ(run.refusal("census", {0, 1}), "R10-after-the-promise-time");
    run.go("work-ends", {second});
    run.go("tick", {2 * P});
    run.go("census", {0, 1});
    EXPECT_EQ(run.refusal("remember", {0, second}), "R10-everybody");
    run.go("census", {0, 2});
    EXPECT_EQ(run.refusal("remember", {0, first}), "R10-everybody");
    run.go("remember", {0, second});
    EXPECT_EQ(run.taken.size(), run.model().steps.size());
}

}  // namespace run_test
}  // namespace conclave::proofs
