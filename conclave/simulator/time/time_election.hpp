// The election among time daemons: TEMPO as the daemon hosts it (conclave/timed), in imaginary
// time.
//
// A probe is the adjustment that keeps a slave's election timer at rest, so what is lost on the way
// is lost for both. A slave that misses it asks again before it stands. Other words go once or, if
// they want an acknowledgement, up to five times with doubling waits. A master says LOOP after each
// round; of two that meet, the one with fewer clocks behind it quits. Who must not lead waits on
// and calls for a master.
#pragma once

#include <array>
#include <map>
#include <queue>

#include "conclave/election/tempo_daemon.hpp"
#include "conclave/election/tempo_timing.hpp"
#include "conclave/simulator/time/time_paths.hpp"

namespace conclave::simulator {

class TimeElection {
public:
    // The reaction of a master that meets another one with so many clocks behind it.
    struct Rivalry {
        virtual bool gives_way(Id me, Id rival, std::uint32_t clocks) = 0;  // hearing of it
        virtual bool quits(Id me, Id rival, std::uint32_t clocks) = 0;      // told to

    protected:
        ~Rivalry() = default;
    };
    TimeElection(const TimeScenario& scenario, const Decisions& decisions, TimePaths& paths,
                 Rivalry& rivalry);

    void run_until(Time time);
    // At once, whatever the scenario says.
    void crash(Id id);
    void recover(Id id);
    // A probe of this master has come in; it names its deputy.
    void adjust(Id slave, Id master);
    // A slave has not answered its master for long.
    void lose(Id master, Id slave);
    // How many clocks a node has behind it, and whether it may lead.
    void know(Id id, std::uint32_t clocks, bool eligible);

    bool is_up(Id id) const { return at(id).up; }
    Id leader_of(Id id) const { return at(id).daemon.leader; }
    const IdSet& slaves_of(Id master) const { return at(master).daemon.list; }
    // Slaves that miss their probes, with whom they asked; each is told once.
    std::vector<std::pair<Id, Id>> take_asked() { return std::exchange(asked_, {}); }
    std::uint64_t messages() const { return messages_; }  // sent so far

private:
    using Message = TimeDaemon::Turn::Message;
    using State = TimeDaemon::State;
    static constexpr std::size_t timers = TimeDaemon::Timers::count;

    struct Host {
        Id id = nobody, deputy = nobody;
        bool up = false, eligible = true;
        std::uint32_t clocks = 1, drawn = 0;
        TimeDaemon daemon{};
        Inquiry inquiry{};
        std::array<Time, timers> due{};  // never: not set
        Time looks = never;              // when it says LOOP
        std::uint32_t life = 0;          // what was planned in another is void
        bool leads() const {
            return daemon.state == State::master || daemon.state == State::conflict;
        }
    };
    enum class Kind : std::uint8_t { word, asks, loop, receipt };
    struct Letter {
        Kind kind = Kind::word;
        Id from = nobody, to = nobody;
        Message message{};
        std::uint32_t clocks = 0;
        std::uint64_t order = 0;  // of those that want a receipt; 0: it does not
    };
    struct Order {  // said until it is answered
        Letter letter{};
        std::uint32_t copies = 0, life = 0;
        Duration wait{};
        bool heard = false;  // obeyed once is enough
    };
    struct Event {
        enum class What : std::uint8_t { cue, timer, look, resend, arrive };
        Time at{};
        std::uint64_t order = 0;
        What what = What::cue;
        Id node = nobody;
        std::uint64_t slot = 0;
        bool operator<(const Event& other) const {
            return at != other.at ? at > other.at : order > other.order;
        }
    };

    Host& at(Id id) { return hosts_[static_cast<std::uint32_t>(id) - 1]; }
    const Host& at(Id id) const { return hosts_[static_cast<std::uint32_t>(id) - 1]; }
    void plan(Time at, Event::What what, Id node, std::uint64_t slot = 0);
    void plan_cues();
    void perform(const Event& event);
    void expire(Host& host, std::uint8_t timer);
    void look_around(Host& host);
    void start(Host& host);
    void stop(Host& host);
    template <class Do>
    void take_turn(Host& host, Id from, const Do& handle);
    void hear(Host& host, Id from, const Message& message);
    void say(Host& host, Id to, const Message& message);
    void post(Letter letter);
    void resend(std::uint64_t number);
    void arrive(std::uint64_t slot);
    void obey(Host& host, const Letter& letter);
    void mail(const Letter& letter);
    Duration draw(Host& host);

    const TimeScenario& scenario_;
    const Decisions& decisions_;
    TimePaths& paths_;
    Rivalry& rivalry_;
    TempoSettings settings_;
    TimeDaemon::Turn::Effects effects_;
    Rows rows_;
    std::vector<Host> hosts_;
    std::priority_queue<Event> agenda_;
    std::map<std::uint64_t, Letter> under_way_;
    std::map<std::uint64_t, Order> orders_;
    std::vector<std::pair<Id, Id>> asked_;
    std::uint64_t planned_ = 0, numbered_ = 0, messages_ = 0;
    Time now_{};
};

}  // namespace conclave::simulator
