#include "conclave/timed/report/growing_bound.hpp"

#include <gtest/gtest.h>

namespace conclave::timed {
namespace growing_bound_test {

using namespace std::chrono_literals;

clock::Keeper slave_until(Time raw) {
    clock::Keeper keeper;
    for (Time at = raw - 20s; at <= raw; at += 1s)
        keeper.hear(at, {.term = {1, Id{1}},
                         .line = {raw, 5ms, {}},
                         .error = 10ns,
                         .rate_error = clock::ppb(1),
                         .clocks = 3,
                         .path = 100us});
    return keeper;
}

// A keeper that hears nobody for a while allows for what others knew: its bound doubles at once.
TEST(GrowingBound, is_nowhere_below_that_of_a_keeper_that_hears_nobody) {
    const Time heard = 1000s;
    const clock::Keeper keeper = slave_until(heard);
    ASSERT_GT(keeper.error_bound(heard + 3s).total(),
              keeper.error_bound(heard + 1s).total() + 90us);
    for (const Duration later : {0s, 1s, 2s, 30s}) {
        const Time written = heard + later;
        const GrowingBound line = growing_bound(keeper, written);
        for (Duration age{0}; age <= page::valid; age += 37ms)
            ASSERT_GE(line.error + clock::over(line.growth, age),
                      keeper.error_bound(written + age).total())
                << "written after " << later / 1ms << " ms, read after " << age / 1ms << " ms";
    }
}

TEST(GrowingBound, is_not_much_wider_than_it_must_be) {
    const clock::Keeper keeper = slave_until(1000s);
    const GrowingBound line = growing_bound(keeper, 1000s);
    EXPECT_LE(line.error, keeper.error_bound(1003s).total());
    EXPECT_LE(line.error + clock::over(line.growth, page::valid),
              keeper.error_bound(1000s + page::valid).total() + 101us);
}

}  // namespace growing_bound_test
}  // namespace conclave::timed
