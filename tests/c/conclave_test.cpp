// The C interface, as a program in C++ calls it; examples/elector.c is compiled as C.
#include "conclave/c/conclave.h"

#include <gmock/gmock.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <future>
#include <vector>

#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"
#include "tests/support/tool.hpp"

namespace conclave {
namespace conclave_test {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

struct Close {
    void operator()(conclave_elector* elector) const { conclave_close(elector); }
};
using Owned = std::unique_ptr<conclave_elector, Close>;

class CInterface : public testing::Test {
protected:
    Owned open(const std::string& name, const std::string& members,
               conclave_options options = {}) const {
        const std::string state = folder_ / "state", meeting = "239.255.76.79:" + port_;
        const std::array<conclave_setting, 6> settings{{{"group", "c"},
                                                        {"name", name.c_str()},
                                                        {"members", members.c_str()},
                                                        {"detect", "300ms"},
                                                        {"state", state.c_str()},
                                                        {"meeting", meeting.c_str()}}};
        options.size = sizeof options;
        options.settings = settings.data();
        options.count = settings.size();
        return Owned(conclave_open(&options));
    }
    static conclave_leadership get(const Owned& elector) {
        conclave_leadership now{};
        now.size = sizeof now;
        EXPECT_EQ(conclave_get(elector.get(), &now), 0);
        return now;
    }
    static conclave_leadership campaign(const Owned& elector, int expected) {
        conclave_leadership now{};
        now.size = sizeof now;
        EXPECT_EQ(conclave_campaign(elector.get(), 30'000, &now), expected) << conclave_error();
        return now;
    }
    template <class Condition>
    static bool wait_for(Condition condition) {
        const Time end = net::boot_time() + seconds(30);
        while (!condition() && net::boot_time() < end) usleep(2'000);
        return condition();
    }

private:
    tests::Folder folder_;
    std::string port_ = std::to_string(20'000 + net::random_number() % 20'000);
};

TEST_F(CInterface, changes_the_members_and_the_times_of_its_group) {
    const Owned a = open("a", "a");
    ASSERT_EQ(campaign(a, 1).leads, 1);
    EXPECT_EQ(conclave_set_times(a.get(), 500, 0, 30'000), 0) << conclave_error();
    EXPECT_LT(conclave_set_times(a.get(), -1, 0, 30'000), 0);
    EXPECT_LT(conclave_add_member(a.get(), "b", 50), 0);
    EXPECT_THAT(conclave_error(), HasSubstr("waits for 'b'"));
    EXPECT_LT(conclave_remove_member(a.get(), "a", 50), 0);
    EXPECT_THAT(conclave_error(), HasSubstr("is the only member"));
    EXPECT_LT(conclave_replace_member(a.get(), "x", "b", 50), 0);
    EXPECT_THAT(conclave_error(), HasSubstr("'x' is no member"));
    EXPECT_LT(conclave_force_members(a.get(), "a", "yes", 50), 0);
    EXPECT_THAT(conclave_error(), HasSubstr("already"));
}

TEST_F(CInterface, leads_publishes_and_is_seen_by_a_follower) {
    const Owned a = open("a", "a,b"), b = open("b", "a,b");
    ASSERT_TRUE(a && b) << conclave_error();
    ASSERT_EQ(conclave_publish(a.get(), "of a"), 0);
    ASSERT_TRUE(wait_for([&] {
        if (get(b).leads != 0) conclave_resign(b.get(), "a");
        return get(a).leads == 1;
    }));
    const conclave_leadership own = get(a);
    EXPECT_GT(own.token, 0u);
    EXPECT_GT(own.deadline_ns, net::boot_time().count() - 1'000'000'000);
    ASSERT_TRUE(wait_for([&] { return std::string(get(b).value) == "of a"; }));
    const conclave_leadership seen = get(b);
    EXPECT_EQ(seen.leads, 0);
    EXPECT_EQ(seen.remaining_ns, 0);
    EXPECT_EQ(seen.token, own.token);
    EXPECT_STREQ(seen.leader, "a");
    EXPECT_THAT(seen.address, testing::StartsWith("127.0.0.1:"));
    std::array<conclave_participant, 3> list{};
    list[0].size = sizeof list[0];
    ASSERT_EQ(conclave_participants(b.get(), list.data(), list.size()), 2);
    EXPECT_STREQ(list[1].name, "b");
    EXPECT_EQ(list[1].self, 1);
    EXPECT_EQ(conclave_participants(b.get(), nullptr, 0), 2);
    EXPECT_EQ(conclave_pause(b.get()), 0);
    EXPECT_EQ(conclave_resume(b.get()), 0);
    EXPECT_EQ(conclave_check(a.get()), 0);
    EXPECT_STREQ(conclave_error(), "");
}

TEST_F(CInterface, a_refusal_is_a_sentence_of_this_thread) {
    EXPECT_EQ(open("a", "b,c"), nullptr);
    EXPECT_THAT(conclave_error(), HasSubstr("does not name this node"));
    std::async(std::launch::async, [] { EXPECT_STREQ(conclave_error(), ""); }).get();
    const Owned a = open("a", "a");
    EXPECT_STREQ(conclave_error(), "");
    campaign(a, 1);
    EXPECT_LT(conclave_publish(a.get(), "\x1b"), 0);
    EXPECT_THAT(conclave_error(), HasSubstr("control characters"));
    EXPECT_LT(conclave_resign(a.get(), nullptr), 0);
    EXPECT_THAT(conclave_error(), HasSubstr("nobody alive who could lead"));
    conclave_options nothing{};
    EXPECT_EQ(conclave_open(&nothing), nullptr);
    EXPECT_THAT(conclave_error(), HasSubstr("set it to sizeof the struct"));
    const conclave_setting half{"group", nullptr};
    conclave_options bad{};
    bad.size = sizeof bad;
    bad.settings = &half;
    bad.count = 1;
    EXPECT_EQ(conclave_open(&bad), nullptr);
    EXPECT_THAT(conclave_error(), HasSubstr("setting 0 has no name or no value"));
}

// A program that was compiled when the structs were shorter.
TEST_F(CInterface, writes_no_more_than_the_caller_knows_of) {
    const Owned a = open("a", "a");
    campaign(a, 1);
    conclave_leadership now{};
    now.size = offsetof(conclave_leadership, remaining_ns);
    now.remaining_ns = -7;
    now.leader[0] = '?';
    ASSERT_EQ(conclave_get(a.get(), &now), 0);
    EXPECT_EQ(now.leads, 1);
    EXPECT_GT(now.token, 0u);
    EXPECT_EQ(now.remaining_ns, -7);
    EXPECT_EQ(now.leader[0], '?');
    EXPECT_EQ(now.size, offsetof(conclave_leadership, remaining_ns));
    now.size = 0;
    EXPECT_LT(conclave_get(a.get(), &now), 0);
    // Its list has shorter elements.
    struct Short {
        std::size_t size;
        char name[72];
    };
    std::array<Short, 2> list{};
    list[0].size = sizeof(Short);
    list[1].name[0] = '?';
    ASSERT_EQ(conclave_participants(a.get(), reinterpret_cast<conclave_participant*>(list.data()),
                                    list.size()),
              1);
    EXPECT_STREQ(list[0].name, "a");
    EXPECT_EQ(list[1].name[0], '?');
}

struct Heard {
    std::atomic<int> began = 0, ceased = 0, lines = 0;
};

TEST_F(CInterface, callbacks_have_their_context) {
    Heard heard;
    conclave_options options{};
    options.context = &heard;
    options.changed = [](void* context, const conclave_leadership* now) {
        auto& told = *static_cast<Heard*>(context);
        ++(now->leads != 0 ? told.began : told.ceased);
    };
    options.log = [](void* context, int level, const char* line) {
        EXPECT_TRUE(level >= 3 && level <= 6);
        if (std::string(line).starts_with("listens on")) ++static_cast<Heard*>(context)->lines;
    };
    {
        const Owned a = open("a", "a", options);
        campaign(a, 1);
        pollfd polled{conclave_fd(a.get()), POLLIN, 0};
        EXPECT_EQ(poll(&polled, 1, 1000), 1);
        conclave_leadership now{};
        now.size = sizeof now;
        EXPECT_EQ(conclave_take_news(a.get(), &now), 0);
    }
    EXPECT_EQ(heard.began, 1);
    EXPECT_EQ(heard.ceased, 1);  // by the time it was closed
    EXPECT_EQ(heard.lines, 1);
}

TEST_F(CInterface, a_campaign_ends_by_its_time_and_by_an_interrupt) {
    const Owned a = open("a", "a,b,c");
    conclave_leadership now{};
    now.size = sizeof now;
    EXPECT_EQ(conclave_campaign(a.get(), 20, &now), 0);
    auto waiting = std::async(std::launch::async, [&] {
        conclave_leadership reached{};
        reached.size = sizeof reached;
        return conclave_campaign(a.get(), -1, &reached);
    });
    EXPECT_EQ(waiting.wait_for(milliseconds(50)), std::future_status::timeout);
    conclave_interrupt(a.get());
    EXPECT_EQ(waiting.get(), 0);
    EXPECT_EQ(conclave_campaign(a.get(), -1, &now), 0);  // and those that come
}

TEST_F(CInterface, a_forked_child_never_leads_and_may_close) {
    Owned a = open("a", "a");
    campaign(a, 1);
    const pid_t child = fork();
    if (child == 0) {
        const bool inert = get(a).leads == 0 && conclave_check(a.get()) < 0;
        a.reset();
        _exit(inert ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(get(a).leads, 1);
}

// Programs that were compiled before, and the Python module, know them by these numbers.
TEST(CLibrary, structs_keep_their_layout) {
    EXPECT_EQ(offsetof(conclave_leadership, token), 16u);
    EXPECT_EQ(offsetof(conclave_leadership, leader), 40u);
    EXPECT_EQ(offsetof(conclave_leadership, address), 112u);
    EXPECT_EQ(offsetof(conclave_leadership, value), 184u);
    EXPECT_EQ(sizeof(conclave_leadership), 448u);
    EXPECT_EQ(offsetof(conclave_participant, self), 152u);
    EXPECT_EQ(sizeof(conclave_participant), 176u);
    EXPECT_EQ(sizeof(conclave_options), 48u);
    EXPECT_EQ(sizeof(conclave_setting), 16u);
}

TEST(CLibrary, knows_its_version) { EXPECT_THAT(conclave_version(), HasSubstr(".")); }

}  // namespace conclave_test
}  // namespace conclave
