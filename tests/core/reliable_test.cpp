#include "conclave/core/reliable.hpp"

#include <gtest/gtest.h>

#include <map>

#include "conclave/core/table.hpp"
#include "conclave/simulator/simulation_hosting.hpp"
#include "tests/election/actor.hpp"

namespace conclave {

// Knocks at doors. It wants to know that it was heard; greetings it sends without caring.
struct Knocker {
    static constexpr Card card{"knocker", "no paper", Network::full, Links::any, "", ""};
    struct Knock {
        std::uint32_t count = 0;
    };
    struct Greeting {};
    struct Again {};
    using Acknowledged = Types<Knock>;
    struct Settings {
        Duration resend = std::chrono::milliseconds(5);
        std::uint32_t copies = 3;
        std::uint32_t knocks = 1;
        bool everywhere = false;
    };
    struct Stored {
        std::uint32_t knocked = 0;
    };
    using Turn = conclave::Turn<Types<Knock, Greeting>, Types<Again>, Settings, Stored>;

    std::uint32_t knocked = 0;
    std::vector<std::uint32_t> heard;  // counts of the knocks, as they came
    std::vector<Id> down;

    void on(Start, Turn& turn) { turn.follow(turn.me); }
    void on(Call, Turn& turn) {
        for (std::uint32_t i = 0; i < turn.settings.knocks; ++i)
            turn.send(turn.settings.everywhere ? everyone : turn.group.after(turn.me),
                      Knock{++knocked});
        turn.store({knocked});
        turn.broadcast(Greeting{});
        turn.set<Again>(std::chrono::seconds(1));
    }
    void on(Knock knock, Turn& turn) {
        heard.push_back(knock.count);
        turn.report("who is there?");
    }
    void on(Greeting, Turn&) {}
    void on(Again, Turn&) {}
    void on(Suspect suspect, Turn&) { down.push_back(suspect.id); }

