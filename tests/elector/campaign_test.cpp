// Waiting until this program leads.
#include <atomic>
#include <future>

#include "tests/elector/group.hpp"

namespace conclave {
namespace campaign_test {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

using Campaign = ElectorGroup;

// Ends campaigns that still wait when a test has failed.
struct StopAtEnd {
    std::stop_source& stop;
    ~StopAtEnd() { stop.request_stop(); }
};

TEST_F(Campaign, returns_when_this_program_leads) {
    Elector a(settings_of("a", "a,b")), b(settings_of("b", "a,b"));
    std::stop_source stop;
    auto of_a = std::async(std::launch::async, [&] { return a.campaign(stop.get_token()); });
    auto of_b = std::async(std::launch::async, [&] { return b.campaign(stop.get_token()); });
    const StopAtEnd end{stop};
    ASSERT_TRUE(wait_for([&] { return a.leadership().leads || b.leadership().leads; }));
    const bool first_is_a = a.leadership().leads;
    auto& first = first_is_a ? of_a : of_b;
    auto& second = first_is_a ? of_b : of_a;
    ASSERT_EQ(first.wait_for(seconds(10)), std::future_status::ready);
    const Leadership now = first.get();
    EXPECT_TRUE(now.leads);
    EXPECT_GT(now.remaining(), Duration{0});
    EXPECT_LE(now.remaining(), detect);
    EXPECT_EQ(second.wait_for(milliseconds(50)), std::future_status::timeout);
    Elector& resigns = first_is_a ? a : b;
    ASSERT_TRUE(wait_for([&] {  // on a busy machine the successor may miss its chance
        if (resigns.leadership().leads) resigns.resign();
        return second.wait_for(milliseconds(100)) == std::future_status::ready;
    }));
    const Leadership next = second.get();
    EXPECT_TRUE(next.leads);
    EXPECT_GT(next.token, now.token);
}

TEST_F(Campaign, ends_when_a_stop_is_requested_or_its_time_is_over) {
    Elector a(settings_of("a"));  // two of three are missing
    const Time began = net::boot_time();
    EXPECT_FALSE(a.campaign({}, milliseconds(100)).leads);
    EXPECT_GE(net::boot_time() - began, milliseconds(100));
    std::stop_source stop;
    auto waiting = std::async(std::launch::async, [&] { return a.campaign(stop.get_token()); });
    EXPECT_EQ(waiting.wait_for(milliseconds(50)), std::future_status::timeout);
    stop.request_stop();
    ASSERT_EQ(waiting.wait_for(seconds(10)), std::future_status::ready);
    EXPECT_FALSE(waiting.get().leads);
    EXPECT_FALSE(a.campaign(stop.get_token()).leads);  // it was requested before
    EXPECT_EQ(a.failure(), "");
}

TEST_F(Campaign, ends_when_the_elector_fails) {
    Elector a(settings_of("a", "a,b")), b(settings_of("b", "a,b"));
    ASSERT_TRUE(wait_for([&] { return !a.leadership().leader.empty(); }));
    auto settings = settings_of("x", "a,x");
    Elector stranger(settings);  // of another opinion on who is in the group
    const Leadership now = stranger.campaign({}, seconds(30));
    EXPECT_FALSE(now.leads);
    EXPECT_THAT(stranger.failure(), HasSubstr("'x' is none of its members"));
    EXPECT_EQ(stranger.resign(), "this elector has ended");
    EXPECT_EQ(stranger.publish("x"), "this elector has ended");
    EXPECT_TRUE(stranger.participants().empty());
}

TEST_F(Campaign, does_not_wait_in_a_callback) {
    std::atomic<Elector*> self = nullptr;
    std::atomic<int> called = 0;
    Elector a(settings_of("a", "a,b"), [&](const Leadership&) {
        if (self == nullptr) return;
        self.load()->campaign();
        EXPECT_EQ(self.load()->participants().size(), 2u);
        ++called;
    });
    self = &a;
    Elector b(settings_of("b", "a,b"));
    EXPECT_TRUE(wait_for([&] { return called > 0; }));
    self = nullptr;
}

}  // namespace campaign_test
}  // namespace conclave
