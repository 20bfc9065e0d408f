// How a roster of a given size comes to be, once: when exactly so many names have been heard, and
// all of them have heard the same, it is fixed.
//
// What has been heard is never forgotten, and a list of that size not even in a crash: it is on
// disk before it is said. So a node says one list of that size at most, and no two different
// rosters can both have the word of one node. A node that comes later, its memory lost, takes the
// roster from the others, if it stands in it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conclave/agent/roster.hpp"

namespace conclave::agent {

class Formation {
public:
    // `said`: the list of that size that this node has said in a former life; else empty.
    Formation(std::string group, std::string me, std::uint32_t expected,
              std::vector<std::string> said = {});

    // Another node says whom it has heard of, or, when it is fixed, who its roster is.
    void hear(const std::string& name, const std::vector<std::string>& list, bool fixed);

    const std::vector<std::string>& known() const { return known_; }  // me included, in order
    bool complete() const { return known_.size() == expected_; }      // as far as I have heard
    std::optional<Roster> result() const;
    // Why it cannot be: a sentence. `final`: no waiting helps, this node must go.
    struct Obstacle {
        std::string sentence;
        bool final = false;
    };
    std::optional<Obstacle> obstacle() const;

private:
    std::string group_, me_;
    std::uint32_t expected_;
    std::vector<std::string> known_;
    std::map<std::string, std::vector<std::string>> lists_;  // as each last said it
    std::vector<std::string> fixed_;                         // by the others
};

}  // namespace conclave::agent
