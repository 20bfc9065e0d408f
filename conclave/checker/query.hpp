// A question to the checker: which system, which faults, which properties, how far.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conclave/core/graph.hpp"
#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"

namespace conclave::checker {

enum class Timing : std::uint8_t {
    async,    // a message may take for ever, a timer may fire whenever it is set
    bounded,  // whole ticks: messages take delay_min..delay_max, timers fire when due
};

// How often each fault may strike in one run.
struct Budget {
    std::uint8_t crashes = 0;
    std::uint8_t recoveries = 0;  // with what was stored
    std::uint8_t blank_recoveries = 0;
    std::uint8_t losses = 0;
    std::uint8_t duplicates = 0;
    std::uint8_t mistakes = 0;        // wrong suspicions
    std::uint8_t calls = 0;           // elections called out of the blue
    std::uint8_t process_faults = 0;  // of those that the algorithm names

    bool operator==(const Budget&) const = default;
};

struct LinkDelay {
    Id from, to;
    std::uint32_t ticks;
};

struct Query {
    std::string algorithm;
    std::vector<Id> ring;        // the nodes 1..N in the order of the ring
    GraphPlan graph;             // where the algorithm runs on one: of the places in `ring`
    std::vector<Id> initiators;  // who calls an election when it starts
    std::vector<Id> late;        // who may start at any later time; the others start first
    std::uint32_t late_from = 0, late_until = 0;  // in these ticks, where ticks are counted
    bool late_all = false;  // and all of them do, before late_until; else some may never
    std::vector<std::pair<Id, std::uint32_t>> attributes;
    std::vector<std::pair<std::string, std::string>> settings;

    Timing timing = Timing::async;
    Duration tick = std::chrono::milliseconds(1);
    std::uint32_t delay_min = 0;
    std::uint32_t delay_max = 1;  // ticks; `unlimited`: only clocks are bounded, messages are not
    static constexpr std::uint32_t unlimited = 0xffffffff;
    std::uint32_t rate_max = 1;     // a clock advances 1..rate_max units a tick
    std::uint32_t ticks_max = 0;    // bounded: time ends then; 0: it goes on for ever
    bool endless = false;           // bounded: it goes on for ever, and ticks_max are counted
    std::vector<LinkDelay> delays;  // of links whose messages all take equally long
    bool detector = false;          // crashes are noticed, at any time afterwards
    Budget budget;
    std::uint32_t faults_from = 0, faults_until = 0;  // ticks in which it may be spent; 0: all
    bool start_steps = false;  // each node's start is a step of its own; else all have started
    std::uint32_t choices_max = 16;  // of one choice; more are tried at evenly spaced places
    // Planted faults, to see that they are found: rows of the table and rules that do not apply,
    // messages by their place in the list that are never sent, who ranks the others upside down.
    std::uint64_t rows_off = 0, rules_off = 0, mute = 0;
    Id contrary = nobody;
    std::uint64_t faults_off = 0;  // bits of the faults that are left out
    std::vector<Id> callers;       // who may be called out of the blue; empty: everybody

    std::vector<std::string> properties;
    bool reduce = true, rotate = true, exact = false;
    bool shortest = false;  // look once more, unreduced, whether there is a shorter counterexample
    std::uint32_t threads = 1;
    std::uint64_t salt = 0;
    std::uint64_t states_max = 0;  // 0: no limit
    Duration time_max{};           // of wall clock; 0: no limit
};

}  // namespace conclave::checker
