// Runs a network of time daemons: tempo elects, the very code of conclave/clock keeps the time.
//
// Words of the election and probes go the same ways and are lost alike (time_election.hpp). Nobody
// in the run knows real time, but the report does.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "conclave/clock/master.hpp"
#include "conclave/simulator/time/time_scenario.hpp"

namespace conclave::simulator {

inline constexpr Duration absent = Duration::max();

// The clocks at one moment. Judged are those that are up, have been set and never broke down.
struct Moment {
    Time at{};
    std::vector<Duration> offsets;  // what users see minus real time, by id; absent: down or unset
    std::vector<Duration> bounds;   // their error bounds; absent: no trust
    std::vector<Id> leading;        // the masters
    double squares = 0;             // of the distances of those judged from their mean, in ns^2
    Duration mean{};                // of those judged
    Duration spread{};              // between the first and the last of those judged
    std::uint32_t judged = 0;
    std::uint32_t unset = 0;    // up, but nobody has told them the time
    std::uint32_t masters = 0;  // of the part that has the most
};

struct Takeover {
    Id master;
    Time at;
};

// Why a look at a clock that trusts itself is not held against it (time_judge.hpp).
enum class Excuse : std::uint8_t {
    leapt,      // its machine was paused, or its raw clock leapt, and nobody has measured it since
    broke,      // its rate changed at once, by less than the noise so far
    stranger,   // it follows another master than the one that reigns
    masterless  // no master reigns whose time a sound clock is behind
};
inline constexpr std::size_t excuses = 4;
std::string_view spell(Excuse excuse);

struct Excused {
    std::uint64_t looks = 0;
    std::uint64_t wrong = 0;  // of them: the truth lay outside of the bound all the same ...
    Duration longest{};       // ... for so long on end
    Duration worst{};         // ... by so much
    void add(const Excused& other);
};

// Whether the nodes' error bounds were true (time_judge.hpp).
struct BoundsOutcome {
    std::uint64_t judged = 0;      // looks at a node that trusted its clock
    std::uint64_t untrusting = 0;  // at a node that did not, and said so
    std::array<Excused, excuses> excused{};
    std::uint64_t excursions = 0;    // so often the truth lay outside
    Duration worst{};                // by so much at the most
    std::vector<Duration> widths;    // of the bounds, one for each look from the score on
    std::vector<Duration> doubts{};  // likewise, without the distance that the node knows of
};

struct TimeOutcome {
    std::vector<Moment> moments;
    std::vector<Takeover> takeovers;
    std::vector<std::string> story;  // what happened, a line each
    std::uint64_t packets = 0;       // probes and answers
    std::uint64_t probes = 0;
    std::uint64_t slave_seconds = 0;  // of all slaves under a master together
    std::uint64_t estimates = 0;      // answers that a master worked on
    std::uint64_t steps = 0;          // of clocks that had been set before
    std::uint64_t refusals = 0;       // corrections that a slave did not believe
    BoundsOutcome bounds;
};

// For reports: what one asks about a run.
double rms_deviation(const TimeOutcome& outcome, Time from);  // from the mean, in ns
Duration widest_spread(const TimeOutcome& outcome, Time from, Time until = never);
// From when on to the end the clocks stay within so much of each other; never: they do not.
Time settled_within(const TimeOutcome& outcome, Duration spread, Time from = Time{0});

// Of all widths, the one below which so many hundredths lie.
Duration width_at(const BoundsOutcome& bounds, std::size_t hundredths);

std::uint32_t most_masters(const TimeOutcome& outcome, Time from = Time{0});  // in one part

TimeOutcome run_time(const TimeScenario& scenario);

// The problems of a scenario, one sentence each.
std::vector<std::string> validate_time(const TimeScenario& scenario);

std::string to_json(const TimeScenario& scenario, const TimeOutcome& outcome);
// The looks that do not count, by excuse: an object of JSON, and a line each.
std::string excused_json(const BoundsOutcome& bounds);
std::string excused_text(const BoundsOutcome& bounds);

}  // namespace conclave::simulator
