#include "conclave/core/around.hpp"

#include <gtest/gtest.h>

#include "conclave/election/chang_roberts.hpp"
#include "tests/core/stage.hpp"

namespace conclave {

// Repeats everything: an inner algorithm's message is sent again when nobody confirmed it in time.
// It has a message and a timer of its own, and passes on what the inner algorithm asks for.
template <class A>
struct Echo {
    static constexpr Card card{"echo", "no paper", Network::ring, Links::any, "", ""};
    struct Heard {};
    struct Again {};
    struct Settings {
        typename A::Turn::Settings inner;
        Duration patience = std::chrono::milliseconds{3};
    };
    using Messages = decltype(typename A::Turn::Messages{} + Types<Heard>{});
    using Timers = decltype(typename A::Turn::Timers{} + Types<Again>{});
    using Turn = conclave::Turn<Messages, Timers, Settings, Nothing, EffectsOf<A>>;

    A inner;
    std::vector<Send<typename A::Turn::Message>> unheard;

    template <class Event>
        requires Handles<A, Event>
    void on(const Event& event, Turn& turn) {
        if constexpr (A::Turn::Messages::template contains<Event>) turn.reply(Heard{});
        const EffectsOf<A>& effects =
            inner_turn(inner, turn.settings.inner, turn,
                       [&](A& node, typename A::Turn& now) { node.on(event, now); });
        unheard.insert(unheard.end(), effects.sends.begin(), effects.sends.end());
        pass_on<A>(effects, turn);
        if (!unheard.empty()) turn.template set<Again>(turn.settings.patience);
    }
    void on(Heard, Turn& turn) {
        unheard.clear();
        turn.template stop<Again>();
    }
    void on(Again, Turn& turn) {
        for (const auto& send : unheard)
            turn.send(send.to, widen<typename Turn::Message>(send.message));
    }
};
using Echoing = Echo<ChangRoberts>;
static_assert(Algorithm<Echoing>);

namespace around_test {

TEST(Composition, has_the_inner_messages_and_timers_followed_by_its_own) {
    EXPECT_EQ(Echoing::Turn::Messages::names,
              (std::array<std::string_view, 3>{"Election", "Elected", "Heard"}));
    EXPECT_EQ(Echoing::Turn::Timers::names, (std::array<std::string_view, 1>{"Again"}));
}

TEST(Composition, performs_what_the_inner_algorithm_asks_for) {
    Stage<Echoing> stage;
    EXPECT_EQ(stage.after(Call{}), (Lines{"Set(Again, 3ms)", "Send(2, Election(1))"}));
    EXPECT_TRUE(stage.node.inner.participating);
    const ChangRoberts::Elected news{plain_rank(Id{3})};
    EXPECT_EQ(stage.after(news, Id{3}),
              (Lines{"Follow(3)", "Set(Again, 3ms)", "Send(3, Heard)", "Send(2, Elected(3))"}));
}

TEST(Composition, has_turns_of_its_own) {
    Stage<Echoing> stage;
    stage.after(Call{});
    EXPECT_EQ(stage.after(Echoing::Again{}), Lines{"Send(2, Election(1))"});
    EXPECT_EQ(stage.after(Echoing::Heard{}), Lines{"Stop(Again)"});
    EXPECT_EQ(stage.after(Echoing::Again{}), Lines{});
}

TEST(Composition, keeps_nothing_of_an_earlier_inner_turn) {
    Stage<Echoing> stage;
    stage.after(Call{});
    stage.after(Echoing::Heard{});
    EXPECT_EQ(stage.after(Call{}), Lines{}) << "it takes part already, so nothing is to be sent";
}

TEST(Composition, is_a_plain_value_again) {
    Stage<Echoing> stage;
    EXPECT_TRUE(stage.node == Echoing{});
    stage.after(Call{});
    EXPECT_FALSE(stage.node == Echoing{});
    EXPECT_EQ(text(stage.node), "Echo(ChangRoberts(yes), [Send(2, Election(1))])");
    EXPECT_EQ(type_name<Echoing::Heard>(), "Heard");
}

TEST(Widening, keeps_the_message) {
    const ChangRoberts::Turn::Message narrow = ChangRoberts::Elected{plain_rank(Id{2})};
    const auto wide = widen<Echoing::Turn::Message>(narrow);
    EXPECT_EQ(text(wide), "Elected(2)");
    EXPECT_EQ(wide.index(), 1u);
}

}  // namespace around_test
}  // namespace conclave
