// What a node tells about itself and its neighbours: why, bound.
#include "conclave/agent/pace/jitter.hpp"
#include "conclave/agent/pace/time_stretching.hpp"
#include "conclave/agent/report/bound.hpp"
#include "conclave/agent/report/why.hpp"
#include "conclave/core/text.hpp"
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace seeing_test {

using std::chrono::milliseconds;
using testing::HasSubstr;

TEST(Why, it_names_the_leader_the_others_the_promises_and_the_terms_before) {
    Party party;
    party.invite("a", {{"priority", "5"}});
    party.invite("b");
    party.invite("c", {{"witness", "true"}});
    ASSERT_TRUE(party.wait_for_leader());
    ASSERT_EQ(party.leader(), "a");
    EXPECT_THAT(to_reasons(party.node("a").status()),
                testing::AllOf(HasSubstr("'a' leads under token "), HasSubstr(": elected"),
                               HasSubstr("a: leads; priority 5, place 1; this node"),
                               HasSubstr("c: never stands: it is a witness"),
                               HasSubstr(" of 3 members (")));
    EXPECT_EQ(party.node("a").resign("b"), "");
    ASSERT_TRUE(party.wait_for([&] { return party.leader() == "b"; }));
    ASSERT_TRUE(party.wait_for_leader());
    const std::string reasons = to_reasons(party.node("c").status());
    EXPECT_THAT(reasons, HasSubstr("'b' leads under token "));
    EXPECT_THAT(reasons, HasSubstr("this node promised token "));
    EXPECT_THAT(reasons, HasSubstr(" ms: 'a' gave the lease back"));
    const Reasons plain = reasons_of(party.node("b").status());
    EXPECT_EQ(plain.leader, "b");
    ASSERT_EQ(plain.candidates.size(), 3u);
    EXPECT_TRUE(plain.candidates[0].leads);
    EXPECT_EQ(plain.candidates[2].standing, "never stands: it is a witness");
    EXPECT_GE(plain.promises.size(), 2u);
    EXPECT_THAT(json(plain), HasSubstr("\"leader\":\"b\""));
    const auto terms = party.node("c").status().lease.terms;
    ASSERT_EQ(terms.size(), 2u);
    EXPECT_LT(terms[0].token, terms[1].token);
    EXPECT_EQ(terms[0].leader, "a");
    EXPECT_GE(terms[1].began, terms[0].ended);
}

TEST(Why, a_new_node_has_lost_nothing) {
    Party party;
    Node& node = party.invite("a");
    ASSERT_TRUE(party.wait_for([&] { return node.status().state != "forming"; }));  // on disk
    const std::string reasons = to_reasons(node.status());
    EXPECT_THAT(reasons, HasSubstr("promises: none yet, for this node has no memory of any"));
}

TEST(Why, without_a_leader_it_says_since_when) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string first = party.leader(), witness = party.follower();
    for (const char* name : {"a", "b", "c"})
        if (name != witness) party.lose(name);
    ASSERT_TRUE(party.wait_for([&] { return party.node(witness).status().leader.empty(); }));
    EXPECT_THAT(to_reasons(party.node(witness).status()),
                HasSubstr("there is no leader, since '" + first + "' is silent"));
}

TEST(Bound, a_silent_leader_is_replaced_within_the_bound) {
    Party party(Words{{"detect", "400ms"}});
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const Bound bound = party.leading().bound();
    EXPECT_EQ(bound.members, 3u);
    EXPECT_EQ(bound.needed, 2u);
    party.lose(party.leader());
    const Time lost = net::boot_time();
    ASSERT_TRUE(party.wait_for_leader());
    const Duration passed = net::boot_time() - lost;
    // A busy machine may exceed what its clock allows; it says so itself, and how much.
    const Duration late = party.leading().status().fitness.late_ns;
    EXPECT_LE(passed, bound.silent_ns + 20 * late + milliseconds(50));
}

TEST(Bound, it_grows_with_the_times_and_says_what_is_contained) {
    Config slow, quick;
    slow.detect = std::chrono::seconds(10);
    slow.heartbeat = milliseconds(2500);
    quick.detect = milliseconds(400);
    quick.heartbeat = milliseconds(100);
    const Bound a = compute_bound(quick, 5, "pid"), b = compute_bound(slow, 5, "group");
    EXPECT_GE(a.silent_ns, milliseconds(400));
    EXPECT_LE(a.silent_ns, milliseconds(700));
    EXPECT_GE(b.silent_ns, std::chrono::seconds(10));
    EXPECT_LT(a.died_ns, a.silent_ns);
    EXPECT_THAT(to_text(a), HasSubstr("whatever it does"));
    EXPECT_THAT(to_text(b), HasSubstr("are all killed before it has ended"));
    EXPECT_THAT(to_text(a), HasSubstr("3 of 5 members are up"));
    // A guardian's death notice is what spares the others the lease.
    EXPECT_THAT(to_text(b), HasSubstr(ms_text(b.died_ns) +
                                      "  its leader's agent dies, and its guardian lives"));
    EXPECT_THAT(to_text(b), HasSubstr(ms_text(b.silent_ns) +
                                      "  its leader is cut off or paused, its machine dies, or "
                                      "agent and guardian both do"));
}

TEST(Jitter, a_machine_that_is_late_needs_longer_times) {
    EXPECT_GE(measure_lateness(milliseconds(20)), Duration{0});
    EXPECT_EQ(least_detect(milliseconds(3)), milliseconds(40));
    EXPECT_EQ(least_detect(milliseconds(25)), milliseconds(500));
    Config config;
    config.detect = milliseconds(200);
    config.heartbeat = milliseconds(50);
    EXPECT_EQ(stretch(config, milliseconds(150)).detect, milliseconds(200));
    EXPECT_EQ(stretch(config, milliseconds(500)).detect, milliseconds(800));
    EXPECT_EQ(stretch(config, milliseconds(500)).heartbeat, milliseconds(200));
    EXPECT_TRUE(member::is_stretched(milliseconds(800), milliseconds(200)));
    EXPECT_FALSE(member::is_stretched(milliseconds(200), milliseconds(200)));
    EXPECT_FALSE(member::is_stretched(milliseconds(600), milliseconds(200)));
}

TEST(Party, who_hears_of_a_stretched_time_leaves_to_begin_anew_with_it) {
    Party party(Words{{"stretch", "true"}});
    party.invite("a");
    party.invite("b", {{"detect", "600ms"}});
    EXPECT_TRUE(
        party.wait_for([&] { return party.node("a").longer_detect() == milliseconds(600); }));
    EXPECT_EQ(party.node("b").longer_detect(), Duration{0});
}

}  // namespace seeing_test
}  // namespace conclave::agent
