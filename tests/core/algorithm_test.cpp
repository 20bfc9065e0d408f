#include "conclave/core/algorithm.hpp"

#include <gtest/gtest.h>

#include "tests/core/stage.hpp"

namespace conclave {

// An algorithm that uses every kind of event and effect.
struct Parrot {
    static constexpr Card card{"parrot", "no paper", Network::ring, Links::any, "many", "nothing"};

    struct Word {
        std::uint32_t number;
    };
    struct Hush {};
    struct Bored {};
    struct Tired {};
    struct Settings {
        Duration patience = std::chrono::milliseconds{20};
    };
    struct Stored {
        std::uint32_t heard;
    };
    using Turn = conclave::Turn<Types<Word, Hush>, Types<Bored, Tired>, Settings, Stored>;

    std::uint32_t heard = 0;

    void on(Start, Turn& turn) { turn.broadcast(Hush{}); }
    void on(const Word& word, Turn& turn) {
        turn.send(turn.next, Word{word.number + 1});
        turn.reply(Hush{});
        turn.set<Tired>(turn.settings.patience);
        turn.stop<Bored>();
        turn.follow(turn.previous());
        turn.store({++heard});
        turn.report("heard something");
    }
    void on(Hush, Turn& turn) { turn.lead(); }
    void on(Bored, Turn& turn) { turn.send(turn.next, Word{100}); }
    void on(Tired, Turn& turn) { turn.send(turn.next, Word{200}); }
    void on(Suspect suspect, Turn& turn) { turn.send(suspect.id, Hush{}); }
    void on(const Recover<Stored>& recovered, Turn&) { heard = recovered.stored.heard; }

