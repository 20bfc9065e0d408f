// Which of two nodes of one name stays, and when a newcomer gives way to an objection.
#include "conclave/member/newcomer.hpp"

#include <gtest/gtest.h>

namespace conclave::member {
namespace newcomer_test {

using std::chrono::milliseconds;
constexpr Duration detect = milliseconds(100);

TEST(Newcomer, gives_way_when_the_objection_is_repeated_for_a_detection_time) {
    Objections objections;
    EXPECT_FALSE(objections.hear(milliseconds(0), detect, true, milliseconds(10)));
    EXPECT_FALSE(objections.hear(milliseconds(60), detect, true, milliseconds(70)));
    EXPECT_TRUE(objections.hear(milliseconds(100), detect, true, milliseconds(110)));
}

TEST(Newcomer, starts_to_count_anew_after_a_silence) {
    Objections objections;
    EXPECT_FALSE(objections.hear(milliseconds(0), detect, true, milliseconds(10)));
    EXPECT_FALSE(objections.hear(milliseconds(101), detect, true, milliseconds(111)));
    EXPECT_TRUE(objections.hear(milliseconds(201), detect, true, milliseconds(211)));
}

TEST(Newcomer, that_is_at_work_for_long_goes_on) {
    Objections objections;
    for (int ms = 0; ms <= 1000; ms += 50)
        EXPECT_FALSE(objections.hear(milliseconds(ms), detect, true, milliseconds(500 + ms)));
    Objections forming;  // a node without a roster is one however old it is
    EXPECT_FALSE(forming.hear(milliseconds(0), detect, false, std::chrono::hours(1)));
    EXPECT_TRUE(forming.hear(milliseconds(100), detect, false, std::chrono::hours(1)));
}

TEST(Newcomer, of_two_with_one_name_the_older_stays_else_the_greater_identity) {
    EXPECT_TRUE(was_first({milliseconds(2), 1}, {milliseconds(1), 9}));
    EXPECT_FALSE(was_first({milliseconds(1), 9}, {milliseconds(2), 1}));
    EXPECT_TRUE(was_first({milliseconds(1), 9}, {milliseconds(1), 1}));
    EXPECT_FALSE(was_first({milliseconds(1), 1}, {milliseconds(1), 9}));
}

}  // namespace newcomer_test
}  // namespace conclave::member
