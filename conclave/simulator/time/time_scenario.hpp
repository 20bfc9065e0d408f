// A network of clocks to be kept together: everything that is decided before a run.
//
// The nodes, their election, faults of nodes and links are those of any scenario; what is added is
// what clocks and packets of time daemons need: oscillators that walk, swing and break, paths whose
// delays scatter in many ways, and how the daemons are to work. docs/clocks.md lists the words.
#pragma once

#include "conclave/clock/estimator.hpp"
#include "conclave/clock/servo.hpp"
#include "conclave/simulator/scenario/scenario.hpp"
#include "conclave/simulator/scenario/words.hpp"

namespace conclave::simulator {

// How much longer than the path a packet takes, at random.
struct Jitter {
    enum class Shape : std::uint8_t {
        none,
        exponential,  // of this mean, both ways
        uniform,      // up to this
        gaussian,     // of this deviation, to both sides
        burst,        // exponential, but for 20 s out of every 200 s or so twentyfold
        one_way,      // exponential from lower to higher ids, a tenth of it back
    };
    Shape shape = Shape::none;
    Duration size{};
    bool operator==(const Jitter&) const = default;
};

struct Lag {  // packets from one node to the other take so much longer
    Id from, to;
    Duration delay;
    Span when{};  // always, or as long as they go another way
    bool operator==(const Lag&) const = default;
};

struct Breakdown {  // what goes wrong with a clock: its rate changes, or it is set
    Id node;
    Time at;
    clock::Rate rate{};  // added to its own
    Duration step{};     // added to what it shows ...
    Duration every{};    // ... again and again; 0: once
    bool operator==(const Breakdown&) const = default;
};

struct Stop {  // a machine stands still, and its clocks with it
    Id node;
    Span when;
    bool asleep;  // then the sleep is added to what people see; a paused virtual machine knows
                  // nothing
    bool operator==(const Stop&) const = default;
};

struct Jump {  // somebody sets the clock that people see
    Id node;
    Time at;
    Duration by;
    bool operator==(const Jump&) const = default;
};

struct Swing {  // the temperature: each rate goes up and down by this, each at its own phase
    clock::Rate rate{};
    Duration period = std::chrono::minutes(10);
    bool operator==(const Swing&) const = default;
};

struct TimeScenario {
    enum class Keeping : std::uint8_t { ensemble, paper };  // ours, or Gusella & Zatti's mean

    Scenario world;
    Duration path = std::chrono::microseconds(50);
    Jitter jitter;
    std::vector<Lag> lags;
    clock::Rate walk{};  // of every rate, in one second
    Swing swing;
    std::vector<Breakdown> breakdowns;
    std::vector<Stop> stops;
    std::vector<Jump> jumps;
    std::vector<Jump> dates;  // conclave timed set on this node: the whole network's time is moved

    Keeping keeping = Keeping::ensemble;
    Duration probe = std::chrono::seconds(1);  // so often each slave is asked
    Duration fast = std::chrono::milliseconds(125);
    Duration fast_for = std::chrono::seconds(10);  // while it is new
    clock::EstimatorSettings estimator;
    Duration interval = std::chrono::milliseconds(200);
    clock::StepPolicy step;
    clock::Rate slew_limit = clock::ServoSettings{}.limit;

    Time score{};                             // rms and spread count from then on
    Duration look = std::chrono::seconds(1);  // so often the clocks are compared
};

// As conclave timed sim has it: tempo with a deputy, and masters that announce themselves.
TimeScenario usual_time_scenario();

// The options that are about clocks and paths; all others are those of the world's scenario.
const options::Table<TimeScenario>& time_table();

// Rows of both tables: the clocks' own, then the world's.
std::vector<options::Row> time_rows();

// Does what is given. Empty, or one sentence with place, value and remedy.
std::string tell_time(TimeScenario& scenario, std::vector<options::Given> given);
// Does what a file says. Empty, or one sentence with place, value and remedy.
std::string read_time_scenario(TimeScenario& scenario, std::string_view text,
                               std::string_view name);
// A file that makes a usual scenario like this one, and the same as words.
std::string to_toml(const TimeScenario& scenario);
std::vector<options::Given> to_given(const TimeScenario& scenario);

}  // namespace conclave::simulator
