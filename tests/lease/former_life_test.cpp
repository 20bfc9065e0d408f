// Asks and releases of a life that its member forgot, with its disk, may arrive at any later time.
// They must not undo what its next life was promised.
#include <gtest/gtest.h>

#include "tests/lease/keeper.hpp"

namespace conclave::lease {
namespace former_life_test {

using namespace std::chrono_literals;

// Rounds count from 1, as on a machine whose clock is not plausible.
struct Living : Keeper {
    explicit Living(std::uint32_t me) : Keeper(me, 3) {
        settings.formed = true;
        after(Start{});
    }
    Ask standing() {
        after(Call{});
        return {node.candidacy.ballot, node.candidacy.k, false, settings.seal};
    }
    Release giving_up() {
        const Ballot ballot = node.candidacy.ballot;
        after(Call{});
        return {ballot, nobody};
    }
    bool promises(const Ask& ask) {
        return says(after(ask, static_cast<std::uint32_t>(ask.ballot.member)),
                    "Send(" + text(ask.ballot.member) + ", Promise(");
    }
    void count(const Ask& ask) { after(Promise{ask.ballot, ask.k}, 2); }
};

struct Members {
    Living one{1}, two{2}, three{3};
    Ask late_ask{};
    Release late_release{};

    // 1 stands in rounds 1 and 2, which nobody hears of, loses its disk, stands in round 1 and
    // leads with the promise of 2.
    Members() {
        one.standing();
        one.giving_up();
        one.now += one.settings.promise;
        late_ask = one.standing();
        late_release = one.giving_up();
        one.forget();
        const Ask ask = one.standing();
        EXPECT_LT(ask.ballot.round, late_ask.ballot.round);
        EXPECT_TRUE(two.promises(ask));
        one.count(ask);
        EXPECT_TRUE(one.node.acting);
    }
};

TEST(FormerLife, its_ask_and_release_do_not_let_a_second_member_act) {
    Members all;
    all.two.after(all.late_ask, 1);
    all.two.after(all.late_release, 1);
    all.three.after(all.late_release, 1);  // so 3 knows of that round
    const Ask ask = all.three.standing();
    EXPECT_GT(ask.ballot.round, all.late_ask.ballot.round);
    if (all.two.promises(ask)) all.three.count(ask);
    EXPECT_TRUE(all.one.node.acting && all.one.node.holds(all.one.now));
    EXPECT_FALSE(all.three.node.acting);
}

TEST(FormerLife, its_ask_does_not_end_the_promise_to_the_next_life) {
    Members all;
    EXPECT_FALSE(all.two.promises(all.late_ask));
    all.two.after(all.late_release, 1);
    EXPECT_TRUE(all.two.promises({all.one.node.candidacy.ballot, 2, true, {}}));
}

}  // namespace former_life_test
}  // namespace conclave::lease
