#include "conclave/simulator/time/time_election.hpp"

#include "conclave/core/check.hpp"
#include "conclave/core/settings.hpp"
#include "conclave/election/tempo.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

namespace {

constexpr Duration soon = std::chrono::milliseconds(10);  // whoever stands still goes on

template <class Timer>
constexpr std::uint8_t place_of = TimeDaemon::Timers::index<Timer>;

template <class... Words>
bool is_one_of(const TimeDaemon::Turn::Message& message) {
    return (std::holds_alternative<Words>(message) || ...);
}

TempoSettings election_settings(const TimeScenario& scenario) {
    TempoSettings settings = own_tempo(std::chrono::seconds(1));
    for (const auto& [key, value] : scenario.world.settings) {
        const std::string problem = apply_setting(settings, key, value);
        check(problem.empty(), problem.c_str());
    }
    return settings;
}

}  // namespace

TimeElection::TimeElection(const TimeScenario& scenario, const Decisions& decisions,
                           TimePaths& paths, Rivalry& rivalry)
    : scenario_(scenario),
      decisions_(decisions),
      paths_(paths),
      rivalry_(rivalry),
      settings_(election_settings(scenario)) {
    for (std::uint32_t id = 1; id <= scenario.world.nodes; ++id) {
        hosts_.push_back({.id = Id{id}});
        hosts_.back().due.fill(never);
    }
    plan_cues();
}

// ---------------------------------------------------------------- what happens when

void TimeElection::plan(Time at, Event::What what, Id node, std::uint64_t slot) {
    agenda_.push({at, planned_++, what, node, slot});
}

// A cue's slot says whether the node comes up.
void TimeElection::plan_cues() {
    const Scenario& world = scenario_.world;
    for (const Host& host : hosts_) {
        Time at{};
        for (const Startup& startup : world.starts)
            if (startup.node == host.id) at = startup.at;
        plan(at, Event::What::cue, host.id, 1);
    }
    for (const Crash& crash : world.crashes) plan(crash.at, Event::What::cue, crash.node, 0);
    for (const Recovery& recovery : world.recoveries)
        plan(recovery.at, Event::What::cue, recovery.node, 1);
}

void TimeElection::run_until(Time time) {
    while (!agenda_.empty() && agenda_.top().at <= time) {
        const Event event = agenda_.top();
        agenda_.pop();
        now_ = event.at;
        perform(event);
    }
    now_ = time;
}

void TimeElection::perform(const Event& event) {
    using What = Event::What;
    switch (event.what) {
        case What::cue: return event.slot != 0 ? start(at(event.node)) : stop(at(event.node));
        case What::arrive: return arrive(event.slot);
        case What::resend: return resend(event.slot);
        case What::look:
            if (at(event.node).looks != event.at) return;
            if (!paths_.paused(event.node, now_)) return look_around(at(event.node));
            return plan(at(event.node).looks = now_ + soon, What::look, event.node);
        case What::timer: {
            Host& host = at(event.node);
            const auto timer = static_cast<std::uint8_t>(event.slot);
            if (host.due[timer] != event.at) return;
            if (!paths_.paused(host.id, now_)) return expire(host, timer);
            host.due[timer] = now_ + soon;
            return plan(host.due[timer], What::timer, host.id, timer);
        }
    }
}

void TimeElection::crash(Id id) { stop(at(id)); }
void TimeElection::recover(Id id) { start(at(id)); }

void TimeElection::start(Host& host) {
    if (host.up) return;
    host.up = true;
    host.daemon = {};
    take_turn(host, nobody,
              [](TimeDaemon& daemon, TimeDaemon::Turn& turn) { daemon.on(Start{}, turn); });
}

void TimeElection::stop(Host& host) {
    host.up = false;
    host.daemon = {};
    host.inquiry = {};
    host.due.fill(never);
    host.looks = never;
    ++host.life;
}

// ---------------------------------------------------------------- hosting the algorithm

