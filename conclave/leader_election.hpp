// Leader election as a program sees it: the interface of Elector, which is real, and of
// FakeElector, with which the program is tested.
//
// Every function may be called on any thread, at any time. docs/library.md has the rules on
// callbacks, fork, signals and destruction.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/glyph.hpp"
#include "conclave/core/time.hpp"

namespace conclave {

// How this program and its group stand, at one moment.
struct Leadership {
    bool leads = false;       // this program may act until `deadline`
    Time deadline{};          // on CLOCK_BOOTTIME; moves on while the lease is renewed
    std::uint64_t token = 0;  // fencing token of the leader, greater than all before; 0: not known
    std::string leader{};     // name of the leader; empty: there is none, or it is not known
    std::string address{};    // of the leader's node, IP:PORT; empty: not known
    std::string value{};      // that the leader publishes; empty: none, or not heard yet

    // How long this program may still act, by the clock of this moment; zero: it may not.
    Duration remaining() const;
    bool operator==(const Leadership&) const = default;
};

// A member of the group, as this program's node sees it.
struct Participant {
    std::string name{};
    std::string address{};  // IP:PORT; empty: never heard
    bool self = false;      // this program
    bool leads = false;
    bool alive = false;    // a follower watches its leader only: of the others, what it last knew
    bool witness = false;  // votes, but never leads
    bool healthy = true, paused = false;

    bool operator==(const Participant&) const = default;
};

enum class LogLevel : std::uint8_t { error = 3, warning = 4, notice = 5, info = 6 };  // syslog's

class LeaderElection {
public:
    // Something of the leadership changed, beside its deadline. When this program ceases to lead,
    // nobody else leads before the callback has returned or the deadline has passed: here the work
    // is stopped.
    using Changed = std::function<void(const Leadership&)>;
    // A line of the log, without time and name.
    using Logged = std::function<void(LogLevel, std::string_view line)>;

    static constexpr Duration for_ever = Duration::max();

    virtual ~LeaderElection() = default;

    // As of now: after its deadline nobody leads.
    virtual Leadership leadership() const = 0;
    // Waits until this program leads (`leads` is true), a stop is requested, `limit` has passed, or
    // the elector has failed (failure() says why); returns the leadership of that moment. It only
    // waits: an elector stands for election from its construction on.
    virtual Leadership campaign(std::stop_token stop = {}, Duration limit = for_ever) = 0;

    // Those below return an empty string when it is done, else a sentence that says why not.

    // Hands over to `successor`, or to the best candidate (empty), and stays in the group.
    virtual std::string resign(const std::string& successor = {}) = 0;
    // The value that all members see while this program leads, now or later; empty: none. UTF-8 of
    // at most published_most bytes without control characters.
    virtual std::string publish(const std::string& value) = 0;
    // A paused program keeps its role: it does not stand for election, and a leader leads on.
    virtual std::string pause() = 0;
    virtual std::string resume() = 0;

    // By name; empty while the group has not formed.
    virtual std::vector<Participant> participants() const = 0;
    // Why the elector ended by itself, if it did; empty: it works.
    virtual std::string failure() const = 0;

    // For poll and its like: readable when something has changed since the last take_news().
    virtual int fd() const = 0;
    virtual Leadership take_news() = 0;

protected:
    LeaderElection() = default;
    LeaderElection(const LeaderElection&) = default;
    LeaderElection& operator=(const LeaderElection&) = default;
};

}  // namespace conclave
