// The member that is watched, and what the model remembers of it beside its code.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "conclave/member/machine.hpp"

namespace conclave::proofs {

using namespace lease;
using conclave::operator==;

// As lease::Willing; with a type of its own, so that the checker's lease is not watched.
struct Wishing {
    static constexpr Card card{"",     "-",       Network::full,        Links::any,
                               "none", "nothing", {false, false, false}};
    struct Hint {};
    using Turn = conclave::Turn<Types<Hint>>;

    bool wants = false;

    void on(Call, Turn& turn) {
        wants = !wants;
        turn.follow(wants ? turn.me : turn.next);
    }
    void on(Hint, Turn&) {}
    std::string_view label() const { return wants ? "willing" : "idle"; }
};

using Lease = Leased<Wishing>;
using Machinery = member::Machine<Lease>;  // agent, guardian, command and disk of one member
using Outer = Machinery::Turn;

struct Entered {  // in the census of a member that lost its disk
    Id member;
    Ballot highest;
};

// In a tick of true time, a clock of the search goes on by one unit or by two. So a promise of L on
// its voter's clock lasts for P = L / 2 at least, and so long an answered ask supports a lease.
inline constexpr Duration tick = std::chrono::milliseconds(1);
inline Duration support_of(const Machinery::Settings& settings) {
    return settings.agent.promise / 2;
}

// What the code does not remember, and the model does. `silence` is on the member's own clock; asks
// and answers are in true time.
struct Ghost {
    Lease::Stored durable;         // what a crash of the machine leaves
    std::vector<Asked> asks;       // of the open candidacy, and when they left
    std::vector<Answered> grants;  // and who answered
    Time silence = long_ago;
    std::vector<Entered> entries;
    std::uint32_t members = 0;
    Id me = nobody;
    std::uint32_t wrong = 0;  // a number of faults()

    void age(Duration by, Duration supports) {
        move_back(silence, by);
        for (Asked& each : asks) move_back(each.sent, tick, supports);
        for (Answered& each : grants) move_back(each.sent, tick, supports);
        const auto over = [](const auto& each) { return each.sent == long_ago; };
        std::erase_if(asks, over);
        std::erase_if(grants, over);
    }
};

// Sentences that outlive every search, by number.
class Faults {
public:
    std::uint32_t number(const std::string& what) {
        const std::lock_guard lock(mutex_);
        const auto at = std::find(list_.begin(), list_.end(), what);
        if (at != list_.end()) return static_cast<std::uint32_t>(at - list_.begin()) + 1;
        list_.push_back(what);
        return static_cast<std::uint32_t>(list_.size());
    }
    std::string_view text(std::uint32_t number) {
        const std::lock_guard lock(mutex_);
        return number == 0 ? std::string_view() : std::string_view(list_.at(number - 1));
    }

private:
    std::mutex mutex_;
    std::deque<std::string> list_;
};
inline Faults& faults() {
    static Faults faults;
    return faults;
}

}  // namespace conclave::proofs
