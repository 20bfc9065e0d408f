// Runs any algorithm on many nodes in one thread and one imaginary time. Same seed, same run.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "conclave/core/algorithm.hpp"
#include "conclave/core/key.hpp"
#include "conclave/simulator/outcome.hpp"
#include "conclave/simulator/scenario/script.hpp"
#include "conclave/simulator/world/choices.hpp"
#include "conclave/simulator/world/clocks.hpp"
#include "conclave/simulator/world/deeds.hpp"
#include "conclave/simulator/world/diary.hpp"
#include "conclave/simulator/world/in_transit.hpp"
#include "conclave/simulator/world/judge.hpp"
#include "conclave/simulator/world/layout.hpp"
#include "conclave/simulator/world/network.hpp"
#include "conclave/simulator/world/next_event.hpp"
#include "conclave/simulator/world/timers.hpp"
#include "conclave/simulator/world/waiting.hpp"

namespace conclave::simulator {

template <Algorithm A>
class World {
public:
    using Turn = typename A::Turn;
    using Message = typename Turn::Message;
    using Settings = typename Turn::Settings;
    using Stored = typename Turn::Stored;

    World(const Scenario& scenario, const Settings& settings, Decisions& decisions,
          trace::Trace* trace = nullptr)
        : scenario_(scenario),
          settings_(settings),
          decisions_(decisions),
          layout_(lay_out(scenario, decisions, A::card)),
          group_(layout_.group()),
          network_(scenario, A::card, decisions),
          clocks_(scenario, decisions),
          judge_(scenario, A::card, group_, network_, trace),
          cues_(write_script(scenario_, layout_, decisions)),
          diary_(trace),
          post_(scenario, group_, network_, diary_),
          until_(scenario.until.value_or(default_end(scenario))),
          large_(group_.size() > 20'000),
          nodes_(group_.size()),
          leaders_(group_.size(), nobody),
          timers_(group_.size()),
          deeds_(scenario, settings, clocks_, diary_),
          rows_{scenario.mutation.rows_off, 0, scenario.mutation.rules_off},
          choices_(decisions, group_, turn_.me),
          turn_{effects_, settings_, group_, choices_, rows_} {
        for (std::uint32_t at = 0; at < group_.size(); ++at) nodes_[at].id = group_.ring[at];
        if constexpr (keeps_store) stored_.resize(group_.size());
        if (trace != nullptr) trace->nodes.assign(group_.ring.begin(), group_.ring.end());
    }

    Outcome run() {
        run_until(until_);
        return finish();
    }

    // Until nothing is left to happen up to and including `time`.
    void run_until(Time time) {
        until_ = time;
        while (step()) continue;
    }
    void act_now(Cue cue) {  // for experiments that decide as they go
        cue.time = now_ = std::max(now_, until_);
        perform(cue);
    }

    const A& node(Id id) const { return nodes_[group_.position(id)].algorithm; }
    Id leader_of(Id id) const { return leaders_[group_.position(id)]; }
    bool is_up(Id id) const { return nodes_[group_.position(id)].lives(); }
    const Group& group() const { return group_; }
    Time now() const { return now_; }

    Outcome finish() {
        Outcome outcome;
        outcome.algorithm = A::card.name;
        outcome.nodes = group_.size();
        outcome.seed = scenario_.seed;
        outcome.quiet = next_time() == never;
        outcome.ended = now_;
        outcome.events = events_;
        outcome.reports = reports_;
        outcome.rows_fired = rows_.fired;
        outcome.digest = mix(digest_);
        post_.report(outcome);
        if (first_send_ != never)
            outcome.turnaround =
                std::max(outcome.quiet ? last_arrival_ : last_change_, first_send_) - first_send_;
        for (std::uint32_t at = 0; at < group_.size(); ++at)
            if (const Node& node = nodes_[at]; node.lives())
                judge_.hear({node.id, leaders_[at], unfinished_work(node.algorithm, turn_),
                             decision_of(node.algorithm)});
        deeds_.close(outcome, now_, judge_);
        judge_.close(outcome, now_);
        return outcome;
    }

private:
    using Node = SimulatedNode<A>;
    static constexpr std::size_t timer_count = Turn::Timers::count;
    static constexpr bool keeps_store = !std::is_same_v<Stored, Nothing>;
    using Flight = typename InTransit<Message>::Flight;

    // ---------------------------------------------------------------- what is next

    Time next_time() const {
        return std::min({cues_.next_time(), post_.next_time(), timers_.next_time()});
    }

    // A run consists of arrivals, by and large.
    bool step() {
        if constexpr (timer_count != 0) timers_.drop_stale();
        const Time arrival = post_.next_time();
        if (arrival >= cues_.next_time() || arrival > timers_.next_time() || arrival > until_)
            return step_otherwise();
        now_ = arrival;
        if (large_) __builtin_prefetch(&nodes_[post_.upcoming()]);
        post_.deliver([this](const Flight& flight) { arrive(flight); });
        return true;
    }

    bool step_otherwise() {
        const Time next = std::min(cues_.next_time(), timers_.next_time());
        if (next == never || next > until_) return false;
        now_ = next;
        if (next == cues_.next_time()) {
            perform(cues_.take());
        } else {
            ++events_;
            expire(timers_.pop());
        }
        return true;
    }

    [[gnu::always_inline]] void arrive(const Flight& flight) {
        Node& node = nodes_[flight.to];
        if (!node.reads()) [[unlikely]]
            return arrive_in_vain(flight, node);
        post_.receive();
        diary_.note(now_, trace::Kind::arrive, node.id, flight.from, post_.number(),
                    flight.message);
        last_arrival_ = now_;
        digest_ += std::uint64_t{flight.to} << 8 | flight.message.index();
        digest_ = digest_ * 0x9e3779b97f4a7c15 ^ static_cast<std::uint64_t>(now_.count());
        take_turn(flight.to, flight.from,
                  [&](A& algorithm) { receive(algorithm, flight.message, turn_); });
    }

    void arrive_in_vain(const Flight& flight, const Node& node) {
        if (node.lives())
            waiting_.hold(post_.number(), flight);
        else
            post_.miss(flight, node.id, now_);
    }

    void expire(const Expiry& expiry) {
        Node& node = nodes_[expiry.at];
        if (!timers_.holds(expiry)) return;  // stopped while it waited for the node to go on
        if (node.status == Status::paused) return timers_.hold(expiry);
        timers_.stop(expiry.at, expiry.timer);
        diary_.note(now_, trace::Kind::timer, node.id, nobody, 0,
                    Turn::Timers::names.data()[expiry.timer]);
        take_turn(expiry.at, nobody,
                  [&](A& algorithm) { conclave::expire(algorithm, expiry.timer, turn_); });
    }

    // ---------------------------------------------------------------- what the script says

    void perform(const Cue& cue) {
        if (cue.node != everyone)
            return perform(cue, cue.node == nobody ? 0 : group_.position(cue.node));
        for (std::uint32_t at = 0; at < group_.size(); ++at) perform(cue, at);
    }

    void perform(const Cue& cue, std::uint32_t at) {
        using What = Cue::What;
        if (cue.tells() && nodes_[at].lives() && !nodes_[at].reads()) return waiting_.hold(at, cue);
        ++events_;
        switch (cue.what) {
            case What::crash: crash(at); break;
            case What::pause:
            case What::resume:
            case What::befall: interrupt(at, cue); break;
            case What::start:
            case What::recover: come_up(at, cue); break;
            case What::suspect:
                tell(at, trace::Kind::suspect, cue.other, Suspect{cue.other});
                break;
            case What::trust: tell(at, trace::Kind::trust, cue.other, Trust{cue.other}); break;
            case What::call: call(at); break;
            default: network_.obey(cue);
        }
        if (cue.changes_network()) {
            diary_.note(now_, trace::Kind::network, nobody, nobody, 0, describe(cue));
            judge_.look_again(now_);
        }
        deeds_.disturb(now_, network_);
    }

    void crash(std::uint32_t at) {
        Node& node = nodes_[at];
        diary_.note(now_, trace::Kind::crash, node.id);
        if (node.status != Status::down) ++down_;
        node.status = Status::down;
        waiting_.forget(at);
        timers_.stop_all(at);
        judge_.set_leading(node.id, false, now_);
        deeds_.look(node, now_, now_, judge_, network_);
    }

    void come_up(std::uint32_t at, const Cue& cue) {
        Node& node = nodes_[at];
        const bool again = cue.what == Cue::What::recover;
        if (node.status != (again ? Status::down : Status::unborn)) return;
        node.come_up();
        if (again) --down_;
        leaders_[at] = nobody;
        if (again && cue.disk) {
            diary_.note(now_, trace::Kind::recover, node.id);
            Stored stored{};
            if constexpr (keeps_store) stored = stored_[at].value_or(Stored{});
            take_turn(at, nobody, [&](A& algorithm) { recover(algorithm, stored, turn_); });
        } else {
            if constexpr (keeps_store) stored_[at].reset();
            if (again || cue.time != Time{0}) diary_.note(now_, trace::Kind::start, node.id);
            if constexpr (Handles<A, Start>)
                take_turn(at, nobody, [&](A& algorithm) { algorithm.on(Start{}, turn_); });
        }
    }

    // Where processes stand still on a machine that runs, only they do.
    [[gnu::cold]] void interrupt(std::uint32_t at, const Cue& cue) {
        if constexpr (Deeds<A>::known) {
            if (!nodes_[at].lives()) return;
            diary_.note(now_, trace::Kind::report, nodes_[at].id, nobody, 0,
                        Deeds<A>::name_fault(cue));
            take_turn(at, nobody, [&](A& node) { Deeds<A>::befall(node, cue, turn_); });
            if (nodes_[at].reads()) catch_up(at);
        } else if (cue.what == Cue::What::pause) {
            nodes_[at].pause();
            diary_.note(now_, trace::Kind::pause, nodes_[at].id);
        } else if (nodes_[at].resume()) {
            diary_.note(now_, trace::Kind::resume, nodes_[at].id);
            catch_up(at);
        }
    }

    // Events held while the node stood still: first messages, then timers, then what it is told.
    [[gnu::cold]] void catch_up(std::uint32_t at) {
        for (const auto& [number, flight] : waiting_.take_messages(at)) {
            post_.recall(number);
            arrive(flight);
        }
        for (const Expiry& expiry : timers_.release(at)) expire(expiry);
        for (const auto& word : waiting_.take_words(at)) perform(word.cue, at);
    }

    // Without a detector, who calls an election does so because it noticed who is down.
    void call(std::uint32_t at) {
        if (!nodes_[at].lives()) return;
        if (!scenario_.detector.on && down_ != 0)
            for (const Node& node : nodes_)
                if (node.status == Status::down)
                    tell(at, trace::Kind::suspect, node.id, Suspect{node.id});
        tell(at, trace::Kind::call, nobody, Call{});
    }

    template <class Event>
    void tell(std::uint32_t at, trace::Kind kind, Id other, const Event& event) {
        if constexpr (Handles<A, Event>) {
            if (!nodes_[at].lives()) return;
            diary_.note(now_, kind, nodes_[at].id, other);
            take_turn(at, nobody, [&](A& algorithm) { algorithm.on(event, turn_); });
        }
    }

    // ---------------------------------------------------------------- one turn

    template <class Handle>
    [[gnu::always_inline]] void take_turn(std::uint32_t at, Id from, const Handle& handle) {
        Node& node = nodes_[at];
        turn_.me = node.id;
        const std::uint32_t after = at + 1 == group_.size() ? 0 : at + 1;
        turn_.next = nodes_[after].id;
        turn_.from = from;
        look_around<A>(layout_.graph, group_, at, turn_);
        turn_.incarnation = node.births;
        turn_.now =
            clocks_.perfect() ? now_ : clocks_.local(static_cast<std::uint32_t>(node.id), now_);
        diary_.look_before(node.algorithm, rows_);
        handle(node.algorithm);
        diary_.look_after(node.algorithm, node.id, now_, rows_);
        perform_effects(at, node, after);
        if (const auto broken = broken_invariant(node.algorithm, turn_); !broken.empty())
            [[unlikely]]
            judge_.broken(broken, node.id, now_);
        deeds_.look(node, turn_.now, now_, judge_, network_);
    }

    [[gnu::always_inline]] void perform_effects(std::uint32_t at, Node& node, std::uint32_t after) {
        if constexpr (keeps_store)
            if (effects_.stored) keep_store(at);
        if (effects_.leader) follow(at, node.id);
        if constexpr (timer_count != 0)
            if (!effects_.timers.empty()) change_timers(at);
        if (!effects_.sends.empty()) {
            if (first_send_ == never) first_send_ = now_;
            for (const Send<Message>& send : effects_.sends)
                post_.send(at, node.id, after, turn_.next, send, now_);
            effects_.sends.clear();
        }
        if (!effects_.reports.empty()) [[unlikely]]
            pass_on_reports(node);
    }

    void keep_store(std::uint32_t at) {
        if (scenario_.mutation.what != Mutation::What::drop_store) {
            stored_[at] = effects_.stored;
            diary_.note(now_, trace::Kind::store, nodes_[at].id, nobody, 0, *effects_.stored);
        }
        effects_.stored.reset();
    }

    [[gnu::cold]] void pass_on_reports(const Node& node) {
        reports_ += effects_.reports.size();
        for (const std::string_view report : effects_.reports)
            diary_.note(now_, trace::Kind::report, node.id, nobody, 0, report);
        effects_.reports.clear();
    }

    void follow(std::uint32_t at, Id me) {
        const Id before = leaders_[at], leader = *effects_.leader;
        effects_.leader.reset();
        if (leader == before || scenario_.mutation.what == Mutation::What::drop_follow) return;
        leaders_[at] = leader;
        last_change_ = now_;
        diary_.note(now_, trace::Kind::follow, me, leader);
        if (!Deeds<A>::known && (before == me || leader == me))
            judge_.set_leading(me, leader == me, now_);
    }

    void change_timers(std::uint32_t at) {
        for (const TimerChange& change : effects_.timers)
            if (scenario_.mutation.drops(change))
                continue;
            else if (change.set)
                set_timer(at, change.timer, std::max(change.after, Duration{0}));  // past is now
            else
                timers_.stop(at, change.timer);
        effects_.timers.clear();
    }
    // A replay may let a timer fire at another time: that is how the checker's runs are shown.
    void set_timer(std::uint32_t at, std::uint8_t timer, Duration after) {
        const Id id = nodes_[at].id;
        if (!clocks_.perfect())
            after = clocks_.due(static_cast<std::uint32_t>(id), now_, after) - now_;
        const Decision decision{Purpose::fire, id, Id{timer}, timers_.count_set(at)};
        const auto span = decisions_.decide(decision, after.count(),
                                            [&](std::uint64_t) { return after.count(); });
        timers_.set(at, timer, now_ + Duration{span});
    }

    Scenario scenario_;
    Settings settings_;
    Decisions& decisions_;
    Layout layout_;
    Group group_;
    Network network_;
    Clocks clocks_;
    Judge judge_;
    Cues cues_;
    Diary diary_;
    InTransit<Message> post_;
    Time until_;
    bool large_;               // so many nodes that their states are fetched from far
    std::vector<Node> nodes_;  // in the order of the ring
    std::uint32_t down_ = 0;   // how many of them
    std::vector<Id> leaders_;  // whom each follows
    std::vector<std::optional<Stored>> stored_;
    Timers<timer_count> timers_;
    Waiting<Flight> waiting_;
    [[no_unique_address]] Deeds<A> deeds_;

    typename Turn::Effects effects_;
    Rows rows_;
    Choices choices_;
    Turn turn_;
    Time now_{}, first_send_ = never, last_arrival_{}, last_change_{};
    std::uint64_t events_ = 0, reports_ = 0, digest_ = 0;
};

}  // namespace conclave::simulator
