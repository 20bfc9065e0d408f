// A program changes the members and the times of the group that it is in.
#include <atomic>
#include <optional>

#include "tests/elector/group.hpp"

namespace conclave {
namespace members_test {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

struct ElectorMembers : ElectorGroup {
    // Not a member yet.
    Elector::Settings newcomer(const std::string& name) const {
        Elector::Settings settings = settings_of(name);
        std::erase_if(settings, [](const auto& each) { return each.first == "members"; });
        settings.emplace_back("join", "true");
        return settings;
    }
};

TEST_F(ElectorMembers, one_program_becomes_three_and_the_first_is_replaced) {
    std::optional<Elector> a(settings_of("a", "a"));
    ASSERT_TRUE(a->campaign({}, seconds(30)).leads);
    Elector b(newcomer("b"));
    EXPECT_EQ(a->add_member("b"), "");
    Elector c(newcomer("c"));
    EXPECT_EQ(b.add_member("c"), "");
    ASSERT_TRUE(wait_for([&] { return c.participants().size() == 3; }));
    a.reset();
    Elector d(newcomer("d"));
    EXPECT_EQ(b.replace_member("a", "d"), "");
    EXPECT_EQ(d.remove_member("d"), "");
    EXPECT_TRUE(wait_for([&] { return d.failure().find("was removed") != std::string::npos; }));
}

TEST_F(ElectorMembers, new_times_reach_every_program_and_the_leader_leads_on) {
    Elector a(settings_of("a", "a,b")), b(settings_of("b", "a,b"));
    ASSERT_TRUE(let_lead(a, b));
    const auto token = a.leadership().token;
    EXPECT_EQ(b.set_times(seconds(2)), "");
    ASSERT_TRUE(wait_for([&] { return a.leadership().remaining() > seconds(1); }));
    EXPECT_EQ(a.set_times(milliseconds(200), milliseconds(40)), "");
    EXPECT_THAT(a.set_times(milliseconds(200)), HasSubstr("already"));
    ASSERT_TRUE(wait_for([&] { return a.leadership().remaining() < milliseconds(200); }));
    EXPECT_EQ(a.leadership().token, token);
}

TEST_F(ElectorMembers, what_cannot_be_and_what_is_not_yet_is_said_in_a_sentence) {
    Elector a(settings_of("a", "a"));
    ASSERT_TRUE(a.campaign({}, seconds(30)).leads);
    EXPECT_THAT(a.add_member("a"), HasSubstr("is a member already"));
    EXPECT_THAT(a.add_member("b c"), HasSubstr("give one word"));
    EXPECT_THAT(a.add_member(""), HasSubstr("give one word"));
    EXPECT_THAT(a.remove_member("a"), HasSubstr("is the only member"));
    EXPECT_THAT(a.add_member("b", milliseconds(100)), HasSubstr("waits for 'b'"));
    EXPECT_THAT(a.set_times({}), HasSubstr("is no change"));
    EXPECT_THAT(a.set_times(milliseconds(5)), HasSubstr("give 40ms to 24h"));
    EXPECT_THAT(a.force_members({"a"}, "yes"), HasSubstr("already"));
}

TEST_F(ElectorMembers, a_callback_asks_and_does_not_wait) {
    std::atomic<bool> asked = false;
    std::string said;
    std::atomic<Elector*> self = nullptr;
    Elector a(settings_of("a", "a"), [&](const Leadership& now) {
        if (!now.leads || asked || !wait_for([&] { return self.load() != nullptr; })) return;
        said = self.load()->add_member("b");
        asked = true;
    });
    self = &a;
    ASSERT_TRUE(wait_for([&] { return asked.load(); }));
    EXPECT_THAT(said, HasSubstr("nothing has changed yet"));
}

TEST_F(ElectorMembers, when_a_majority_is_lost_for_good_one_goes_on_by_an_operators_word) {
    Elector a(settings_of("a"));
    {
        const Elector b(settings_of("b")), c(settings_of("c"));
        ASSERT_TRUE(wait_for([&] { return !a.leadership().leader.empty(); }));
        EXPECT_THAT(a.force_members({"a"}, "b, c are lost for good"), HasSubstr("no force"));
    }
    const std::string phrase = "b, c are lost for good";
    ASSERT_TRUE(wait_for([&] {
        return a.force_members({"a"}, "yes") ==
               "nothing has changed: the phrase is '" + phrase + "'";
    }));
    // On a busy machine its disk may be behind, and the answer is to ask again.
    std::string answer = a.force_members({"a"}, phrase);
    for (int i = 0; i < 1000 && answer.find("ask again") != std::string::npos; ++i) {
        std::this_thread::sleep_for(milliseconds(2));
        answer = a.force_members({"a"}, phrase);
    }
    EXPECT_EQ(answer, "");
    EXPECT_TRUE(a.campaign({}, seconds(30)).leads);
}

}  // namespace members_test
}  // namespace conclave
