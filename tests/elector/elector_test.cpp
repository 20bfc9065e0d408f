#include "conclave/elector.hpp"

#include <poll.h>

#include <array>
#include <atomic>

#include "tests/elector/group.hpp"

namespace conclave {
namespace elector_test {

using std::chrono::milliseconds;
using testing::HasSubstr;

using ElectorTest = ElectorGroup;

TEST_F(ElectorTest, several_in_one_process_choose_one_who_hands_over) {
    Elector a(settings_of("a")), b(settings_of("b")), c(settings_of("c"));
    const std::vector<std::pair<std::string, Elector*>> all{{"a", &a}, {"b", &b}, {"c", &c}};
    const auto leader = [&]() -> std::pair<std::string, Elector*> {
        std::pair<std::string, Elector*> found{};
        for (const auto& each : all)
            if (each.second->leadership().leads) {
                EXPECT_EQ(found.second, nullptr) << "two lead at once";
                found = each;
            }
        return found;
    };
    ASSERT_TRUE(wait_for([&] { return leader().second != nullptr; }));
    const auto [name, first] = leader();
    const Leadership was = first->leadership();
    EXPECT_GT(was.deadline, net::boot_time());
    EXPECT_EQ(was.leader, name);
    ASSERT_TRUE(wait_for([&, key = name] {
        return std::all_of(all.begin(), all.end(),
                           [&](const auto& e) { return e.second->leadership().leader == key; });
    }));
    const std::string heir = name == "a" ? "b" : "a";
    EXPECT_EQ(first->resign(heir), "");
    ASSERT_TRUE(wait_for([&, key = heir] {  // on a busy machine a successor may miss its chance
        if (const auto [now, elector] = leader(); elector != nullptr && now != key)
            elector->resign(key);
        return leader().first == key;
    }));
    EXPECT_GT(leader().second->leadership().token, was.token);
    EXPECT_EQ(first->resign(), "this node does not lead");
}

TEST_F(ElectorTest, the_lease_is_given_back_only_when_the_program_has_stopped) {
    std::atomic<int> working = 0;
    std::atomic<bool> together = false;
    const auto work = [&](const Leadership& now) {
        if (now.leads) {
            if (++working > 1) together = true;
        } else if (working > 0) {
            std::this_thread::sleep_for(milliseconds(50));  // takes its time to stop
            --working;
        }
    };
    // Only the one that leads gets to the branch that stops: working counts whoever has begun.
    std::array<bool, 3> leads{};  // each for a thread of its own
    const auto callback = [&](std::size_t i) {
        return [&, i](const Leadership& now) {
            if (now.leads == leads[i]) return;
            work(now);
            leads[i] = now.leads;
        };
    };
    Elector a(settings_of("a"), callback(0)), b(settings_of("b"), callback(1)),
        c(settings_of("c"), callback(2));
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(wait_for(
            [&] { return a.leadership().leads || b.leadership().leads || c.leadership().leads; }));
        for (Elector* each : {&a, &b, &c})
            if (each->leadership().leads) {
                each->resign();
                break;
            }
    }
    EXPECT_FALSE(together);
}

TEST_F(ElectorTest, news_can_be_polled_for) {
    Elector a(settings_of("a", "a,b")), b(settings_of("b", "a,b"));
    pollfd polled{a.fd(), POLLIN, 0};
    ASSERT_EQ(poll(&polled, 1, 30'000), 1);
    ASSERT_TRUE(wait_for([&] { return !a.take_news().leader.empty(); }));
    polled.revents = 0;
    EXPECT_EQ(poll(&polled, 1, 0), 0);
}

TEST_F(ElectorTest, who_has_lost_the_majority_does_not_lead_after_its_deadline) {
    auto a = std::make_unique<Elector>(settings_of("a", "a,b"));
    auto b = std::make_unique<Elector>(settings_of("b", "a,b"));
    ASSERT_TRUE(wait_for([&] { return a->leadership().leads || b->leadership().leads; }));
    Elector& leader = a->leadership().leads ? *a : *b;
    const Leadership was = leader.leadership();
    (&leader == a.get() ? b : a).reset();
    ASSERT_TRUE(wait_for([&] { return !leader.leadership().leads; }));
    EXPECT_GE(net::boot_time(), was.deadline);
}

TEST_F(ElectorTest, what_is_wrong_with_the_settings_is_said_at_once) {
    try {
        const Elector elector({{"group", "library"}, {"state", folder / "state"}});
        FAIL() << "it has no roster";
    } catch (const Elector::Refusal& refusal) {
        EXPECT_THAT(refusal.what(), HasSubstr("--expect and --members are both missing"));
    }
    EXPECT_THROW(Elector(Elector::Settings{{"colour", "red"}}), Elector::Refusal);
    const auto refused = [&](const std::string& name, const std::string& value) -> std::string {
        auto settings = settings_of("a");
        settings.emplace_back(name, value);
        try {
            const Elector elector(settings);
            return "it was taken";
        } catch (const Elector::Refusal& refusal) {
            return refusal.what();
        }
    };
    EXPECT_EQ(refused("health", "true"),
              "'health' is a setting of conclave run alone: leave it out");
    EXPECT_EQ(refused("name", "b"), "'name' is given twice: leave out one");
    EXPECT_EQ(refused("publish", "\x1b"),
              "'publish' cannot be '\x1b': give text in UTF-8 without control characters");
}

}  // namespace elector_test
}  // namespace conclave
