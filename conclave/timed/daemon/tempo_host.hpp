// Hosts the election of TEMPO, as it is, on this machine's loop.
//
// The algorithm's messages go to the stage, which puts it into datagrams; acknowledgement and
// repetition are the stage's as well, for BSD timed has its own schedule of it. Before a slave
// stands it asks its master again (election/tempo_timing.hpp).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <random>

#include "conclave/election/tempo_daemon.hpp"
#include "conclave/election/tempo_timing.hpp"
#include "conclave/net/loop.hpp"
#include "conclave/timed/daemon/timing.hpp"

namespace conclave::timed {

class TempoHost final : private Chance {
public:
    using Message = TimeDaemon::Turn::Message;
    using State = TimeDaemon::State;

    // It must not call the brain meanwhile, but for looking at it.
    struct Stage {
        virtual void send(Id to, const Message& message) = 0;
        virtual void turned() = 0;  // a turn is over
        // May this machine become master, as things are?
        virtual bool may_lead() const = 0;
        // Nobody adjusts this daemon, and it must not stand itself.
        virtual void plead() = 0;
        // The master is to adjust this daemon at once. False: it is none that can be asked to.
        virtual bool ask(Id master) = 0;

    protected:
        ~Stage() = default;
    };

    TempoHost(net::Loop& loop, Id me, std::uint64_t seed, Stage& stage);

    void start();
    void hear(Id from, const Message& message);
    void suspect(Id id);
    void call();  // an election, now
    // As master: is a slave of nobody from now on.
    void resign();
    void adjust_now();  // as master, without waiting for the next round
    // Out of the election, as if this machine were down; until start.
    void rest();
    bool rests() const { return !running_; }

    // From now on, and for what is already being waited for.
    void set_timing(const Timing& timing);

    const TimeDaemon& daemon() const { return daemon_; }
    State state() const { return daemon_.state; }
    Id leader() const { return daemon_.leader; }
    bool leads() const { return state() == State::master || state() == State::conflict; }

private:
    template <class Do>
    void take_turn(Id from, const Do& handle);
    void expire(std::uint8_t timer);
    bool asks_again(std::uint8_t timer);
    Duration draw();  // an election timer
    std::uint64_t choose(std::uint64_t n) override { return chance_() % n; }

    net::Loop& loop_;
    Stage& stage_;
    Id me_;
    bool running_ = false;
    TimeDaemon daemon_{};
    Inquiry inquiry_{};
    Timing timing_{};
    TempoSettings settings_{};
    TimeDaemon::Turn::Effects effects_;
    Group group_{};  // ids are digests of names, and the greater is the better
    Rows rows_;
    std::mt19937_64 chance_;
    std::array<std::unique_ptr<net::Alarm>, TimeDaemon::Timers::count> alarms_;
};

}  // namespace conclave::timed
