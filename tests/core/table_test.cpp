#include "conclave/core/table.hpp"

#include <gtest/gtest.h>

#include "tests/core/stage.hpp"

namespace conclave {
namespace table_test {

// A door: the events of a table that has guards, actions, blank cells and a row behind a guard.
struct Door {
    static constexpr Card card{"door", "no paper", Network::full, Links::any, "", ""};
    struct Push {};
    struct Turnkey {};
    using Turn = conclave::Turn<Types<Push, Turnkey>>;
    enum class State : std::uint8_t { shut, open, locked } state = State::shut;
    bool heavy = false;
    std::uint8_t creaks = 0;

    bool is_heavy(const Turn&) const { return heavy; }
    void creak(Turn& turn) {
        ++creaks;
        turn.report(state == State::open ? "creak, open" : "creak");
    }
    void slam(Turn&) {
        if (heavy) state = State::locked;
    }

    void on(Start, Turn&) {}
    void on(Push, Turn& turn) { take(0, turn); }
    void on(Turnkey, Turn& turn) { take(1, turn); }
    void take(std::uint8_t event, Turn& turn);
};

using enum Door::State;
// clang-format off
constexpr std::array<Row<Door>, 5> table{{
    //  in     upon  if                do            then
    {shut,    0,    &Door::is_heavy,  nothing,      shut},
    {shut,    0,    always,           &Door::creak, open},
    {open,    0,    always,           &Door::slam,  shut},
    {shut,    1,    always,           nothing,      locked},
    {locked,  1,    always,           nothing,      shut},
}};
// clang-format on
static_assert(every_row_can_fire(table));
static_assert(every_state_is_live(table, shut, 3));

void Door::take(std::uint8_t event, Turn& turn) {
    if (!fire(table, *this, event, turn)) turn.report("blank");
}

TEST(Tables, perform_the_first_row_that_applies) {
    Stage<Door> stage;
    EXPECT_EQ(stage.after(Door::Push{}), Lines{"Report(creak, open)"});
    EXPECT_EQ(stage.node.state, open);
    EXPECT_EQ(stage.rows.fired, 0b00010u);
}

TEST(Tables, ask_the_guard) {
    Stage<Door> stage;
    stage.node.heavy = true;
    EXPECT_EQ(stage.after(Door::Push{}), Lines{});
    EXPECT_EQ(stage.node.state, shut);
    EXPECT_EQ(stage.rows.fired, 0b00001u);
}

TEST(Tables, change_the_state_before_the_action_which_may_change_it_again) {
    Stage<Door> stage;
    stage.node.state = open;
    stage.node.heavy = true;
    stage.after(Door::Push{});
    EXPECT_EQ(stage.node.state, locked);
}

TEST(Tables, ignore_events_of_blank_cells) {
    Stage<Door> stage;
    stage.node.state = locked;
    EXPECT_EQ(stage.after(Door::Push{}), Lines{"Report(blank)"});
    EXPECT_EQ(stage.node.state, locked);
    EXPECT_EQ(stage.rows.fired, 0u);
}

TEST(Tables, skip_rows_that_are_switched_off) {
    Stage<Door> stage;
    stage.rows.off = 0b00010;
    EXPECT_EQ(stage.after(Door::Push{}), Lines{"Report(blank)"});
    stage.rows.off = 0b00001;
    stage.node.heavy = true;  // the guarded row is off, so the one behind it fires
    EXPECT_EQ(stage.after(Door::Push{}), Lines{"Report(creak, open)"});
}

TEST(Tables, remember_all_rows_that_fired) {
    Stage<Door> stage;
    for (int i = 0; i < 2; ++i) stage.after(Door::Push{});
    for (int i = 0; i < 2; ++i) stage.after(Door::Turnkey{});
    EXPECT_EQ(stage.rows.fired, 0b11110u);
}

TEST(Tables, name_their_rows) {
    EXPECT_EQ(row_name(table[0]), "shut + Push [guarded] -> shut");
    EXPECT_EQ(row_name(table[3]), "shut + Turnkey -> locked");
}

TEST(Tables, draw_themselves) {
    EXPECT_EQ(to_dot(table),
              "digraph Door {\n"
              "  shut -> shut [label=\"Push [guarded]\"]\n"
              "  shut -> open [label=\"Push\"]\n"
              "  open -> shut [label=\"Push\"]\n"
              "  shut -> locked [label=\"Turnkey\"]\n"
              "  locked -> shut [label=\"Turnkey\"]\n"
              "}\n");
}

// Without the row behind which it hides, and with a state that is never left or never entered.
constexpr std::array<Row<Door>, 2> hidden{
    {{shut, 0, always, nothing, open}, {shut, 0, &Door::is_heavy, nothing, locked}}};
constexpr std::array<Row<Door>, 2> never_left{
    {{shut, 0, always, nothing, open}, {open, 0, always, nothing, locked}}};
constexpr std::array<Row<Door>, 2> never_entered{
    {{shut, 0, always, nothing, open}, {open, 0, always, nothing, shut}}};

TEST(Tables, with_a_mistake_are_found_out_while_compiling) {
    EXPECT_FALSE(every_row_can_fire(hidden));
    EXPECT_FALSE(every_state_is_live(never_left, shut, 3));
    EXPECT_FALSE(every_state_is_live(never_entered, shut, 3));
    EXPECT_TRUE(every_state_is_live(never_entered, shut, 2));
}

}  // namespace table_test
}  // namespace conclave
