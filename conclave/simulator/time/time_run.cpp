#include "conclave/simulator/time/time_run.hpp"

#include "conclave/clock/pace.hpp"
#include "conclave/simulator/time/time_election.hpp"
#include "conclave/simulator/time/time_judge.hpp"
#include "conclave/simulator/time/time_paper.hpp"
#include "conclave/simulator/time/time_rivalry.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

namespace {

using namespace std::chrono_literals;
using Keeping = TimeScenario::Keeping;

constexpr Duration watch_every = 10ms;  // so often daemons see what the election has come to
constexpr Duration answer_after = 30us;
constexpr Duration wake_every = 1s;  // so often a daemon steers its clock

class Run : TimePaper {
public:
    explicit Run(const TimeScenario& scenario)
        : TimePaper(scenario),
          rivalry_(nodes_, now_),
          election_(scenario_, decisions_, paths_, rivalry_),
          judge_(scenario_, paths_),
          until_(scenario.world.until.value_or(5min)),
          // The paper's adjtime has no rate to help it: it may slew faster.
          servo_{.limit = paper() ? clock::rate_limit : scenario.slew_limit,
                 .step = scenario.step} {
        for (std::uint32_t id = 1; id <= scenario.world.nodes; ++id)
            nodes_.push_back({Id{id}, Oscillator(Id{id}, scenario_, decisions_),
                              clock::Keeper(servo_), clock::Servo(servo_)});
        plan(0ms, What::watch);
        plan(scenario.look, What::look);
        plan_faults(agenda_, scenario_, until_);
        if (!paper())
            for (const TimeNode& node : nodes_) plan(wake_every, What::wake, node.id);
    }

    TimeOutcome run() {
        while (const auto event = agenda_.next(until_)) {
            now_ = event->at;
            perform(*event);
        }
        return std::move(outcome_);
    }

private:
    bool paper() const { return scenario_.keeping == Keeping::paper; }

    void perform(const TimeEvent& event) {
        switch (event.what) {
            case What::watch: return watch();
            case What::look: return look();
            case What::probe: return send_probe(at(event.node), event.other, event.slot);
            case What::arrive: return receive_probe(event.slot);
            case What::answer: return receive_answer(event.slot);
            case What::come_back: return come_back(at(event.node));
            case What::decide: return decide(at(event.node), event.slot);
            case What::adjust: return adjust(at(event.node), event.slot);
            case What::obey: return obey(event.slot);
            case What::wake: return wake(at(event.node));
            case What::jump: return at(event.node).visible.move(scenario_.jumps[event.slot].by);
            case What::date: return set_date(at(event.node), scenario_.dates[event.slot].by);
            case What::resume: return resume(at(event.node), scenario_.stops[event.slot]);
            case What::breaks:
                return at(event.node).go_blind(now_, event.slot * 1s, event.slot != 0);
        }
    }

    // ---------------------------------------------------------------- what the election says

    void watch() {
        election_.run_until(now_);
        for (const auto& [master, slave] : election_.take_asked()) {
            at(master).heard[slave] = now_;
            probe(at(master), slave);
        }
        for (TimeNode& node : nodes_) {
            note_life(node);
            election_.know(node.id, node.master ? node.master->clocks() : node.keeper.clocks(),
                           node.keeper.may_lead(raw(node)));
            const bool leads = node.up && election_.leader_of(node.id) == node.id;
            if (leads && !node.master) take_over(node);
            if (!leads && node.master) step_down(node);
            if (node.master) call_slaves(node);
        }
        plan(watch_every, What::watch);
    }

    void note_life(TimeNode& node) {
        const bool up = election_.is_up(node.id);
        if (node.up && !up && !node.resting) {  // all that it knew is gone
            node.forget(servo_);
            for (TimeNode& other : nodes_) other.waiting.erase(node.id);
            tell("node " + text(node.id) + " is down");
        }
        node.up = up;
    }

    void take_over(TimeNode& node) {
        ++node.reign;
        node.master.emplace(node.id, raw(node), node.keeper,
                            clock::MasterSettings{.estimator = scenario_.estimator,
                                                  .interval = scenario_.interval,
                                                  .round = scenario_.probe});
        node.slaves.clear();
        node.waiting.clear();
        outcome_.takeovers.push_back({node.id, now_});
        tell("node " + text(node.id) + " becomes master");
        node.plain_set = true;
        plan(paper() ? scenario_.probe : 1s, What::decide, node.id, nobody, node.reign);
    }
    void step_down(TimeNode& node) {
        ++node.reign;
        node.master.reset();
        node.keeper.doubt();  // it does not know the time of whom it gives way to
        node.slaves.clear();
        tell("node " + text(node.id) + " is master no more");
    }

