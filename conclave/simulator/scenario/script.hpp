// The events of the scenario at fixed times, in order.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/scenario/scenario.hpp"
#include "conclave/simulator/world/layout.hpp"

namespace conclave::simulator {

struct Cue {
    // At equal times in this order: first what breaks, then who comes up, then who is told, then
    // who stands still.
    enum class What : std::uint8_t {
        crash,
        split,
        cut,
        heal,
        mend,
        calm,
        resume,
        start,
        recover,
        suspect,
        trust,
        call,
        pause,
        befall
    };
    Time time;
    What what;
    Id node = nobody;  // everyone: all nodes, in the order of the ring
    Id other = nobody;
    bool disk = true;
    const Partition* partition = nullptr;
    std::uint8_t which = 0;  // of what can befall it

    bool changes_network() const { return what >= What::split && what <= What::calm; }
    bool tells() const { return what >= What::suspect && what <= What::call; }
};

// One after the other.
class Cues {
public:
    explicit Cues(std::vector<Cue> script)
        : script_(std::move(script)), next_(script_.empty() ? never : script_.front().time) {}

    Time next_time() const { return next_; }
    const Cue& take() {
        const Cue& cue = script_[taken_++];
        next_ = taken_ == script_.size() ? never : script_[taken_].time;
        return cue;
    }

private:
    std::vector<Cue> script_;
    std::size_t taken_ = 0;
    Time next_;
};

// "partition 1,2 | 3", "cut 1 > 2", ...
std::string describe(const Cue& cue);

// When a run without an end of its own is cut off: long after any election should be over.
Time default_end(const Scenario& scenario);

// The wrong suspicions that an inaccurate detector comes to: with these in place of their number, a
// scenario runs just the same.
std::vector<Suspicion> draw_mistakes(const Scenario& scenario, Decisions& decisions);

std::vector<Cue> write_script(const Scenario& scenario, const Layout& layout, Decisions& decisions);

}  // namespace conclave::simulator
