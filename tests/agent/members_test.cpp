// Roster, formation and peers: who belongs to a group, and who is heard.
#include <gmock/gmock.h>

#include "conclave/agent/group/formation_words.hpp"
#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/group/peers.hpp"

namespace conclave::agent {
namespace members_test {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using Names = std::vector<std::string>;

constexpr Id one{1}, two{2}, three{3};

TEST(Roster, ids_follow_the_names_whatever_their_order) {
    const Roster roster({"c", "a", "b"});
    EXPECT_EQ(roster, Roster({"a", "b", "c"}));
    EXPECT_EQ(roster.id_of("a"), one);
    EXPECT_EQ(roster.name_of(three), "c");
    EXPECT_EQ(roster.id_of("d"), nobody);
}

TEST(Roster, the_seal_tells_other_members_and_other_promise_times_apart) {
    const Roster roster({"a", "b", "c"});
    const auto digest = [](const Roster& r, int ms) { return r.seal(milliseconds(ms)).digest; };
    EXPECT_EQ(digest(roster, 400), digest(Roster({"c", "b", "a"}), 400));
    EXPECT_NE(digest(roster, 400), digest(Roster({"a", "b", "d"}), 400));
    EXPECT_NE(digest(roster, 400), digest(roster, 500));
    EXPECT_NE(digest(Roster({"ab", "c"}), 400), digest(Roster({"a", "bc"}), 400));
}

TEST(Roster, names_are_plain) {
    for (const char* good : {"a", "web-1.example_x"}) EXPECT_EQ(name_problem(good), "");
    for (const char* bad : {"", ".", "a b", "a/b", "ä", "a,b"})
        EXPECT_THAT(name_problem(bad), HasSubstr("is no name")) << bad;
    EXPECT_NE(name_problem(std::string(65, 'a')), "");
}

TEST(Formation, names_that_do_not_fit_into_a_datagram_form_no_group) {
    Formation a = Formation::begin("a", 50);
    std::vector<std::string> names{"a"};
    for (int i = 10; i < 59; ++i) names.push_back(std::string(40, 'n') + std::to_string(i));
    for (const std::string& name : names) a.hear(name, names, false);
    const Obstacle obstacle = obstacle_of(a, "g");
    EXPECT_FALSE(obstacle.final);
    EXPECT_THAT(obstacle.sentence,
                HasSubstr("the names of 50 members take 2259 bytes, and a datagram has room for "
                          "1800: give shorter ones with --name"));
}

TEST(Formation, what_stands_in_the_way_is_said_in_a_sentence) {
    Formation a = Formation::begin("a", 2);
    EXPECT_EQ(obstacle_of(a, "g").sentence, "");
    a.hear("b", {"a", "b"}, false);
    a.hear("c", {"a", "b", "c"}, false);
    EXPECT_FALSE(obstacle_of(a, "g").final);
    EXPECT_THAT(obstacle_of(a, "g").sentence,
                HasSubstr("expects 2 members, but 3 are here: a, b, c"));
    Formation d = Formation::begin("d", 3);
    d.hear("a", {"a", "b", "c"}, true);
    EXPECT_TRUE(obstacle_of(d, "g").final);
    EXPECT_THAT(obstacle_of(d, "g").sentence, HasSubstr("is complete with a, b, c"));
    Formation five = Formation::begin("a", 5);
    five.hear("b", {"a", "b", "c"}, true);
    EXPECT_THAT(obstacle_of(five, "g").sentence, HasSubstr("--expect cannot be 5"));
}

class PeersOfThree : public testing::Test {
protected:
    static constexpr Duration silence = milliseconds(400);
    Presence named(const std::string& name) const {
        Presence presence;
        presence.name = name;
        return presence;
    }
    Peers::Seat enter(std::uint64_t identity, const std::string& name, int ms) {
        Peer& peer = peers.hear(identity, *net::parse_address("127.0.0.1:9"), milliseconds(ms));
        return peers.introduce(peer, named(name), roster, silence);
    }
    Roster roster{{"a", "b", "c"}};
    Peers peers;
};

TEST_F(PeersOfThree, of_two_with_one_name_the_second_waits_and_is_a_rival_of_the_first) {
    EXPECT_EQ(enter(1, "b", 0), Peers::Seat::taken);
    EXPECT_EQ(enter(2, "b", 100), Peers::Seat::waiting);
    EXPECT_EQ(enter(1, "b", 150), Peers::Seat::taken);
    EXPECT_EQ(enter(2, "b", 200), Peers::Seat::waiting);
    EXPECT_EQ(peers.find(two)->identity, 1u);
    const auto rivals = peers.rivals_of(*peers.find(two), milliseconds(200));
    ASSERT_EQ(rivals.size(), 1u);
    EXPECT_EQ(rivals.front()->identity, 2u);
    EXPECT_THAT(peers.rivals_of(*peers.find(two), milliseconds(201)), ElementsAre());
}

TEST_F(PeersOfThree, a_new_life_without_memory_takes_the_place_of_the_silent_one) {
    EXPECT_EQ(enter(1, "b", 0), Peers::Seat::taken);
    EXPECT_EQ(enter(2, "b", 399), Peers::Seat::waiting);
    EXPECT_EQ(enter(2, "b", 400), Peers::Seat::taken);
    EXPECT_EQ(peers.find(two)->identity, 2u);
}

TEST_F(PeersOfThree, who_waited_for_its_place_need_not_say_its_name_again) {
    EXPECT_EQ(enter(1, "b", 0), Peers::Seat::taken);
    EXPECT_EQ(enter(2, "b", 100), Peers::Seat::waiting);
    Peer& peer = peers.hear(2, *net::parse_address("127.0.0.1:9"), milliseconds(400));
    EXPECT_EQ(peers.seat(peer, roster, silence), Peers::Seat::taken);
    EXPECT_EQ(peers.find(two)->identity, 2u);
}

TEST_F(PeersOfThree, who_left_leaves_its_place) {
    EXPECT_EQ(enter(1, "b", 1000), Peers::Seat::taken);
    peers.vacate(two);
    EXPECT_EQ(peers.find(two)->heard, milliseconds(1000));
    EXPECT_THAT(peers.names_heard(Time{0}), ElementsAre());
    EXPECT_EQ(enter(2, "b", 1001), Peers::Seat::taken);
}

TEST_F(PeersOfThree, who_is_no_member_has_no_place) {
    EXPECT_EQ(enter(1, "d", 0), Peers::Seat::taken);
    EXPECT_EQ(peers.all().front().member, nobody);
    EXPECT_EQ(peers.find(nobody), nullptr);
    EXPECT_THAT(peers.names_heard(Time{0}), ElementsAre("d"));
}

TEST_F(PeersOfThree, strangers_do_not_push_members_out) {
    enter(1, "b", 0);
    for (std::uint64_t i = 2; i < 600; ++i) enter(i, "x" + std::to_string(i), 10);
    EXPECT_LE(peers.all().size(), Peers::most);
    EXPECT_NE(peers.find(two), nullptr);
}

}  // namespace members_test
}  // namespace conclave::agent