template <class Do>
void TimeElection::take_turn(Host& host, Id from, const Do& handle) {
    struct Draws final : Chance {
        Draws(const Decisions& source, Host& drawing) : decisions(source), host(drawing) {}
        std::uint64_t choose(std::uint64_t n) override {
            return below(n, decisions.bits({Purpose::choose, host.id, nobody, host.drawn++}));
        }
        const Decisions& decisions;
        Host& host;
    } draws(decisions_, host);
    const Group group{};  // the greater id is the better
    TimeDaemon::Turn turn{effects_, settings_, group, draws, rows_};
    turn.me = turn.next = host.id;
    turn.from = from;
    turn.now = now_;
    effects_.clear();
    const bool led = host.leads();
    handle(host.daemon, turn);
    for (const TimerChange& change : effects_.timers) {
        host.due[change.timer] = change.set ? now_ + change.after : never;
        if (change.set) plan(now_ + change.after, Event::What::timer, host.id, change.timer);
    }
    const auto sends = effects_.sends;  // what is said may be heard by oneself at once
    if (host.leads() && !led) plan(host.looks = now_ + settings_.sync, Event::What::look, host.id);
    if (!host.leads()) host.looks = never;
    for (const Send<Message>& send : sends) say(host, send.to, send.message);
    // As a daemon that quits: who made it do so has one more slave.
    if (led && !host.leads()) post({Kind::word, host.id, everyone, Tsp::Slaveup{}});
}

void TimeElection::hear(Host& host, Id from, const Message& message) {
    take_turn(host, from,
              [&](TimeDaemon& daemon, TimeDaemon::Turn& turn) { receive(daemon, message, turn); });
}

void TimeElection::expire(Host& host, std::uint8_t timer) {
    host.due[timer] = never;
    const bool silent = timer == place_of<TimeDaemon::ElectionTimer>;
    const auto wait = [&](Duration time) {
        host.due[timer] = now_ + time;
        plan(now_ + time, Event::What::timer, host.id, timer);
    };
    if (silent && host.daemon.state == State::slave && host.daemon.leader != nobody &&
        host.inquiry.ask_again()) {
        post({Kind::asks, host.id, host.daemon.leader});
        return wait(Inquiry::pause(settings_.sync));
    }
    if (!host.eligible && (silent || timer == place_of<TimeDaemon::NoMasterTimer>)) {
        wait(draw(host));
        const bool unmet = host.daemon.state == State::no_master;
        return post({Kind::word, host.id, everyone,
                     unmet ? Message{Tsp::Masterreq{}} : Message{Tsp::Slaveup{}}});
    }
    if (silent) host.inquiry.answered();  // or rather not: it stands, and may ask the next master
    take_turn(host, nobody, [&](TimeDaemon& daemon, TimeDaemon::Turn& turn) {
        conclave::expire(daemon, timer, turn);
    });
}

Duration TimeElection::draw(Host& host) {
    const auto range = static_cast<std::uint64_t>(settings_.R.count()) + 1;
    const std::uint64_t some =
        below(range, decisions_.bits({Purpose::choose, host.id, nobody, host.drawn++}));
    return settings_.r + Duration{static_cast<std::int64_t>(some)};
}

void TimeElection::adjust(Id slave, Id master) {
    Host& host = at(slave);
    if (!host.up) return;
    host.inquiry.answered();
    at(master).deputy == slave ? hear(host, master, Tsp::Deputy{})
                               : hear(host, master, Tsp::Sync{});
}

void TimeElection::lose(Id master, Id slave) {
    take_turn(at(master), nobody,
              [&](TimeDaemon& daemon, TimeDaemon::Turn& turn) { daemon.on(Suspect{slave}, turn); });
}

void TimeElection::know(Id id, std::uint32_t clocks, bool eligible) {
    at(id).clocks = clocks;
    at(id).eligible = eligible;
}

void TimeElection::look_around(Host& host) {
    post({Kind::loop, host.id, everyone});
    plan(host.looks = now_ + settings_.sync, Event::What::look, host.id);
}

// ---------------------------------------------------------------- words under way

