// Runs any algorithm on many nodes in one thread and one imaginary time. Same seed, same run.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "conclave/core/algorithm.hpp"
#include "conclave/core/key.hpp"
#include "conclave/simulator/agenda.hpp"
#include "conclave/simulator/clocks.hpp"
#include "conclave/simulator/judge.hpp"
#include "conclave/simulator/layout.hpp"
#include "conclave/simulator/network.hpp"
#include "conclave/simulator/outcome.hpp"
#include "conclave/simulator/post.hpp"
#include "conclave/simulator/script.hpp"

namespace conclave::simulator {

template <Algorithm A>
class World final : private Chance {
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
          layout_(lay_out(scenario, decisions)),
          group_(layout_.group()),
          network_(scenario, A::card, decisions),
          clocks_(scenario, decisions),
          judge_(scenario, A::card, group_, network_, trace),
          script_(write_script(scenario, layout_, decisions)),
          trace_(trace),
          post_(scenario, group_, network_, trace),
          until_(scenario.until.value_or(default_end())),
          turn_{effects_, settings_, group_, *this, rows_} {
        nodes_.resize(group_.size());
        for (std::uint32_t at = 0; at < group_.size(); ++at) nodes_[at].id = group_.ring[at];
        timers_set_.resize(group_.size() * timer_count);
        if constexpr (timer_count != 0) times_set_.resize(group_.size());
        if constexpr (keeps_store) stored_.resize(group_.size());
        rows_.off = scenario.mutation.rows_off;
        if (trace_ != nullptr) trace_->nodes.assign(group_.ring.begin(), group_.ring.end());
    }

    Outcome run() {
        while (step()) {
        }
        return finish();
    }

    // Until nothing is left to happen up to and including `time`.
    void run_until(Time time) {
        until_ = time;
        while (step()) {
        }
    }

    const A& node(Id id) const { return nodes_[group_.position(id)].algorithm; }
    Id leader_of(Id id) const { return nodes_[group_.position(id)].leader; }
    bool is_up(Id id) const { return nodes_[group_.position(id)].status == Status::up; }
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
        outcome.digest = digest_;
        post_.report(outcome);
        if (first_send_ != never)
            outcome.turnaround =
                std::max(outcome.quiet ? last_arrival_ : last_change_, first_send_) - first_send_;
        std::vector<Belief> beliefs;
        for (const Node& node : nodes_)
            beliefs.push_back({node.id, node.leader, node.status == Status::up,
                               unfinished_work(node.algorithm, turn_),
                               decision_of(node.algorithm)});
        judge_.close(beliefs, outcome, now_);
        return outcome;
    }

private:
    enum class Status : std::uint8_t { unborn, up, down };
    struct Node {
        Id id = nobody;
        Id leader = nobody;
        std::uint32_t choices = 0;
        Status status = Status::unborn;
        bool paused = false;
        A algorithm{};
    };
    struct Expiry {
        std::uint32_t at;
        std::uint8_t timer;
        std::uint64_t setting;
    };
    static constexpr std::size_t timer_count = Turn::Timers::count;
    static constexpr bool keeps_store = !std::is_same_v<Stored, Nothing>;
    using Flight = typename Post<Message>::Flight;

    Time default_end() const {
        const Duration longest = std::max(longest_delay(scenario_.delay), Duration{1});
        return std::chrono::seconds(60) + 10 * static_cast<std::int64_t>(scenario_.nodes) * longest;
    }

    // ---------------------------------------------------------------- what is next

    Time next_time() const {
        const Time cue = cue_ < script_.size() ? script_[cue_].time : never;
        return std::min({cue, post_.next_time(), timers_.next_time()});
    }

    bool step() {
        const Time next = next_time();
        if (next == never || next > until_) return false;
        now_ = next;
        ++events_;
        if (cue_ < script_.size() && script_[cue_].time == next)
            perform(script_[cue_++]);
        else if (post_.next_time() == next)
            arrive(post_.pop());
        else
            expire(timers_.pop().what);
        return true;
    }

    void arrive(const Flight& flight) {
        Node& node = nodes_[flight.to];
        if (node.paused) return late_flights_.push_back(flight);
        if (!post_.receive(flight, node.id, node.status == Status::up, now_)) return;
        last_arrival_ = now_;
        digest_ = mix(digest_ + static_cast<std::uint64_t>(now_.count()) +
                      (std::uint64_t{flight.to} << 8) + flight.message.index());
        take_turn(flight.to, flight.from, [&](A& algorithm) {
            std::visit([&](const auto& message) { algorithm.on(message, turn_); }, flight.message);
        });
    }

