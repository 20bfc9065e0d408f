// A run that its caller takes forward piece by piece and looks at in between, whatever the
// algorithm: the World of one, behind functions that compile without it.
#pragma once

#include "conclave/core/card.hpp"
#include "conclave/core/check.hpp"
#include "conclave/simulator/outcome.hpp"
#include "conclave/simulator/scenario/script.hpp"

namespace conclave::simulator {

class AnyWorld {
public:
    explicit AnyWorld(const Card& card) : card_(card) {}
    virtual ~AnyWorld() = default;
    AnyWorld(const AnyWorld&) = delete;
    AnyWorld& operator=(const AnyWorld&) = delete;

    virtual Outcome run() = 0;  // to the end that the scenario has
    virtual void run_until(Time time) = 0;
    virtual void act_now(const Cue& cue) = 0;  // at once, whatever the scenario says
    virtual Outcome finish() = 0;              // judged as if the run ended here

    virtual Id leader_of(Id id) const = 0;
    virtual bool is_up(Id id) const = 0;
    virtual const Group& group() const = 0;

    // A node's state, for those who know the algorithm.
    template <class A>
    const A& node(Id id) const {
        check(&card_ == &A::card, "the world runs this algorithm");
        return *static_cast<const A*>(state_of(id));
    }

private:
    virtual const void* state_of(Id id) const = 0;

    const Card& card_;
};

}  // namespace conclave::simulator
