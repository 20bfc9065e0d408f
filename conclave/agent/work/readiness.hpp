// Reasons not to lead: the health check, an operator's word, and what this machine lacks.
// Facts for the member, which decides, and sentences for people.
#pragma once

#include <functional>
#include <string>

#include "conclave/agent/disk/state_keeper.hpp"
#include "conclave/agent/report/node_status.hpp"
#include "conclave/agent/site.hpp"
#include "conclave/agent/work/runner.hpp"

namespace conclave::agent {

class Readiness {
public:
    // `changed` is called after the member was told.
    Readiness(const Site& site, const StateKeeper& keeper, const Runner& runner,
              std::function<void()> changed);

    void set_healthy(bool well, const std::string& words);
    void set_paused(bool paused);
    // Looks for obstacles, and tells of a change.
    void look();

    bool healthy() const { return now_.healthy; }
    bool paused() const { return now_.paused; }
    bool able() const { return told_.empty(); }  // as it was told last
    // Why this machine cannot lead, however healthy its command is: a sentence. Empty: it can.
    std::string obstacle() const;
    member::Condition condition() const;
    FitnessStatus status() const;
    // A sentence about the health check, where it fails; else empty.
    std::string finding() const;

private:
    void tell();

    const Site& site_;
    const StateKeeper& keeper_;
    const Runner& runner_;
    std::function<void()> changed_;
    FitnessStatus now_{};
    std::string told_{};  // obstacle, as it was told last
};

}  // namespace conclave::agent
