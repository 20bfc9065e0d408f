#include "conclave/timed/report/chrony_feed.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace conclave::timed {
namespace chrony_feed_test {

using namespace std::chrono_literals;

template <class T>
T at(const ChronySample& sample, std::size_t place) {
    T value;
    std::memcpy(&value, sample.data() + place, sizeof value);
    return value;
}

TEST(ChronyFeed, a_sample_is_laid_out_as_chrony_reads_it) {
    const ChronySample sample = chrony_sample(1'794'911'400s + 250'007'999ns, -1500us);
    EXPECT_EQ(at<std::int64_t>(sample, 0), 1'794'911'400);
    EXPECT_EQ(at<std::int64_t>(sample, 8), 250'007);
    EXPECT_DOUBLE_EQ(at<double>(sample, 16), -0.0015);
    EXPECT_EQ(at<std::int32_t>(sample, 24), 0);
    EXPECT_EQ(at<std::int32_t>(sample, 28), 0);
    EXPECT_EQ(at<std::int32_t>(sample, 36), 0x534f434b);
}

TEST(ChronyFeed, says_when_nobody_takes_a_sample) {
    EXPECT_FALSE(ChronyFeed("/nonexistent/chrony.sock").send(1s, 1ms));
}

}  // namespace chrony_feed_test
}  // namespace conclave::timed