    std::string_view label() const { return heard.empty() ? "idle" : "startled"; }
    std::string_view broken(const Turn& turn) const {
        return heard.size() > turn.settings.knocks ? "heard too much" : "";
    }
};

namespace reliable_test {

using Polite = Reliable<Knocker>;
static_assert(Algorithm<Polite>);
using Knock = Numbered<Knocker::Knock>;
using Greeting = Numbered<Knocker::Greeting>;

TEST(Reliable, calls_the_numbered_messages_by_their_own_names) {
    EXPECT_EQ(Polite::Turn::Messages::names,
              (std::array<std::string_view, 3>{"Knock", "Greeting", "Ack"}));
    EXPECT_EQ(Polite::Turn::Timers::names, (std::array<std::string_view, 2>{"Again", "Resend"}));
    EXPECT_EQ(text(Knock{}), "Knock");
    EXPECT_EQ(text(Knock{7, {}}), "Knock#7");
    EXPECT_EQ(text(Knock{7, {2}}), "Knock(2)#7");
}

TEST(Reliable, numbers_what_is_to_be_acknowledged_and_only_that) {
    Actor<Polite> actor(1, 3);
    EXPECT_EQ(actor.after(Call{}), (Lines{"Store(Stored(1))", "Set(Again, 1s)", "Set(Resend, 5ms)",
                                          "Send(2, Knock(1)#1)", "Broadcast(Greeting)"}));
    EXPECT_EQ(actor.after(Call{}), (Lines{"Store(Stored(2))", "Set(Again, 1s)",
                                          "Send(2, Knock(2)#2)", "Broadcast(Greeting)"}))
        << "the timer runs already";
}

TEST(Reliable, passes_on_whom_the_algorithm_follows) {
    Actor<Polite> actor(1, 3);
    EXPECT_EQ(actor.after(Start{}), Lines{"Follow(1)"});
}

TEST(Reliable, cannot_have_a_broadcast_acknowledged) {
    Actor<Polite> actor(1, 3);
    actor.settings.everywhere = true;
    EXPECT_EQ(actor.after(Call{}), (Lines{"Store(Stored(1))", "Set(Again, 1s)",
                                          "Broadcast(Knock(1))", "Broadcast(Greeting)"}));
    EXPECT_TRUE(actor.node.pending.empty());
}

TEST(Reliable, acknowledges_and_hands_in_what_arrives) {
    Actor<Polite> actor(1, 3);
    EXPECT_EQ(actor.after(Knock{4, {9}}, 3), (Lines{"Send(3, Ack#4)", "Report(who is there?)"}));
    EXPECT_EQ(actor.node.algorithm.heard, std::vector<std::uint32_t>{9});
    EXPECT_EQ(actor.after(Greeting{}, 3), Lines{}) << "wants no acknowledgement";
}

TEST(Reliable, acknowledges_a_duplicate_but_keeps_it_from_the_algorithm) {
    Actor<Polite> actor(1, 3);
    actor.after(Knock{4, {9}}, 3);
    EXPECT_EQ(actor.after(Knock{4, {9}}, 3), Lines{"Send(3, Ack#4)"});
    EXPECT_EQ(actor.after(Knock{4, {9}}, 2), (Lines{"Send(2, Ack#4)", "Report(who is there?)"}))
        << "another sender counts for itself";
    EXPECT_EQ(actor.node.algorithm.heard.size(), 2u);
}

TEST(Reliable, hands_in_each_message_once_in_whatever_order_the_copies_come) {
    Actor<Polite> actor(1, 3);
    for (const std::uint32_t number : {3u, 1u, 1u, 2u, 66u, 3u, 65u, 4u, 66u, 65u, 4u, 2u})
        actor.after(Knock{number, {number}}, 3);
    EXPECT_EQ(actor.node.algorithm.heard, (std::vector<std::uint32_t>{3, 1, 2, 66, 65, 4, 2}))
        << "all that it can tell apart: 2 came 64 numbers late";
}

TEST(Reliable, repeats_what_is_not_acknowledged_and_at_last_suspects_the_addressee) {
    Actor<Polite> actor(1, 3);
    actor.after(Call{});
    EXPECT_EQ(actor.after(Polite::Resend{}), Lines{"Set(Resend, 5ms)"})
        << "the interval had begun before the message was sent";
    EXPECT_EQ(actor.after(Polite::Resend{}), (Lines{"Set(Resend, 5ms)", "Send(2, Knock(1)#1)"}));
    EXPECT_EQ(actor.after(Polite::Resend{}), (Lines{"Set(Resend, 5ms)", "Send(2, Knock(1)#1)"}));
    EXPECT_TRUE(actor.node.algorithm.down.empty());
    EXPECT_EQ(actor.after(Polite::Resend{}), Lines{}) << "three copies are enough";
    EXPECT_EQ(actor.node.algorithm.down, std::vector<Id>{Id{2}});
    EXPECT_TRUE(actor.node.pending.empty());
}

TEST(Reliable, stops_repeating_when_the_addressee_acknowledges) {
    Actor<Polite> actor(1, 3);
    actor.settings.knocks = 2;
    actor.after(Call{});
    EXPECT_EQ(actor.after(Polite::Ack{2, {}}, 2), Lines{}) << "the first is still open";
    EXPECT_EQ(actor.after(Polite::Ack{1, {}}, 3), Lines{}) << "that was not the addressee";
    EXPECT_EQ(actor.after(Polite::Ack{7, {}}, 2), Lines{}) << "that was not the number";
    EXPECT_EQ(actor.node.pending.size(), 1u);
    EXPECT_EQ(actor.after(Polite::Ack{1, {}}, 2), Lines{"Stop(Resend)"});
    EXPECT_EQ(actor.after(Polite::Ack{1, {}}, 2), Lines{}) << "a duplicate";
}

TEST(Reliable, starts_anew_with_numbers_that_it_never_used) {
    Actor<Polite> actor(1, 3);
    actor.now = std::chrono::milliseconds(2);
    actor.after(Start{});
    EXPECT_EQ(actor.after(Call{}).at(3), "Send(2, Knock(1)#2001)");
}

TEST(Reliable, hears_a_sender_that_started_anew) {
    Actor<Polite> actor(1, 3);
    for (const std::uint32_t number : {100'000u, 3u, 3u, 4u, 0xfffffff0u})
        actor.after(Knock{number, {number}}, 3);
    EXPECT_EQ(actor.node.algorithm.heard,
              (std::vector<std::uint32_t>{100'000u, 3, 4, 0xfffffff0u}));
}

TEST(Reliable, never_uses_the_number_0) {
    Actor<Polite> actor(1, 3);
    actor.node.origin = 0xfffffffe;
    actor.settings.knocks = 2;
    const Lines lines = actor.after(Call{});
    EXPECT_EQ(lines.at(3), "Send(2, Knock(1)#4294967295)");
    EXPECT_EQ(lines.at(4), "Send(2, Knock(2)#1)");
}

TEST(Reliable, shows_the_algorithm_s_own_label_and_invariant) {
    Actor<Polite> actor(1, 3);
    EXPECT_EQ(actor.node.label(), "idle");
    actor.after(Knock{1, {}}, 3);
    EXPECT_EQ(actor.broken, "");
    actor.after(Knock{2, {}}, 3);
    EXPECT_EQ(actor.node.label(), "startled");
    EXPECT_EQ(actor.broken, "heard too much");
}

// A tenth of the copies get lost, a tenth come twice, all overtake each other; node 3 never comes
// up.
TEST(Reliable, delivers_each_message_once_or_suspects_the_addressee) {
    simulator::Scenario scenario;
    scenario.nodes = 3;
    scenario.order.how = simulator::Order::How::ascending;
    scenario.initiators = {simulator::Initiators::Who::listed, {Id{1}, Id{2}}};
    scenario.starts = {{Id{3}, std::chrono::hours(1)}};
    scenario.delay = {simulator::Delay::Shape::uniform, std::chrono::microseconds(100),
                      std::chrono::milliseconds(9)};
    scenario.loss.of_2_32 = scenario.duplication.of_2_32 = (std::uint64_t{1} << 32) / 10;
    Knocker::Settings settings{.copies = 12, .knocks = 30};
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 1; i <= 30; ++i) all.push_back(i);
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        scenario.seed = seed;
        simulator::Decisions decisions(seed);
        simulator::World<Polite> world(scenario, settings, decisions);
        world.run_until(std::chrono::seconds(5));
        auto heard = world.node(Id{2}).algorithm.heard;
        std::sort(heard.begin(), heard.end());
        EXPECT_EQ(heard, all) << "seed " << seed;
        EXPECT_TRUE(world.node(Id{1}).algorithm.down.empty());
        EXPECT_EQ(world.node(Id{2}).algorithm.down, std::vector<Id>(30, Id{3}));
        EXPECT_TRUE(world.node(Id{1}).pending.empty() && world.node(Id{2}).pending.empty());
    }
}

}  // namespace reliable_test
}  // namespace conclave
