// A follower knows its leader, and a program knows its group.
#include <atomic>
#include <mutex>

#include "tests/elector/group.hpp"

namespace conclave {
namespace follower_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Follower : public ElectorGroup {
protected:
    // The one that leads; nullptr: none does.
    static Elector* leader(std::initializer_list<Elector*> all) {
        for (Elector* each : all)
            if (each->leadership().leads) return each;
        return nullptr;
    }
};

TEST_F(Follower, sees_the_leaders_token_address_and_value) {
    auto settings = settings_of("a", "a,b");
    settings.emplace_back("publish", "http://10.0.0.1");
    Elector a(settings), b(settings_of("b", "a,b"));
    ASSERT_TRUE(let_lead(a, b));
    const Leadership own = a.leadership();
    EXPECT_EQ(own.value, "http://10.0.0.1");
    ASSERT_TRUE(wait_for([&] { return b.leadership().value == own.value; }));
    const Leadership seen = b.leadership();
    EXPECT_FALSE(seen.leads);
    EXPECT_EQ(seen.remaining(), Duration{0});
    EXPECT_EQ(seen.leader, "a");
    EXPECT_EQ(seen.token, own.token);
    EXPECT_THAT(seen.address, StartsWith("127.0.0.1:"));
    EXPECT_EQ(a.publish("next"), "");
    EXPECT_EQ(a.leadership().value, "next");
    EXPECT_TRUE(wait_for([&] { return b.leadership().value == "next"; }));
    EXPECT_THAT(a.publish(std::string(257, 'x')), HasSubstr("at most 256 bytes, not 257"));
}

TEST_F(Follower, hears_of_a_value_that_was_published_in_a_callback) {
    std::atomic<Elector*> self = nullptr;
    std::vector<std::string> values;  // on the thread of b
    std::mutex mutex;
    Elector a(settings_of("a", "a,b"), [&](const Leadership& now) {
        if (!now.leads || self == nullptr) return;
        EXPECT_EQ(self.load()->publish("term " + std::to_string(now.token)), "");
    });
    self = &a;
    Elector b(settings_of("b", "a,b"), [&](const Leadership& now) {
        const std::lock_guard guard(mutex);
        values.push_back(now.value);
    });
    ASSERT_TRUE(let_lead(a, b));
    const std::string value = "term " + std::to_string(a.leadership().token);
    EXPECT_TRUE(wait_for([&] {
        const std::lock_guard guard(mutex);
        return std::find(values.begin(), values.end(), value) != values.end();
    }));
}

TEST_F(Follower, does_not_see_the_value_of_the_former_leader) {
    Elector a(settings_of("a")), b(settings_of("b")), c(settings_of("c"));
    ASSERT_TRUE(wait_for([&] { return leader({&a, &b, &c}) != nullptr; }));
    Elector* first = leader({&a, &b, &c});
    ASSERT_EQ(first->publish("of the first"), "");
    for (const Elector* each : {&a, &b, &c})
        ASSERT_TRUE(wait_for([&] { return each->leadership().value == "of the first"; }));
    const std::uint64_t token = first->leadership().token;
    ASSERT_EQ(first->resign(), "");
    ASSERT_TRUE(wait_for([&] {
        const Elector* next = leader({&a, &b, &c});
        return next != nullptr && next->leadership().token > token;
    }));
    for (const Elector* each : {&a, &b, &c})
        EXPECT_TRUE(wait_for([&] {
            const Leadership now = each->leadership();
            return now.token > token && now.value.empty();
        }));
}

TEST_F(Follower, knows_the_participants) {
    auto witness = settings_of("c");
    witness.emplace_back("witness", "true");
    Elector a(settings_of("a")), b(settings_of("b")), c(witness);
    ASSERT_TRUE(wait_for([&] { return leader({&a, &b}) != nullptr; }));
    const auto names = [](const std::vector<Participant>& all) {
        std::vector<std::string> list;
        for (const Participant& each : all) list.push_back(each.name);
        return list;
    };
    EXPECT_THAT(names(b.participants()), ElementsAre("a", "b", "c"));
    ASSERT_TRUE(wait_for([&] { return b.participants()[2].witness; }));
    EXPECT_TRUE(b.participants()[1].self);
    ASSERT_TRUE(wait_for([&] {
        const auto all = b.participants();
        return all[0].leads != all[1].leads;
    }));
    EXPECT_EQ(a.pause(), "");
    EXPECT_TRUE(wait_for([&] { return b.participants()[0].paused; }));
    EXPECT_EQ(a.resume(), "");
    EXPECT_TRUE(wait_for([&] { return !b.participants()[0].paused; }));
}

TEST_F(Follower, that_is_paused_is_no_successor) {
    Elector a(settings_of("a", "a,b")), b(settings_of("b", "a,b"));
    ASSERT_TRUE(wait_for([&] { return leader({&a, &b}) != nullptr; }));
    Elector& first = *leader({&a, &b});
    Elector& other = &first == &a ? b : a;
    ASSERT_EQ(other.pause(), "");
    const auto refusal = [&] { return first.resign(&other == &a ? "a" : "b"); };
    ASSERT_TRUE(wait_for([&] {
        const auto all = first.participants();
        return all[&other == &a ? 0 : 1].paused;
    }));
    EXPECT_THAT(refusal(), HasSubstr("is paused"));
    EXPECT_EQ(other.resume(), "");
    ASSERT_TRUE(wait_for([&] { return !first.participants()[&other == &a ? 0 : 1].paused; }));
    EXPECT_EQ(refusal(), "");
    EXPECT_TRUE(wait_for([&] { return other.leadership().leads; }));
}

}  // namespace follower_test
}  // namespace conclave
