// The state-transition table of Németh (1987) as it runs, held to the printed one by the compiler,
// and what its cells do: the four rules.
//
// States: a active, b candidate, c election, d coordinator that reorganizes, e coordinator in
// active mode. Events: 1 life timer awakes, 2 candidate message with smaller <timestamp,
// identifier>, 3 with greater, 4 candidate timer awakes, 5 election timer, 6 reorganizing message,
// 7 its timer.
#pragma once

#include "conclave/election/nemeth.hpp"

namespace conclave {

namespace nemeth {

inline constexpr auto a = Nemeth::State::active;
inline constexpr auto b = Nemeth::State::candidate;
inline constexpr auto c = Nemeth::State::election;
inline constexpr auto d = Nemeth::State::reorganizing;
inline constexpr auto e = Nemeth::State::coordinator;

template <class Event>
inline constexpr std::uint8_t upon =
    decltype(Nemeth::Messages{} + Nemeth::Timers{})::template index<Event>;
inline constexpr auto candidate = upon<Nemeth::Candidate>;  // event 2 if less, 3 if greater
inline constexpr auto reorganize = upon<Nemeth::Reorganize>;
inline constexpr auto life = upon<Nemeth::Life>;
inline constexpr auto life_timer = upon<Nemeth::LifeTimer>;
inline constexpr auto candidate_timer = upon<Nemeth::CandidateTimer>;
inline constexpr auto election_timer = upon<Nemeth::ElectionTimer>;
inline constexpr auto reorganizing_timer = upon<Nemeth::ReorganizingTimer>;
inline constexpr auto life_interval = upon<Nemeth::LifeInterval>;

// clang-format off
inline constexpr std::array<Row<Nemeth>, 18> table{{
//  in  upon                if                 do                  then
    {a, life_timer,         always,            &Nemeth::stand,     b},  // 1
    {a, candidate,          &Nemeth::less,     &Nemeth::yield,     c},  // 2
    {a, candidate,          &Nemeth::greater,  &Nemeth::yield,     c},  // 3

    {b, candidate,          &Nemeth::less,     &Nemeth::yield,     c},  // 2
    {b, candidate,          &Nemeth::greater,  &Nemeth::insist,    b},  // 3
    {b, candidate_timer,    always,            &Nemeth::win,       d},  // 4
    {b, reorganize,         always,            &Nemeth::alarm,     b},  // 6, "!"

    {c, candidate,          &Nemeth::less,     &Nemeth::yield,     c},  // 2
    {c, candidate,          &Nemeth::greater,  &Nemeth::yield,     c},  // 3
    {c, election_timer,     always,            &Nemeth::stand,     b},  // 5
    {c, reorganize,         always,            &Nemeth::join,      a},  // 6

    {d, candidate,          &Nemeth::less,     &Nemeth::yield,     c},  // 2
    {d, candidate,          &Nemeth::greater,  &Nemeth::alarm,     d},  // 3, "!"
    {d, reorganizing_timer, always,            &Nemeth::send_life, e},  // 7

    {e, candidate,          &Nemeth::less,     &Nemeth::yield,     c},  // 2

    // Rules of the text without a column in the table
    {a, life,               &Nemeth::counts,   &Nemeth::join,      a},  // waits for the next
    {e, life_interval,      &Nemeth::silent,   &Nemeth::stand,     b},  // a node failed
    {e, life_interval,      always,            &Nemeth::send_life, e},
}};

inline constexpr std::array<std::string_view, 5> printed{
//   1 2 3 4 5 6 7
    "b c c - - - -",  // a
    "- c b d - ! -",  // b
    "- c c - b a -",  // c
    "- c ! - - - e",  // d
    "- c - - - - -",  // e
};
// clang-format on

// Where the row for a printed state and event stands in `table`; behind its end: a blank cell.
constexpr std::size_t row_of(Nemeth::State in, std::size_t event) {
    constexpr std::array columns{life_timer,     candidate,  candidate,         candidate_timer,
                                 election_timer, reorganize, reorganizing_timer};
    bool skip = event == 3;  // stands behind event 2
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].in == in && table[i].upon == columns[event - 1] && !std::exchange(skip, false))
            return i;
    return table.size();
}
consteval bool as_printed() {
    for (const auto in : {a, b, c, d, e})
        for (std::size_t event = 1; event <= 7; ++event) {
            const char cell = printed[static_cast<std::size_t>(in)][2 * (event - 1)];
            const std::size_t at = row_of(in, event);
            if ((cell == '-') != (at == table.size())) return false;
            if (cell == '-') continue;
            if (table[at].then != (cell == '!' ? in : Nemeth::State(cell - 'a'))) return false;
        }
    return true;
}
static_assert(as_printed());
static_assert(every_row_can_fire(table));
static_assert(every_state_is_live(table, b, 5));

}  // namespace nemeth

constexpr const auto& Nemeth::rows() { return nemeth::table; }

template <class Event>
bool Nemeth::take(Turn& turn) {
    const State before = state;
    fire(nemeth::table, *this, nemeth::upon<Event>, turn);
    if (state == before) return false;
    if constexpr (Messages::contains<Event>)  // the timer of a state has the state's number
        turn.effects.timers.push_back({static_cast<std::uint8_t>(before), false, {}});
    return true;
}

// Rules 1 and 2
inline void Nemeth::stand(Turn& turn) {
    // A clock that runs is at no particular value when its node stands, unless just set to 0.
    if (turn.settings.clocks == Clocks::running && clock != 0)
        clock += turn.choose(turn.settings.clock_range);
    candidacy = tick(turn);
    acknowledged = {};
    commit.ask_around();
    turn.follow(nobody);
    turn.set<CandidateTimer>(turn.settings.candidate_timer);
    turn.broadcast(Candidate{candidacy});
}

// Rule 3
inline void Nemeth::yield(Turn& turn) {
    acknowledged = {};
    turn.follow(nobody);
    turn.set<ElectionTimer>(turn.settings.election_timer);
}

// Not printed: the rival may have come up after the candidate message passed.
inline void Nemeth::insist(Turn& turn) {
    if (turn.settings.repair) turn.reply(Candidate{candidacy});
}

// Rule 4
inline void Nemeth::win(Turn& turn) {
    turn.lead();
    turn.set<ReorganizingTimer>(turn.settings.reorganizing_timer);
    if (commit.propose(turn.me, acknowledged)) keep(turn);
    send_list(Reorganize{tick(turn), commit.prepared.number, commit.decided, acknowledged}, turn);
    if (acknowledged.empty()) apply_all(turn);
}

inline void Nemeth::join(Turn& turn) {
    turn.follow(turn.from);
    turn.set<LifeTimer>(turn.settings.life_timer);
}

inline void Nemeth::send_life(Turn& turn) {
    if (!commit.in_doubt()) commit.awaited = acknowledged;
    turn.set<LifeInterval>(turn.settings.life_interval);
    send_list(Life{tick(turn)}, turn);
}

inline void Nemeth::alarm(Turn& turn) {
    turn.report(state == State::candidate ? "(b,6): a reorganizing message reached a candidate"
                                          : "(d,3): a greater candidacy reached the reorganizer");
}

static_assert(Algorithm<Nemeth>);

}  // namespace conclave