    void expire(const Expiry& expiry) {
        Node& node = nodes_[expiry.at];
        std::uint64_t& setting = timers_set_[expiry.at * timer_count + expiry.timer];
        if (setting != expiry.setting) return;  // stopped or set anew
        if (node.paused) return late_timers_.push_back(expiry);
        setting = 0;
        if (trace_ != nullptr)
            trace_->add(now_, trace::Kind::timer, node.id, nobody, 0,
                        std::string(Turn::Timers::names.data()[expiry.timer]));
        take_turn(expiry.at, nobody,
                  [&](A& algorithm) { conclave::expire(algorithm, expiry.timer, turn_); });
    }

    // ---------------------------------------------------------------- what the script says

    void perform(const Cue& cue) {
        using What = Cue::What;
        const std::uint32_t at = cue.node == nobody ? 0 : group_.position(cue.node);
        switch (cue.what) {
            case What::crash:
                crash(at);
                break;
            case What::pause:
                pause(at);
                break;
            case What::resume:
                resume(at);
                break;
            case What::start:
            case What::recover:
                come_up(at, cue);
                break;
            case What::split:
                network_.split(*cue.partition);
                break;
            case What::heal:
                network_.heal(*cue.partition);
                break;
            case What::cut:
                network_.cut(cue.node, cue.other);
                break;
            case What::mend:
                network_.mend(cue.node, cue.other);
                break;
            case What::suspect:
                tell(at, trace::Kind::suspect, cue.other, Suspect{cue.other});
                break;
            case What::trust:
                tell(at, trace::Kind::trust, cue.other, Trust{cue.other});
                break;
            case What::call:
                call(at);
                break;
        }
        if (cue.what == What::split || cue.what == What::heal || cue.what == What::cut ||
            cue.what == What::mend) {
            if (trace_ != nullptr)
                trace_->add(now_, trace::Kind::network, nobody, nobody, 0, describe(cue));
            judge_.look_again(now_);
        }
    }

    void crash(std::uint32_t at) {
        Node& node = nodes_[at];
        if (trace_ != nullptr) trace_->add(now_, trace::Kind::crash, node.id);
        node.status = Status::down;
        node.paused = false;
        for (std::size_t i = 0; i < timer_count; ++i) timers_set_[at * timer_count + i] = 0;
        judge_.set_leading(node.id, false, now_);
    }

    void come_up(std::uint32_t at, const Cue& cue) {
        Node& node = nodes_[at];
        const bool again = cue.what == Cue::What::recover;
        if (node.status != (again ? Status::down : Status::unborn)) return;
        node.status = Status::up;
        node.algorithm = A{};
        node.leader = nobody;
        if (again && cue.disk) {
            if (trace_ != nullptr) trace_->add(now_, trace::Kind::recover, node.id);
            Stored stored{};
            if constexpr (keeps_store) stored = stored_[at].value_or(Stored{});
            take_turn(at, nobody, [&](A& algorithm) { recover(algorithm, stored, turn_); });
        } else {
            if constexpr (keeps_store) stored_[at].reset();
            if (trace_ != nullptr && (again || cue.time != Time{0}))
                trace_->add(now_, trace::Kind::start, node.id);
            take_turn(at, nobody, [&](A& algorithm) { offer(algorithm, Start{}, turn_); });
        }
    }

    void pause(std::uint32_t at) {
        nodes_[at].paused = nodes_[at].status == Status::up;
        if (trace_ != nullptr) trace_->add(now_, trace::Kind::pause, nodes_[at].id);
    }

    // What came while the node stood still has waited for it: first messages, then timers.
    void resume(std::uint32_t at) {
        if (!nodes_[at].paused) return;
        nodes_[at].paused = false;
        if (trace_ != nullptr) trace_->add(now_, trace::Kind::resume, nodes_[at].id);
        std::vector<Flight> flights;
        std::vector<Expiry> expiries;
        std::swap(flights, late_flights_);
        std::swap(expiries, late_timers_);
        for (const Flight& flight : flights)
            flight.to == at ? arrive(flight) : late_flights_.push_back(flight);
        for (const Expiry& e : expiries) e.at == at ? expire(e) : late_timers_.push_back(e);
    }

    // Without a detector, who calls an election does so because it noticed who is down.
    void call(std::uint32_t at) {
        if (nodes_[at].status != Status::up) return;
        if (!scenario_.detector.on)
            for (const Node& node : nodes_)
                if (node.status == Status::down)
                    tell(at, trace::Kind::suspect, node.id, Suspect{node.id});
        tell(at, trace::Kind::call, nobody, Call{});
    }

    template <class Event>
    void tell(std::uint32_t at, trace::Kind kind, Id other, const Event& event) {
        if constexpr (Handles<A, Event>) {
            if (nodes_[at].status != Status::up) return;
            if (trace_ != nullptr) trace_->add(now_, kind, nodes_[at].id, other);
            take_turn(at, nobody, [&](A& algorithm) { algorithm.on(event, turn_); });
        }
    }

    // ---------------------------------------------------------------- one turn

