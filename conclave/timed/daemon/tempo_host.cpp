#include "conclave/timed/daemon/tempo_host.hpp"

#include "conclave/election/tempo.hpp"

namespace conclave::timed {

namespace {

template <class Timer>
constexpr std::uint8_t place_of = TimeDaemon::Timers::index<Timer>;

}  // namespace

TempoHost::TempoHost(net::Loop& loop, Id me, std::uint64_t seed, Stage& stage)
    : loop_(loop), stage_(stage), me_(me), chance_(seed) {
    for (std::uint8_t timer = 0; timer < TimeDaemon::Timers::count; ++timer)
        alarms_[timer] = std::make_unique<net::Alarm>(loop, [this, timer] { expire(timer); });
}

void TempoHost::set_timing(const Timing& timing) {
    timing_ = timing;
    settings_ = timing.election;
    // Drawn, or all who change at once would stand at once.
    net::Alarm& election = *alarms_[place_of<TimeDaemon::ElectionTimer>];
    if (election.is_set()) election.set_after(draw());
    net::Alarm& sync = *alarms_[place_of<TimeDaemon::SyncTimer>];
    if (sync.is_set()) sync.set_earlier(loop_.time() + timing_.first_round);
}

void TempoHost::start() {
    daemon_ = {};
    running_ = true;
    take_turn(nobody, [](TimeDaemon& daemon, TimeDaemon::Turn& turn) { daemon.on(Start{}, turn); });
}

void TempoHost::rest() {
    running_ = false;
    daemon_ = {};
    for (const auto& alarm : alarms_) alarm->stop();
    stage_.turned();
}

void TempoHost::hear(Id from, const Message& message) {
    if (!running_) return;
    if (std::holds_alternative<Tsp::Sync>(message) ||
        std::holds_alternative<Tsp::Deputy>(message) ||
        std::holds_alternative<Tsp::Masterup>(message))
        inquiry_.answered();
    take_turn(from,
              [&](TimeDaemon& daemon, TimeDaemon::Turn& turn) { receive(daemon, message, turn); });
}

void TempoHost::suspect(Id id) {
    if (!running_) return;
    take_turn(nobody,
              [&](TimeDaemon& daemon, TimeDaemon::Turn& turn) { daemon.on(Suspect{id}, turn); });
}

void TempoHost::call() {
    if (!running_ || !stage_.may_lead()) return;
    take_turn(nobody, [](TimeDaemon& daemon, TimeDaemon::Turn& turn) { daemon.on(Call{}, turn); });
}

void TempoHost::resign() { hear(nobody, Tsp::Quit{}); }

void TempoHost::adjust_now() {
    if (leads()) expire(place_of<TimeDaemon::SyncTimer>);
}

Duration TempoHost::draw() {
    const auto range = static_cast<std::uint64_t>(settings_.R.count()) + 1;
    return settings_.r + Duration{static_cast<std::int64_t>(choose(range))};
}

bool TempoHost::asks_again(std::uint8_t timer) {
    if (timer != place_of<TimeDaemon::ElectionTimer>) return false;
    if (state() == State::slave && leader() != nobody && inquiry_.ask_again() &&
        stage_.ask(leader())) {
        alarms_[timer]->set(loop_.time() + timing_.ask);
        return true;
    }
    inquiry_.answered();  // or rather not: it stands, and may ask the next master
    return false;
}

// A daemon that must not become master waits on, and calls for one.
void TempoHost::expire(std::uint8_t timer) {
    if (asks_again(timer)) return;
    const bool stands = timer == place_of<TimeDaemon::ElectionTimer> ||
                        timer == place_of<TimeDaemon::NoMasterTimer>;
    if (stands && !stage_.may_lead()) {
        alarms_[timer]->set(loop_.time() + draw());
        return stage_.plead();
    }
    take_turn(nobody, [&](TimeDaemon& daemon, TimeDaemon::Turn& turn) {
        conclave::expire(daemon, timer, turn);
    });
}

template <class Do>
void TempoHost::take_turn(Id from, const Do& handle) {
    // The first round comes soon after a master took over.
    settings_.sync = leads() ? timing_.round : timing_.first_round;
    TimeDaemon::Turn turn{effects_, settings_, group_, *this, rows_};
    turn.me = turn.next = me_;
    turn.from = from;
    turn.now = loop_.time();
    effects_.clear();
    handle(daemon_, turn);
    for (const TimerChange& change : effects_.timers)
        change.set ? alarms_[change.timer]->set(turn.now + change.after)
                   : alarms_[change.timer]->stop();
    for (const Send<Message>& send : effects_.sends) stage_.send(send.to, send.message);
    stage_.turned();
}

}  // namespace conclave::timed
