// The stage on which TEMPO's claims and tests are played, and what one can see from the stalls.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "conclave/claims/measuring.hpp"
#include "conclave/election/tempo_daemon.hpp"

namespace conclave::claims::tempo {

using namespace std::chrono_literals;
using simulator::Outcome;
using simulator::Scenario;

// Node 1 comes up first and is the master at 50 ms. The others come up 5 ms after each other from
// 105 ms on, so that up to a hundred are slaves when the clocks are first adjusted, at 1.05 s.
// With one delay for all messages, the slaves' election timers are always set together. As in the
// paper, all start-up timers are equal.
Scenario settled(std::uint32_t nodes, std::uint64_t seed = 1);
inline constexpr Time crash_time = 2060ms;  // just after the second adjustment

// The same, but the master crashes then.
Scenario bereft(std::uint32_t nodes, std::uint64_t seed = 1);

// Master 1 with 2 and 3 is cut off from 4, 5 and 6 until 10 s; newcomers come up at 15 s.
Scenario healed(std::uint32_t newcomers = 0);

Scenario with(Scenario scenario, const std::string& key, const std::string& value);

// One run of the very code that the hosts run, with eyes.
class TempoStage {
public:
    explicit TempoStage(const Scenario& scenario, trace::Trace* trace = nullptr);
    TempoStage(const TempoStage&) = delete;
    TempoStage& operator=(const TempoStage&) = delete;

    void run_until(Time time);
    // Until somebody leads, and for so long after; the time at which it was seen.
    Time run_to_master(Time from, Time latest, Duration after);
    void crash(Id id);
    void restart(Id id);

    const TimeDaemon& daemon(std::uint32_t id) const;
    TimeDaemon::State state(std::uint32_t id) const { return daemon(id).state; }
    Id leader(std::uint32_t id) const;
    IdSet masters() const;
    Outcome look();

private:
    simulator::Decisions decisions_;
    std::unique_ptr<simulator::AnyWorld> world_;
};

// How many messages of each type were sent between two looks, zeros left out.
std::map<std::string, std::uint64_t> sent_between(const Outcome& before, const Outcome& after);
// "Accept 2, Ack 2": the same for people.
std::string describe(const std::map<std::string, std::uint64_t>& counts);

std::size_t masters_at(const Scenario& scenario, Time time);
// Were there ever two masters who could reach each other?
bool two_masters(Scenario scenario, Time until);

// The run between two times as a diagram, with the command that repeats it.
Exhibit exhibit_of(std::string caption, Scenario scenario, Time from, Time until);

}  // namespace conclave::claims::tempo