    std::string_view broken(const Turn&) const { return heard > 9 ? "too loud" : ""; }
};
static_assert(Algorithm<Parrot>);

struct Hello {};
struct Alarm {};

// One that only can be called, and remembers a named state.
struct Mute {
    static constexpr Card card{"mute", "no paper", Network::full, Links::any, "none", "nothing"};
    using Turn = conclave::Turn<Types<Hello>>;
    enum class State { calm, called } state = State::calm;
    void on(Call, Turn&) { state = State::called; }
    void on(Hello, Turn&) {}
};
static_assert(Algorithm<Mute>);

// One that is complete, and stores nothing; those after it each lack one thing.
struct Forgetful {
    static constexpr Card card{"forgetful", "no paper", Network::full, Links::any, "", ""};
    using Turn = conclave::Turn<Types<Hello>, Types<Alarm>>;
    void on(Start, Turn& turn) { turn.broadcast(Hello{}); }
    void on(Hello, Turn&) {}
    void on(Alarm, Turn&) {}
};
static_assert(Algorithm<Forgetful>);
struct Deaf {  // a handler for a message
    static constexpr Card card = Forgetful::card;
    using Turn = Forgetful::Turn;
    void on(Start, Turn&) {}
    void on(Alarm, Turn&) {}
};
struct Sleepless {  // a handler for a timer
    static constexpr Card card = Forgetful::card;
    using Turn = Forgetful::Turn;
    void on(Start, Turn&) {}
    void on(Hello, Turn&) {}
};
struct Inert {  // a way to set it going
    static constexpr Card card = Forgetful::card;
    using Turn = Forgetful::Turn;
    void on(Hello, Turn&) {}
    void on(Alarm, Turn&) {}
};
struct Anonymous {  // a card
    using Turn = Forgetful::Turn;
    void on(Start, Turn&) {}
    void on(Hello, Turn&) {}
    void on(Alarm, Turn&) {}
};
class Secretive {  // plain fields
    int secret_ = 0;

public:
    static constexpr Card card = Forgetful::card;
    using Turn = Forgetful::Turn;
    void on(Start, Turn&) { ++secret_; }
    void on(Hello, Turn&) {}
    void on(Alarm, Turn&) {}
    bool operator==(const Secretive&) const = default;
};

namespace algorithm_test {

TEST(Turns, describe_their_effects_in_the_order_in_which_hosts_perform_them) {
    Stage<Parrot> stage;
    EXPECT_EQ(stage.after(Parrot::Word{7}, Id{3}),
              (Lines{"Store(Stored(1))", "Follow(3)", "Set(Tired, 20ms)", "Stop(Bored)",
                     "Send(2, Word(8))", "Send(3, Hush)", "Report(heard something)"}));
    EXPECT_EQ(stage.after(Start{}), Lines{"Broadcast(Hush)"});
    EXPECT_EQ(stage.after(Parrot::Hush{}), Lines{"Follow(1)"});
    EXPECT_EQ(stage.after(Suspect{Id{2}}), Lines{"Send(2, Hush)"});
}

TEST(Turns, leave_nothing_behind_in_cleared_buffers) {
    Stage<Parrot> stage;
    stage.after(Parrot::Word{7}, Id{3});
    stage.effects.clear();
    EXPECT_TRUE(describe<Parrot::Turn::Timers>(stage.effects).empty());
}

TEST(Turns, know_the_rank_and_the_neighbours) {
    Stage<Parrot> stage;
    EXPECT_EQ(stage.turn().rank(), plain_rank(Id{1}));
    EXPECT_EQ(stage.turn().previous(), Id{3});
}

TEST(Events, without_a_handler_are_declined) {
    Stage<Parrot> stage;
    auto turn = stage.turn();
    EXPECT_FALSE(offer(stage.node, Call{}, turn));
    EXPECT_FALSE(offer(stage.node, Trust{Id{2}}, turn));
    EXPECT_TRUE(offer(stage.node, Start{}, turn));
}

TEST(Events, are_messages_then_timers_then_the_world) {
    EXPECT_EQ(EventsOf<Parrot>::count, 9u);
    EXPECT_EQ(EventsOf<Parrot>::index<Parrot::Word>, 0);
    EXPECT_EQ(EventsOf<Parrot>::index<Parrot::Bored>, 2);
    EXPECT_EQ(EventsOf<Parrot>::names[4], "Start");
    EXPECT_EQ(EventsOf<Parrot>::names[8], "Recover");
}

TEST(Timers, expire_by_their_place_in_the_list) {
    Stage<Parrot> stage;
    auto turn = stage.turn();
    expire(stage.node, Parrot::Turn::Timers::index<Parrot::Tired>, turn);
    EXPECT_EQ(describe<Parrot::Turn::Timers>(stage.effects), Lines{"Send(2, Word(200))"});
    auto next = stage.turn();
    expire(stage.node, 0, next);
    EXPECT_EQ(describe<Parrot::Turn::Timers>(stage.effects), Lines{"Send(2, Word(100))"});
}

TEST(Recovery, gives_back_what_was_stored) {
    Stage<Parrot> stage;
    auto turn = stage.turn();
    recover(stage.node, Parrot::Stored{5}, turn);
    EXPECT_EQ(stage.node.heard, 5u);
    EXPECT_TRUE(stage.effects.sends.empty());
}

TEST(Recovery, of_one_that_stores_nothing_is_a_start) {
    Stage<Forgetful> stage;
    auto turn = stage.turn();
    recover(stage.node, Nothing{}, turn);
    EXPECT_EQ(describe<Forgetful::Turn::Timers>(stage.effects), Lines{"Broadcast(Hello)"});
}

TEST(Algorithms, that_are_incomplete_are_refused) {
    EXPECT_FALSE(Algorithm<Deaf>);
    EXPECT_FALSE(Algorithm<Sleepless>);
    EXPECT_FALSE(Algorithm<Inert>);
    EXPECT_FALSE(Algorithm<Anonymous>);
    EXPECT_FALSE(Algorithm<Secretive>);
}

struct Labelled : Nothing {
    std::string_view label() const { return "mine"; }
};

TEST(Labels, are_the_algorithms_own_or_its_state_or_all_it_remembers) {
    EXPECT_EQ(label_of(Labelled{}), "mine");
    EXPECT_EQ(label_of(Mute{Mute::State::called}), "called");
    EXPECT_EQ(label_of(Parrot{4}), "Parrot(4)");
}

TEST(Invariants, are_asked_where_they_are_stated) {
    Stage<Parrot> parrot;
    EXPECT_EQ(broken_invariant(Parrot{9}, parrot.turn()), "");
    EXPECT_EQ(broken_invariant(Parrot{10}, parrot.turn()), "too loud");
    Stage<Mute> mute;
    EXPECT_EQ(broken_invariant(Mute{}, mute.turn()), "");
}

}  // namespace algorithm_test
}  // namespace conclave
