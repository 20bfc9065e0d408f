#include "conclave/agent/hooks.hpp"

#include <gmock/gmock.h>

#include "tests/support/tool.hpp"

namespace conclave::agent {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

class HooksOf : public testing::Test {
protected:
    void run_all() {
        for (int i = 0; i < 2000 && !hooks.idle(); ++i) loop.step(milliseconds(10));
        EXPECT_TRUE(hooks.idle());
    }
    std::string file() const { return folder / "said"; }

    tests::Folder folder;
    net::Loop loop;
    std::vector<std::string> complaints;
    Hooks hooks{loop, milliseconds(300),
                [this](const std::string& sentence) { complaints.push_back(sentence); }};
};

TEST_F(HooksOf, run_one_at_a_time_in_the_order_of_what_happened) {
    const std::string first = "sleep 0.1; echo first $WHO >>" + file();
    hooks.run("on-leader", first, {{"WHO", "a"}});
    hooks.run("on-lost", "echo second $WHO >>" + file(), {{"WHO", "b"}});
    hooks.run("on-follower", "", {});
    run_all();
    EXPECT_EQ(tests::read_file(file()), "first a\nsecond b\n");
    EXPECT_THAT(complaints, ElementsAre());
}

TEST_F(HooksOf, one_that_fails_or_takes_too_long_is_complained_of_and_the_next_is_run) {
    hooks.run("on-leader", "sleep 100", {});
    hooks.run("on-lost", "exit 3", {});
    hooks.run("on-follower", "echo done >>" + file(), {});
    run_all();
    EXPECT_EQ(tests::read_file(file()), "done\n");
    EXPECT_THAT(complaints, ElementsAre(HasSubstr("--on-leader took longer than 300ms"),
                                        HasSubstr("--on-lost failed with code 3")));
}

}  // namespace
}  // namespace conclave::agent
