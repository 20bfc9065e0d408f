#include "conclave/net/in_order.hpp"

#include <gmock/gmock.h>

#include <future>
#include <vector>

namespace conclave::net {
namespace in_order_test {

TEST(InOrder, does_all_jobs_in_their_order_before_it_ends) {
    std::vector<int> done;  // by one thread
    {
        InOrder jobs;
        for (int i = 0; i < 100; ++i) jobs.add([&done, i] { done.push_back(i); });
    }
    ASSERT_EQ(done.size(), 100u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

TEST(InOrder, is_idle_only_when_the_last_job_is_done) {
    std::promise<void> began, go;
    bool here = false;
    InOrder jobs;
    EXPECT_TRUE(jobs.idle());
    jobs.add([&] {
        here = jobs.is_here();
        began.set_value();
        go.get_future().wait();
    });
    began.get_future().wait();
    EXPECT_FALSE(jobs.idle());
    EXPECT_TRUE(here);
    EXPECT_FALSE(jobs.is_here());
    go.set_value();
    while (!jobs.idle()) std::this_thread::yield();
}

}  // namespace in_order_test
}  // namespace conclave::net