    void call_slaves(TimeNode& node) {
        const IdSet& list = election_.slaves_of(node.id);
        if (std::equal(list.begin(), list.end(), node.slaves.begin(), node.slaves.end())) return;
        for (const Id slave : list) {
            if (std::binary_search(node.slaves.begin(), node.slaves.end(), slave)) continue;
            node.heard[slave] = now_;
            if (paper()) continue;
            const auto phase =
                below(static_cast<std::uint64_t>(scenario_.fast.count()),
                      decisions_.bits({Purpose::choose, node.id, slave, node.reign}));
            const auto fast = scenario_.fast_for / scenario_.fast;
            plan(Duration{static_cast<std::int64_t>(phase)}, What::probe, node.id, slave,
                 static_cast<std::uint32_t>(fast) << 16 | (node.reign & 0xffff));
        }
        for (const Id slave : node.slaves)
            if (!list.contains(slave)) {
                node.master->strike_off(slave);
                node.waiting.erase(slave);
            }
        node.slaves.assign(list.begin(), list.end());
    }

    // ---------------------------------------------------------------- measuring

    // `slot`: how many more fast probes, and the reign in which this was planned.
    void send_probe(TimeNode& node, Id slave, std::uint32_t slot) {
        if (!node.master || (slot & 0xffff) != (node.reign & 0xffff) || !node.serves(slave)) return;
        const std::uint32_t fast = slot >> 16;
        const bool hurries = fast != 0 || node.master->hurries(slave);
        plan(hurries ? scenario_.fast : scenario_.probe, What::probe, node.id, slave,
             fast != 0 ? slot - 0x10000 : slot);
        probe(node, slave);
    }
    void probe(TimeNode& node, Id slave) {
        if (!node.master || !node.serves(slave) || paths_.paused(node.id, now_)) return;
        if (now_ - node.heard[slave] > clock::pace::patience * scenario_.probe)
            return election_.lose(node.id, slave);
        const Time here = raw(node);
        launch({node.id,
                slave,
                node.reign,
                {here},
                node.master->correction_for(slave, here),
                {},
                {},
                node.master->doubts(slave)});
    }

    void receive_probe(std::uint32_t slot) {
        TimePacket packet = packets_.take(slot);
        TimeNode& node = at(packet.slave);
        if (!node.up || paths_.paused(node.id, now_)) return;
        look_at_clock(node);
        if (!node.up) return;
        if (!paper()) {
            election_.run_until(now_);
            election_.adjust(node.id, packet.master);
        }
        if (election_.leader_of(node.id) != packet.master) return;
        packet.exchange.received = raw(node);
        if (packet.correction) hear(node, packet);
        if (packet.doubts) node.keeper.doubt();
        node.see_again(now_);
        packet.report = node.keeper.report(packet.exchange.received);
        now_ += answer_after;
        packet.exchange.answered = raw(node);
        packet.plain = node.plain.offset(packet.exchange.answered);
        post(packet, packet.slave, packet.master, What::answer);
        now_ -= answer_after;
    }

    void hear(TimeNode& node, const TimePacket& packet) {
        const clock::Correction& correction = *packet.correction;
        const Time here = raw(node);
        const bool before = node.keeper.is_set();
        const Duration shown = node.keeper.servo().offset(here);
        const auto verdict = node.keeper.hear(here, correction);
        if (verdict == clock::Keeper::Verdict::stale) return;
        node.told = {packet.master, packet.reign, correction.term};
        if (!before) tell("node " + text(node.id) + " is set and ready");
        if (verdict == clock::Keeper::Verdict::refused) {
            ++outcome_.refusals;
            tell("node " + text(node.id) + " refuses a correction of node " +
                 text(correction.term.master));
        }
        note_step(node, before, node.keeper.servo().offset(here) - shown);
        node.steer(now_);
    }

    void receive_answer(std::uint32_t slot) {
        TimePacket packet = packets_.take(slot);
        TimeNode& node = at(packet.master);
        if (!node.up || !node.master || node.reign != packet.reign) return;
        if (paths_.paused(node.id, now_) || !node.serves(packet.slave)) return;
        look_at_clock(node);
        if (!node.master) return;
        packet.exchange.returned = raw(node);
        if (paper()) return learn_shown(node, packet);
        node.heard[packet.slave] = now_;
        const auto [waiting, first] = node.waiting.try_emplace(packet.slave, packet);
        if (!first) learn(node, std::exchange(waiting->second, packet));
        if (node.master && node.master->is_surprised_by(packet.slave, packet.exchange))
            probe(node, packet.slave);
    }
    void learn(TimeNode& node, const TimePacket& packet) {
        ++outcome_.estimates;
        ++node.measured;
        ++at(packet.slave).measured;
        const clock::Term before = node.master->term();
        node.master->learn(packet.slave, packet.exchange, packet.report);
        if (node.master->must_resign()) return resign(node);
        if (node.master->term() != before && node.keeper.is_set()) tell_everybody(node);
    }

