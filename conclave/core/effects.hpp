// The requests of a node to its host in one turn, kept apart by kind.
//
// The host owns these buffers and reuses them, so that a turn allocates nothing, and performs them
// in the order of the fields: what must survive a crash is stored before anybody hears of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conclave/core/id.hpp"
#include "conclave/core/text.hpp"
#include "conclave/core/time.hpp"
#include "conclave/core/types.hpp"

namespace conclave {

template <class Message>
struct Send {
    Id to;  // or everyone: all but the sender
    Message message;
};

struct TimerChange {
    std::uint8_t timer;  // place in the list of timers
    bool set;            // else stopped
    Duration after;      // on the node's own clock
};

// `Inner` is the algorithm inside an algorithm, whose turns fill buffers of their own.
template <class Message, class Stored = Nothing, class Inner = Nothing>
struct Effects {
    std::optional<Stored> stored;
    std::size_t unbound = 0;   // so many of `sends` were said before anything was stored
    std::optional<Id> leader;  // whom the node now believes to lead
    std::vector<TimerChange> timers;
    std::vector<Send<Message>> sends;
    std::vector<std::string_view> reports;  // for the people: what should never happen, did
    [[no_unique_address]] Inner inner{};

    void clear() {
        stored.reset();
        unbound = 0;
        leader.reset();
        timers.clear();
        sends.clear();
        reports.clear();
    }
};

// One line an effect, in the order in which a host performs them: "Send(9, Candidate(7))".
template <class Timers, class Message, class Stored, class Inner>
std::vector<std::string> describe(const Effects<Message, Stored, Inner>& effects) {
    std::vector<std::string> lines;
    if (effects.stored) lines.push_back("Store(" + text(*effects.stored) + ")");
    if (effects.leader) lines.push_back("Follow(" + text(*effects.leader) + ")");
    for (const TimerChange& change : effects.timers) {
        const std::string name(Timers::names.size() == 0 ? "" : Timers::names.data()[change.timer]);
        lines.push_back(change.set ? "Set(" + name + ", " + text(change.after) + ")"
                                   : "Stop(" + name + ")");
    }
    for (const auto& send : effects.sends)
        lines.push_back((send.to == everyone ? "Broadcast(" : "Send(" + text(send.to) + ", ") +
                        text(send.message) + ")");
    for (const std::string_view report : effects.reports)
        lines.push_back("Report(" + std::string(report) + ")");
    return lines;
}

}  // namespace conclave