    template <class Handle>
    void take_turn(std::uint32_t at, Id from, const Handle& handle) {
        Node& node = nodes_[at];
        acting_ = at;
        turn_.me = node.id;
        turn_.next = group_.ring[at + 1 == group_.size() ? 0 : at + 1];
        turn_.from = from;
        turn_.now =
            clocks_.perfect() ? now_ : clocks_.local(static_cast<std::uint32_t>(node.id), now_);
        effects_.clear();
        const std::string before = trace_ != nullptr ? label_of(node.algorithm) : std::string{};
        handle(node.algorithm);
        if (trace_ != nullptr) show_state(node, before);
        perform_effects(at, node);
        if (const auto broken = broken_invariant(node.algorithm, turn_); !broken.empty())
            [[unlikely]]
            judge_.broken(broken, node.id, now_);
    }

    void show_state(const Node& node, const std::string& before) {
        const std::string after = label_of(node.algorithm);
        if (after != before) trace_->add(now_, trace::Kind::state, node.id, nobody, 0, after);
    }

    void perform_effects(std::uint32_t at, Node& node) {
        using What = Mutation::What;
        const What broken = scenario_.mutation.what;
        if constexpr (keeps_store)
            if (effects_.stored && broken != What::drop_store) {
                stored_[at] = effects_.stored;
                if (trace_ != nullptr)
                    trace_->add(now_, trace::Kind::store, node.id, nobody, 0,
                                text(*effects_.stored));
            }
        if (effects_.leader && *effects_.leader != node.leader && broken != What::drop_follow)
            believe(node, *effects_.leader);
        for (const TimerChange& change : effects_.timers) change_timer(at, change);
        if (!effects_.sends.empty()) {
            first_send_ = std::min(first_send_, now_);
            post_.dispatch(at, turn_.next, effects_.sends, now_);
        }
        for (const std::string_view report : effects_.reports) {
            ++reports_;
            if (trace_ != nullptr)
                trace_->add(now_, trace::Kind::report, node.id, nobody, 0, std::string(report));
        }
    }

    void believe(Node& node, Id leader) {
        node.leader = leader;
        last_change_ = now_;
        if (trace_ != nullptr) trace_->add(now_, trace::Kind::follow, node.id, leader);
        judge_.set_leading(node.id, leader == node.id, now_);
    }

    void change_timer(std::uint32_t at, const TimerChange& change) {
        using What = Mutation::What;
        if (scenario_.mutation.what == (change.set ? What::drop_set : What::drop_stop) &&
            scenario_.mutation.which == change.timer)
            return;
        std::uint64_t& setting = timers_set_[at * timer_count + change.timer];
        setting = change.set ? ++settings_made_ : 0;
        if (!change.set) return;
        const auto id = static_cast<std::uint32_t>(nodes_[at].id);
        const Time usual =
            clocks_.perfect() ? now_ + change.after : clocks_.due(id, now_, change.after);
        // A replay may let a timer fire at another time: that is how the checker's runs are shown.
        const Decision decision{Purpose::fire, nodes_[at].id, Id{change.timer}, ++times_set_[at]};
        const Duration span{decisions_.decide(decision, (usual - now_).count(), [&](std::uint64_t) {
            return (usual - now_).count();
        })};
        timers_.push({now_ + span, settings_made_, {at, change.timer, setting}});
    }

    std::uint64_t choose(std::uint64_t n) override {
        Node& node = nodes_[acting_];
        const auto chosen = static_cast<std::uint64_t>(decisions_.decide(
            {Purpose::choose, node.id, nobody, node.choices++}, 0,
            [&](std::uint64_t bits) { return static_cast<std::int64_t>(below(n, bits)); }));
        return std::min(chosen, n - 1);  // a log made by hand may ask for more than there is
    }

    Scenario scenario_;
    Settings settings_;
    Decisions& decisions_;
    Layout layout_;
    Group group_;
    Network network_;
    Clocks clocks_;
    Judge judge_;
    std::vector<Cue> script_;
    std::size_t cue_ = 0;
    trace::Trace* trace_;
    Post<Message> post_;
    Time until_;

    std::vector<Node> nodes_;                // in the order of the ring
    std::vector<std::uint64_t> timers_set_;  // per node and timer: which setting holds; 0: none
    std::vector<std::uint32_t> times_set_;   // per node
    std::vector<std::optional<Stored>> stored_;
    Heap<Expiry> timers_;
    std::vector<Flight> late_flights_;
    std::vector<Expiry> late_timers_;

    typename Turn::Effects effects_;
    Rows rows_;
    Turn turn_;
    std::uint32_t acting_ = 0;
    Time now_{};
    Time first_send_ = never, last_arrival_{}, last_change_{};
    std::uint64_t settings_made_ = 0, events_ = 0, reports_ = 0, digest_ = 0;
};

}  // namespace conclave::simulator