    // ---------------------------------------------------------------- correcting

    void decide(TimeNode& node, std::uint32_t reign) {
        if (!node.master || node.reign != reign) return;
        if (paper()) return begin_round(node);
        plan(1s, What::decide, node.id, nobody, reign);
        if (paths_.paused(node.id, now_)) return;
        outcome_.slave_seconds += node.slaves.size();
        look_at_clock(node);
        if (!node.master) return;
        const clock::Term before = node.master->term();
        node.master->decide(raw(node), node.keeper);
        if (node.master->must_resign()) return resign(node);
        if (!node.master->founded()) return;
        node.master->term() == before ? lead(node) : tell_everybody(node);
    }
    void lead(TimeNode& node) {
        const bool before = node.keeper.is_set();
        const Duration shown = node.keeper.servo().offset(raw(node));
        node.keeper.lead(raw(node), node.master->own_correction(raw(node)), node.master->backed());
        note_step(node, before, node.keeper.servo().offset(raw(node)) - shown);
        node.see_again(now_);
        node.steer(now_);
    }

    // An operator asks a daemon, and that its master.
    void set_date(TimeNode& asked, Duration by) {
        election_.run_until(now_);
        const Id leader = asked.up ? election_.leader_of(asked.id) : nobody;
        const bool stands = paths_.paused(asked.id, now_) || paths_.paused(leader, now_);
        if (leader == nobody || stands || !paths_.reaches(asked.id, leader, now_) ||
            !at(leader).master || !at(leader).master->founded() || !asked.keeper.is_set())
            return tell("node " + text(asked.id) + " cannot set the date");
        TimeNode& node = at(leader);
        tell("node " + text(node.id) + " moves the network's time by " + format_duration(by));
        node.master->change_date(raw(node), by);
        tell_everybody(node);
    }
    // A slave that waited for its turn would be wrong until then.
    void tell_everybody(TimeNode& node) {
        lead(node);
        for (const Id slave : node.slaves) probe(node, slave);
    }

    // ---------------------------------------------------------------- the clock that people see

    void wake(TimeNode& node) {
        plan(wake_every, What::wake, node.id);
        if (!node.up || paths_.paused(node.id, now_)) return;
        look_at_clock(node);
        if (node.up) node.steer(now_);
    }
    // Is it where it was steered to?
    void look_at_clock(TimeNode& node) {
        if (paper()) return;
        const Duration by = node.look_at_clock(now_);
        if (by == Duration{0}) return;
        tell("node " + text(node.id) + " finds its clock moved by " + format_duration(by));
        if (node.master) resign(node);
    }
    void resume(TimeNode& node, const Stop& stop) {
        if (stop.asleep)
            node.visible.move(stop.when.until - stop.when.from);
        else
            node.go_blind(now_, 0s, false);
        if (node.up) look_at_clock(node);  // a daemon does so before it says or hears anything
    }

    // Leaves the election for a while, as if it had crashed, and comes back as a newcomer.
    void resign(TimeNode& node) {
        tell("node " + text(node.id) + " resigns: its own clock is wrong");
        election_.run_until(now_);
        election_.crash(node.id);
        node.resting = true;
        node.keeper.distrust();
        step_down(node);
        node.up = false;
        plan(clock::pace::rest, What::come_back, node.id);
    }
    void come_back(TimeNode& node) {
        election_.run_until(now_);
        election_.recover(node.id);
        node.resting = false;
    }

    void obey(std::uint32_t slot) {
        const TimePacket packet = packets_.take(slot);
        TimeNode& node = at(packet.slave);
        if (!node.up || election_.leader_of(node.id) != packet.master) return;
        make_up(node, packet.plain);
    }

    void look() {
        judge_.look(now_, nodes_, outcome_);
        plan(scenario_.look, What::look);
    }

    TimeRivalry rivalry_;
    TimeElection election_;
    TimeJudge judge_;
    Time until_;
    clock::ServoSettings servo_;
};

}  // namespace

TimeOutcome run_time(const TimeScenario& scenario) { return Run(scenario).run(); }

}  // namespace conclave::simulator
