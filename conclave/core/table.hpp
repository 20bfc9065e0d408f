// A paper's state-transition table as data: run it, check it while compiling, print it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "conclave/core/algorithm.hpp"

namespace conclave {

inline constexpr struct Always {
} always;  // an empty cell in the column "if"

template <class Machine>
struct Guard {
    using Test = bool (Machine::*)(const typename Machine::Turn&) const;
    bool given = false;
    Test test = nullptr;
    constexpr Guard(Always) {}
    constexpr Guard(Test t) : given(true), test(t) {}
};

inline constexpr struct Nothing_ {
} nothing;  // an empty cell in the column "do"

template <class Machine>
struct Action {
    using Do = void (Machine::*)(typename Machine::Turn&);
    bool given = false;
    Do what = nullptr;
    constexpr Action(Nothing_) {}
    constexpr Action(Do d) : given(true), what(d) {}
};

template <class Machine>
struct Row {
    typename Machine::State in;
    std::uint8_t upon;
    Guard<Machine> guard;
    Action<Machine> action;
    typename Machine::State then;
};

// Performs the first row that applies; false for a blank cell of the table: the event is ignored.
// The state changes before the action, which may still change it again.
template <class Machine, std::size_t N>
bool fire(const std::array<Row<Machine>, N>& table, Machine& machine, std::uint8_t event,
          typename Machine::Turn& turn) {
    static_assert(N <= 64, "Rows counts up to 64 rows");
    for (std::size_t i = 0; i < N; ++i) {
        const auto& row = table[i];
        if (row.in != machine.state || row.upon != event) continue;
        if (row.guard.given && !(machine.*row.guard.test)(turn)) continue;
        const std::uint64_t bit = std::uint64_t{1} << i;
        if ((turn.rows.off & bit) != 0) continue;
        turn.rows.fired |= bit;
        machine.state = row.then;
        if (row.action.given) (machine.*row.action.what)(turn);
        return true;
    }
    return false;
}

// Is no row hidden behind an earlier row that always applies?
template <class Machine, std::size_t N>
consteval bool every_row_can_fire(const std::array<Row<Machine>, N>& table) {
    for (std::size_t later = 0; later < N; ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier)
            if (table[earlier].in == table[later].in && table[earlier].upon == table[later].upon &&
                !table[earlier].guard.given)
                return false;
    return true;
}

// Can every state be entered from `first`, and left again?
template <class Machine, std::size_t N>
consteval bool every_state_is_live(const std::array<Row<Machine>, N>& table,
                                   typename Machine::State first, std::size_t states) {
    std::array<bool, enumerators_max> entered{}, left{};
    entered[static_cast<std::size_t>(first)] = true;
    for (std::size_t pass = 0; pass < states; ++pass)
        for (const auto& row : table)
            if (entered[static_cast<std::size_t>(row.in)])
                entered[static_cast<std::size_t>(row.then)] = true;
    for (const auto& row : table)
        if (row.in != row.then) left[static_cast<std::size_t>(row.in)] = true;
    for (std::size_t state = 0; state < states; ++state)
        if (!entered[state] || !left[state]) return false;
    return true;
}

// "Election", "Accept [guarded]": when a row applies.
template <class Machine>
std::string row_cause(const Row<Machine>& row) {
    return std::string(EventsOf<Machine>::names[row.upon]) + (row.guard.given ? " [guarded]" : "");
}

// "slave + Election -> accept": a row's name, for coverage and mutation reports.
template <class Machine>
std::string row_name(const Row<Machine>& row) {
    return std::string(name_of(row.in)) + " + " + row_cause(row) + " -> " +
           std::string(name_of(row.then));
}

// The table as Graphviz, so that the documentation cannot drift from the code.
template <class Machine, std::size_t N>
std::string to_dot(const std::array<Row<Machine>, N>& table) {
    std::string dot = "digraph " + std::string(type_name<Machine>()) + " {\n";
    for (const auto& row : table)
        dot += "  " + std::string(name_of(row.in)) + " -> " + std::string(name_of(row.then)) +
               " [label=\"" + row_cause(row) + "\"]\n";
    return dot + "}\n";
}

}  // namespace conclave