// Adjustments are probes, which go by themselves, unless the paper's daemons send none.
void TimeElection::say(Host& host, Id to, const Message& message) {
    const bool adjusts = is_one_of<Tsp::Sync, Tsp::Deputy>(message);
    if (is_one_of<Tsp::Deputy>(message)) host.deputy = to;
    if (adjusts && scenario_.keeping != TimeScenario::Keeping::paper) return;
    Letter letter{Kind::word, host.id, to, message};
    const bool wants =
        is_one_of<Tsp::Masterreq, Tsp::Accept, Tsp::Refuse, Tsp::Conflict, Tsp::Resolve, Tsp::Quit>(
            message);
    if (!wants) return post(letter);
    letter.order = ++numbered_;
    orders_[letter.order] = {letter, 0, host.life, settings_.resend, false};
    resend(letter.order);
}

void TimeElection::resend(std::uint64_t number) {
    const auto found = orders_.find(number);
    if (found == orders_.end()) return;
    Order& order = found->second;
    const Host& host = at(order.letter.from);
    if (paths_.paused(host.id, now_)) return plan(now_ + soon, Event::What::resend, nobody, number);
    const bool looks = host.daemon.state == State::startup || host.daemon.state == State::no_master;
    const bool void_now = !host.up || host.life != order.life ||
                          (is_one_of<Tsp::Masterreq>(order.letter.message) && !looks);
    if (void_now || order.copies++ == settings_.copies) {
        const Letter letter = order.letter;
        orders_.erase(found);
        const bool silent =
            !void_now && letter.to != everyone && !is_one_of<Tsp::Conflict>(letter.message);
        if (silent) lose(letter.from, letter.to);
        return;
    }
    post(order.letter);
    plan(now_ + order.wait, Event::What::resend, nobody, number);
    order.wait = 2 * order.wait;
}

void TimeElection::post(Letter letter) {
    letter.clocks = at(letter.from).clocks;
    if (letter.to != everyone) return mail(letter);
    for (const Host& host : hosts_) {
        letter.to = host.id;
        if (host.id != letter.from) mail(letter);
    }
}

void TimeElection::mail(const Letter& letter) {
    ++messages_;
    const Time arrives = paths_.carry(letter.from, letter.to, now_);
    if (arrives == never) return;
    under_way_[planned_] = letter;
    plan(arrives, Event::What::arrive, letter.to, planned_);
}

void TimeElection::arrive(std::uint64_t slot) {
    const auto found = under_way_.find(slot);
    const Letter letter = found->second;
    under_way_.erase(found);
    Host& host = at(letter.to);
    if (!host.up || paths_.paused(host.id, now_)) return;
    if (letter.kind == Kind::receipt) {
        orders_.erase(letter.order);
        return;
    }
    const bool asks_all = is_one_of<Tsp::Masterreq, Tsp::Resolve>(letter.message);
    if (letter.order != 0 && !asks_all) {
        mail({Kind::receipt, host.id, letter.from, {}, 0, letter.order});
        const auto order = orders_.find(letter.order);
        if (order == orders_.end() || std::exchange(order->second.heard, true)) return;
    }
    obey(host, letter);
}

void TimeElection::obey(Host& host, const Letter& letter) {
    if (letter.kind == Kind::asks) {
        if (!host.leads()) return;
        hear(host, letter.from, Tsp::Slaveup{});
        asked_.emplace_back(host.id, letter.from);
    } else if (letter.kind == Kind::loop) {
        const bool orphan = !host.leads() && host.daemon.leader == nobody;
        if (host.leads() && rivalry_.gives_way(host.id, letter.from, letter.clocks))
            return hear(host, letter.from, Tsp::Quit{});
        if (host.leads() || orphan) hear(host, letter.from, Tsp::Masterup{});
    } else if (!is_one_of<Tsp::Quit>(letter.message) || !host.leads() ||
               rivalry_.quits(host.id, letter.from, letter.clocks)) {
        if (is_one_of<Tsp::Masterup, Tsp::Sync, Tsp::Deputy>(letter.message))
            host.inquiry.answered();
        hear(host, letter.from, letter.message);
    }
}

}  // namespace conclave::simulator
