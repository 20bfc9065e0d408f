// Detector, standing and eligibility: who is heard, when a member may stand, and who may lead.
#include <gmock/gmock.h>

#include "conclave/member/eligibility.hpp"
#include "conclave/member/standing.hpp"

namespace conclave::member {
namespace parts_test {

using std::chrono::milliseconds;
using testing::ElementsAre;

constexpr Id one{1}, two{2}, three{3};
constexpr Duration patience = milliseconds(300);

Detector detector_of(std::size_t members) { return {std::vector<Detector::Watched>(members)}; }
Standing standing_of(std::uint32_t members) {
    return {std::vector<Id>(members, everyone), members};
}

TEST(Detector, finds_each_silent_member_once) {
    Detector detector = detector_of(3);
    for (const Id id : {two, three}) {
        EXPECT_TRUE(detector.hear(id, Time{0}));  // until then it was not known to live
        detector.watch(id, true, Time{0});
    }
    EXPECT_FALSE(detector.hear(three, milliseconds(200)));
    EXPECT_EQ(detector.next(patience), milliseconds(300));
    EXPECT_THAT(detector.find_silent(milliseconds(299), patience), ElementsAre());
    EXPECT_THAT(detector.find_silent(milliseconds(300), patience), ElementsAre(two));
    EXPECT_THAT(detector.find_silent(milliseconds(301), patience), ElementsAre());
    EXPECT_TRUE(detector.suspects(two));
    EXPECT_EQ(detector.next(patience), milliseconds(500));
    EXPECT_TRUE(detector.hear(two, milliseconds(400)));
    EXPECT_FALSE(detector.suspects(two));
}

TEST(Detector, who_need_not_be_heard_is_not_found_silent) {
    Detector detector = detector_of(2);
    detector.hear(two, Time{0});
    EXPECT_EQ(detector.next(patience), never);
    detector.watch(two, true, milliseconds(1000));  // its time counts from here
    EXPECT_THAT(detector.find_silent(milliseconds(1299), patience), ElementsAre());
    detector.watch(two, false, milliseconds(1299));
    EXPECT_THAT(detector.find_silent(milliseconds(5000), patience), ElementsAre());
}

TEST(Standing, who_comes_up_needs_the_word_of_a_majority_that_they_follow_nobody) {
    Standing standing = standing_of(5);
    standing.lose();
    standing.hear(two, nobody);
    EXPECT_FALSE(standing.allowed);
    standing.hear(two, nobody);  // twice is not two
    EXPECT_FALSE(standing.allowed);
    standing.hear(three, one);
    EXPECT_FALSE(standing.allowed);
    standing.hear(three, nobody);
    EXPECT_TRUE(standing.allowed);
}

TEST(Standing, a_silent_leader_closes_what_a_leader_had_opened) {
    Standing standing = standing_of(3);
    standing.follow();
    EXPECT_TRUE(standing.allowed);  // should its death be reported, nobody need be asked
    standing.lose();
    EXPECT_FALSE(standing.allowed);
    standing.hear(two, nobody);
    EXPECT_TRUE(standing.allowed);
}

TEST(Standing, a_leader_is_agreed_upon_when_a_majority_says_so_and_it_is_among_them) {
    Standing standing = standing_of(3);
    standing.lose();
    EXPECT_EQ(standing.agreed(), nobody);
    standing.hear(two, three);
    EXPECT_EQ(standing.agreed(), nobody);
    standing.hear(three, nobody);
    EXPECT_EQ(standing.agreed(), nobody);
    standing.hear(three, three);
    EXPECT_EQ(standing.agreed(), three);
    standing.forget();
    EXPECT_EQ(standing.agreed(), nobody);
}

TEST(Standing, alone_there_is_nobody_to_ask) {
    Standing standing = standing_of(1);
    standing.lose();
    EXPECT_TRUE(standing.allowed);
}

TEST(Eligibility, the_successor_is_the_best_of_those_that_are_known_alive_and_eligible) {
    Eligibility eligibility{std::vector<Introduced>(4)};
    Detector detector = detector_of(4);
    EXPECT_EQ(eligibility.successor(one, detector), nobody);
    for (const Id id : {two, three, Id{4}}) {
        detector.hear(id, Time{0});
        eligibility.at(id).known = true;
    }
    EXPECT_EQ(eligibility.successor(one, detector), Id{4});
    eligibility.at(two).said.priority = 9;
    EXPECT_EQ(eligibility.successor(one, detector), two);
    eligibility.at(two).said.healthy = false;
    eligibility.at(Id{4}).said.witness = true;
    EXPECT_EQ(eligibility.successor(one, detector), three);
    eligibility.at(three).said.paused = true;
    EXPECT_EQ(eligibility.successor(one, detector), nobody);
    eligibility.at(three).said.paused = false;
    detector.lose(three);
    EXPECT_EQ(eligibility.successor(one, detector), nobody);
}

}  // namespace parts_test
}  // namespace conclave::member
