#include "conclave/core/time.hpp"

#include <gtest/gtest.h>

namespace conclave {
namespace {

TEST(Durations, read_a_number_and_a_unit) {
    using namespace std::chrono_literals;
    EXPECT_EQ(parse_duration("250ms"), 250ms);
    EXPECT_EQ(parse_duration("2s"), 2s);
    EXPECT_EQ(parse_duration("1.5us"), 1500ns);
}

}  // namespace
}  // namespace conclave
