// The interface of a system to the search: its first world, what may come after a world, and what
// is true in it. A world is a row of numbers; what they stand for is the model's own business.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/id.hpp"

namespace conclave::checker {

// One step of a run: enough to tell the story again.
struct Step {
    enum class Kind : std::uint8_t { event, lose, duplicate, discard, tick };
    Kind kind = Kind::event;
    std::uint8_t what = 0;    // of an event: checker::What
    std::uint8_t node = 0;    // position
    std::uint8_t from = 0;    // position + 1; 0: nobody
    std::uint32_t which = 0;  // message number or timer
    std::uint16_t index = 0;  // of the parcel on its link
    std::uint16_t way = 0;    // which outcome of its choices
    bool fault = false;       // it need not happen
    bool visible = false;     // somebody began or ceased to lead, or time is up
};

// Worlds that may come next, each as what it changes: most were seen before, and are never written
// out.
struct Successors {
    struct Change {
        std::uint32_t slot, part;
    };
    std::vector<Change> changes;      // of one successor after the other; the last word counts
    std::vector<std::uint32_t> ends;  // of each one's changes
    std::vector<std::uint64_t> prints;
    std::vector<Step> steps;
    std::vector<std::string_view> broken;  // the invariant that the step broke, or empty
    bool quiet = true;                     // nothing happens but faults
    bool onward = false;  // reduced steps that cannot run in a circle: each makes the world smaller

    std::size_t size() const { return prints.size(); }
    void clear() {
        changes.clear();
        ends.clear();
        prints.clear();
        steps.clear();
        broken.clear();
        quiet = true;
        onward = false;
    }
    // Makes a copy of the parent the k-th successor.
    void apply(std::size_t k, std::uint32_t* world) const {
        for (std::size_t i = k == 0 ? 0 : ends[k - 1]; i < ends[k]; ++i)
            world[changes[i].slot] = changes[i].part;
    }
};

// A world as seen from outside.
struct View {
    std::vector<Id> alive;
    std::vector<Id> followed;  // by each of them; nobody: it knows no leader
    bool time_is_up = false;   // the search looks no farther
    std::string lacking;       // by one of them at the end of a run, as the algorithm says
};

using GoesOn = std::function<bool(std::uint64_t made)>;

// One for each thread.
class Space {
public:
    virtual ~Space() = default;
    virtual std::size_t width() const = 0;
    // Changes of a world of zeros. Asks now and then whether to go on, with so many made; false:
    // no.
    virtual bool first(Successors& out, const GoesOn& goes_on) = 0;
    // `reduce`: the steps of one node suffice where they commute with everything else.
    virtual void expand(const std::uint32_t* world, std::uint64_t print, bool reduce,
                        Successors& out) = 0;
    virtual bool two_leaders(const std::uint32_t* world) const = 0;
    virtual View view(const std::uint32_t* world) const = 0;
    // Somebody could lead, and nobody does.
    virtual bool waits(const std::uint32_t* world) const = 0;
    virtual std::uint64_t rows_fired() const = 0;
    virtual bool clock_read() const = 0;  // somebody asked for the time of day, which nobody knows
    // Parts too many to be numbered, in words; empty: none. Steps were left out
    // then.
    virtual std::string_view outgrown() const { return {}; }
    virtual std::string world_text(const std::uint32_t* world) const = 0;
    virtual std::string step_text(const Step& step) const = 0;
    // Worlds that differ by a rotation of the ring, where nobody looks at names, are alike: the
    // fingerprint of the one that stands for all of them, and that one itself.
    virtual bool symmetric() const = 0;
    virtual std::uint64_t stand_in(const std::uint32_t* world, std::uint32_t* whole) = 0;
};

}  // namespace conclave::checker
