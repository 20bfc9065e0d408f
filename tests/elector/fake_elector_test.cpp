#include "conclave/fake_elector.hpp"

#include <gmock/gmock.h>
#include <poll.h>

#include <future>

namespace conclave {
namespace fake_elector_test {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A program as a user may have it.
class Scheduler {
public:
    explicit Scheduler(LeaderElection& election) : election_(election) {}
    // Does a piece of work if it may; says under which token.
    std::uint64_t work() {
        const Leadership now = election_.leadership();
        return now.remaining() > milliseconds(10) ? now.token : 0;
    }

private:
    LeaderElection& election_;
};

TEST(FakeElector, lets_a_program_lead_follow_and_lose) {
    std::vector<Leadership> told;
    FakeElector election("a", [&](const Leadership& now) { told.push_back(now); });
    Scheduler scheduler(election);
    EXPECT_EQ(scheduler.work(), 0u);
    election.lead(7);
    EXPECT_EQ(scheduler.work(), 7u);
    EXPECT_EQ(election.leadership().leader, "a");
    election.follow({.token = 8, .leader = "b", .address = "10.0.0.2:7675", .value = "x"});
    EXPECT_EQ(scheduler.work(), 0u);
    EXPECT_EQ(election.leadership().value, "x");
    election.lose();
    EXPECT_EQ(election.leadership(), Leadership{});
    EXPECT_EQ(told.size(), 3u);
}

TEST(FakeElector, a_lease_ends_by_the_clock_though_nothing_was_told) {
    int told = 0;
    FakeElector election("a", [&](const Leadership&) { ++told; });
    election.lead(7);
    election.expire();
    EXPECT_FALSE(election.leadership().leads);
    EXPECT_EQ(told, 1);
    election.lead(8, milliseconds(0));
    EXPECT_FALSE(election.leadership().leads);
}

TEST(FakeElector, what_the_program_asks_for_is_seen_and_refused_as_by_an_elector) {
    FakeElector election("a");
    EXPECT_EQ(election.resign(), "this node does not lead");
    EXPECT_EQ(election.publish("x\n"),
              "this cannot be published: give text in UTF-8 without control characters");
    EXPECT_EQ(election.publish("x"), "");
    EXPECT_EQ(election.published(), "x");
    election.lead(7);
    EXPECT_EQ(election.leadership().value, "x");
    EXPECT_EQ(election.publish("y"), "");
    EXPECT_EQ(election.leadership().value, "y");
    EXPECT_EQ(election.pause(), "");
    EXPECT_TRUE(election.paused());
    EXPECT_EQ(election.resume(), "");
    EXPECT_FALSE(election.paused());
    EXPECT_EQ(election.resigned_to(), std::nullopt);
    EXPECT_EQ(election.resign("b"), "");
    EXPECT_EQ(election.resigned_to(), "b");
    EXPECT_FALSE(election.leadership().leads);
    ASSERT_EQ(election.participants().size(), 1u);
    election.set_participants({{.name = "a"}, {.name = "b"}});
    EXPECT_EQ(election.participants()[1].name, "b");
}

TEST(FakeElector, campaign_waits_for_the_test) {
    FakeElector election("a");
    EXPECT_FALSE(election.campaign({}, milliseconds(10)).leads);
    auto waiting = std::async(std::launch::async, [&] { return election.campaign(); });
    EXPECT_EQ(waiting.wait_for(milliseconds(20)), std::future_status::timeout);
    election.lead(7);
    ASSERT_EQ(waiting.wait_for(seconds(10)), std::future_status::ready);
    EXPECT_TRUE(waiting.get().leads);
    election.lose();
    std::stop_source stop;
    auto stopped =
        std::async(std::launch::async, [&] { return election.campaign(stop.get_token()); });
    stop.request_stop();
    EXPECT_FALSE(stopped.get().leads);
    auto failed = std::async(std::launch::async, [&] { return election.campaign(); });
    election.fail("the disk is gone");
    EXPECT_FALSE(failed.get().leads);
    EXPECT_EQ(election.failure(), "the disk is gone");
    EXPECT_EQ(election.publish("z"), "this elector has ended");
}

TEST(FakeElector, news_can_be_polled_for) {
    FakeElector election("a");
    pollfd polled{election.fd(), POLLIN, 0};
    EXPECT_EQ(poll(&polled, 1, 0), 0);
    election.lead(7);
    EXPECT_EQ(poll(&polled, 1, 0), 1);
    EXPECT_TRUE(election.take_news().leads);
    EXPECT_EQ(poll(&polled, 1, 0), 0);
}

}  // namespace fake_elector_test
}  // namespace conclave
