// A node that is told that it cannot be here: its name is taken, or the group is complete.
//
// Only a newcomer gives way: a node that is at work goes on. And it does so only when the objection
// is repeated for as long as it takes to detect a silent node: its own former life, heard late, is
// no reason to end.
#pragma once

#include <chrono>
#include <cstdint>

#include "conclave/core/time.hpp"

namespace conclave::member {

struct Objections {
    Time first{}, last = -std::chrono::hours(24);
    bool newcomer = false;  // this node was one when they began

    // One more. True: this node must end. `settled`: it has a roster; `age`: it is up for so long.
    bool hear(Time now, Duration detect, bool settled, Duration age) {
        if (now - last > detect) *this = {now, now, !settled || age < 5 * detect};
        last = now;
        return newcomer && now - first >= detect;
    }
};

// Of two nodes with one name: the one that is up for longer stays, else the greater identity.
struct Namesake {
    Duration age{};
    std::uint64_t identity = 0;
};
inline bool was_first(const Namesake& a, const Namesake& b) {
    return a.age != b.age ? a.age > b.age : a.identity > b.identity;
}

}  // namespace conclave::member
