#include "conclave/checker/story/story.hpp"

#include <algorithm>
#include <array>

namespace conclave::checker {

namespace {

// Walks through the worlds of a run and writes down what happened.
class Teller {
public:
    Teller(Model& model, Duration step)
        : model_(model), shared_(model.shared()), nodes_(model.nodes()), step_(step) {
        const std::size_t n = shared_.ring.size();
        flights_.resize(shared_.links.size());
        sent_.resize(n);
        sets_.resize(n);
        chosen_.resize(n);
        clocks_.resize(n);
        readings_.resize(n);
        running_.assign(n, std::vector<Running>(nodes_.traits().timers.size()));
        story_.trace.nodes = shared_.ring;
    }

    Story tell(const std::vector<std::vector<std::uint32_t>>& worlds,
               const std::vector<Step>& steps, const std::string& wrong) {
        if (!shared_.query.start_steps) tell_starts(worlds[0]);
        // Within a tick the steps follow each other closely: their order is all that matters.
        const bool bounded = shared_.query.timing == Timing::bounded;
        const Duration moment = bounded ? std::max(step_ / 1000, Duration{1}) : step_;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].kind == Step::Kind::tick) {
                tell_tick(worlds[i], worlds[i + 1]);
            } else {
                now_ += moment;
                tell_step(worlds[i], steps[i]);
            }
        }
        put_off_starts(worlds.back());
        for (const auto& link : flights_)
            for (const Flight& flight : link)
                if (flight.arrivals == 0) delay(flight, far_);
        for (std::size_t at = 0; at < running_.size(); ++at)
            for (std::size_t t = 0; t < running_[at].size(); ++t)
                if (running_[at][t].set) fire(at, t, far_);
        if (!wrong.empty())
            story_.trace.add(now_, trace::Kind::violation, nobody, nobody, 0, wrong);
        story_.end = now_;
        return std::move(story_);
    }

private:
    static constexpr Duration far_ = std::chrono::hours(1);
    struct Flight {
        Id from, to;
        std::uint32_t message, count;
        std::uint64_t number;
        Time sent, arrived;
        int arrivals = 0;
    };
    struct Running {
        bool set = false;
        std::uint32_t count = 0;
        Time since{};
    };

    void tell_starts(const std::vector<std::uint32_t>& world) {
        std::vector<std::uint32_t> before(world.size(), 0);
        for (std::size_t at = 0; at < shared_.ring.size(); ++at) {
            if (nodes_[world[at]].life == Life::unborn) continue;
            const bool calls = std::count(shared_.query.initiators.begin(),
                                          shared_.query.initiators.end(), shared_.ring[at]) != 0;
            Step step{.what = static_cast<std::uint8_t>(What::start),
                      .node = static_cast<std::uint8_t>(at),
                      .which = calls};
            tell_clock(at);
            if (calls) tell_call(at, 0);
            const auto& ways = model_.starts(step);
            const auto way = std::find_if(ways.begin(), ways.end(),
                                          [&](const Way& each) { return each.local == world[at]; });
            if (way != ways.end()) tell_turn(model_.unborn(), *way, at);
        }
    }

    // Nodes that have not started by the end start when all is over.
    void put_off_starts(const std::vector<std::uint32_t>& world) {
        for (std::size_t at = 0; at < shared_.ring.size(); ++at)
            if (nodes_[world[at]].life == Life::unborn)
                story_.faults.push_back({What::start, shared_.ring[at], nobody, far_});
    }

    void tell_tick(const std::vector<std::uint32_t>& before,
                   const std::vector<std::uint32_t>& after) {
        now_ = (now_ / step_ + 1) * step_;
        for (std::size_t at = 0; at < clocks_.size(); ++at)
            clocks_[at] += model_.units_between(before[at], after[at]) * step_;
        if (shared_.query.endless) rename_flights(before, after);
    }

    // Where time goes on for ever, the numbers in what is on its way were counted anew.
    void rename_flights(const std::vector<std::uint32_t>& before,
                        const std::vector<std::uint32_t>& after) {
        const std::size_t nodes = shared_.ring.size();
        for (std::size_t link = 0; link < flights_.size(); ++link) {
            const auto& was = shared_.mails[before[nodes + link]].parcels;
            const auto& is = shared_.mails[after[nodes + link]].parcels;
            check(was.size() == is.size(), "time passes for all that is on its way");
            for (Flight& flight : flights_[link])
                for (std::size_t i = 0; i < was.size() && flight.arrivals == 0; ++i)
                    if (flight.message == was[i].message) {
                        flight.message = is[i].message;
                        break;
                    }
        }
    }

    void tell_step(const std::vector<std::uint32_t>& before, const Step& step) {
        using trace::Kind;
        const Id me = shared_.ring[step.node];
        const Id other = step.from == 0 ? nobody : shared_.ring[step.from - 1u];
        if (step.kind == Step::Kind::lose || step.kind == Step::Kind::discard)
            return tell_loss(step, me, other);
        if (is_ignored(before, step)) return tell_loss(step, me, other);
        const auto what = static_cast<What>(step.what);
        switch (what) {
            case What::message: tell_arrival(step, me, other); break;
            case What::timer:
                story_.trace.add(now_, Kind::timer, me, nobody, 0,
                                 std::string(nodes_.traits().timers[step.which]));
                fire(step.node, step.which, now_ - running_[step.node][step.which].since);
                break;
            default: tell_fault(what, step, me, other);
        }
        if (what == What::call)
            tell_call(step.node, step.which);
        else if (what != What::crash)
            tell_clock(step.node);
        if (what == What::start && step.which != 0) tell_call(step.node, step.which - 1);
        const Way way = model_.way(before.data(), step);
        tell_turn(before[step.node], way, step.node);
    }

    // A message for a process that stands still, and is not read, is as good as lost: the
    // simulator would keep it until the process goes on.
    bool is_ignored(const std::vector<std::uint32_t>& before, const Step& step) const {
        return static_cast<What>(step.what) == What::message && !nodes_.listens(before[step.node]);
    }

    void tell_clock(std::size_t at) {
        if (nodes_.traits().ages)  // for the others it stands still
            story_.decisions[{trace::Purpose::read, shared_.ring[at], nobody, ++readings_[at]}] =
                clocks_[at].count();
    }

    // It is told who is down, and calls.
    void tell_call(std::size_t at, std::uint32_t absence) {
        const std::uint64_t down = shared_.absences[absence];
        for (std::size_t of = 0; of < shared_.ring.size(); ++of) {
            if ((down >> of & 1) == 0) continue;
            tell_clock(at);
            story_.trace.add(now_, trace::Kind::suspect, shared_.ring[at], shared_.ring[of]);
        }
        tell_clock(at);
        story_.trace.add(now_, trace::Kind::call, shared_.ring[at]);
    }

    void tell_fault(What what, const Step& step, Id me, Id other) {
        using trace::Kind;
        static constexpr std::array kinds{Kind::start,   Kind::call,  Kind::arrive, Kind::timer,
                                          Kind::suspect, Kind::trust, Kind::crash,  Kind::recover,
                                          Kind::start,   Kind::report};
        if (what != What::call)
            story_.trace.add(now_, kinds[static_cast<std::size_t>(what)], me, other, 0,
                             what == What::fault ? std::string(nodes_.traits().faults[step.which])
                                                 : std::string{});
        story_.faults.push_back({what, me, other, now_, step.which});
        if (what == What::start && step.which != 0)
            story_.faults.push_back({What::call, me, nobody, now_});
        if (what == What::crash)
            for (std::size_t t = 0; t < running_[step.node].size(); ++t)
                if (running_[step.node][t].set) fire(step.node, t, far_);
    }

    // The oldest copy of that message on the link that has not arrived yet, or one that arrives
    // again.
    Flight& find_flight(const Step& step) {
        auto& link = flights_[shared_.link_of[step.from - 1u][step.node]];
        for (Flight& flight : link)
            if (flight.message == step.which && flight.arrivals == 0) return flight;
        for (Flight& flight : link)
            if (flight.message == step.which) return flight;
        check(false, "what arrives was sent");
        return link.front();
    }

    void tell_arrival(const Step& step, Id me, Id other) {
        Flight& flight = find_flight(step);
        story_.trace.add(now_, trace::Kind::arrive, me, other, flight.number,
                         nodes_.message_text(step.which));
        if (++flight.arrivals == 1) {
            delay(flight, now_ - flight.sent);
            flight.arrived = now_;
        } else {
            story_.decisions[{trace::Purpose::duplicate, flight.from, flight.to, flight.count}] =
                (now_ - flight.arrived).count() + 1;
        }
        if (step.kind == Step::Kind::duplicate) return;  // the other copy is still to come
        if (flight.arrivals == 1) flight.arrivals = 2;
    }

    void tell_loss(const Step& step, Id me, Id other) {
        Flight& flight = find_flight(step);
        const bool lost = step.kind != Step::Kind::discard;
        story_.trace.add(now_, trace::Kind::lose, me, other, flight.number, lost ? "lost" : "down");
        flight.arrivals = 2;
        if (lost)
            story_.decisions[{trace::Purpose::lose, flight.from, flight.to, flight.count}] = 1;
        else
            delay(flight, now_ - flight.sent);
    }

    void delay(const Flight& flight, Duration span) {
        story_.decisions[{trace::Purpose::delay, flight.from, flight.to, flight.count}] =
            span.count();
    }
    void fire(std::size_t at, std::size_t timer, Duration span) {
        Running& running = running_[at][timer];
        running.set = false;
        story_.decisions[{trace::Purpose::fire, shared_.ring[at],
                          Id{static_cast<std::uint32_t>(timer)}, running.count}] = span.count();
    }

    // The effects of the turn: its state, its belief, its timers, its messages.
    void tell_turn(std::uint32_t before, const Way& way, std::size_t at) {
        using trace::Kind;
        const Id me = shared_.ring[at];
        const NodeState& after = nodes_[way.local];
        const std::string is = nodes_.label(way.local);
        if (nodes_.label(before) != is && after.life == Life::up)
            story_.trace.add(now_, Kind::state, me, nobody, 0, is);
        if (way.followed && (nodes_[before].leader != after.leader || nodes_.traits().knows_better))
            story_.trace.add(now_, Kind::follow, me, *way.followed);
        for (const std::uint64_t value : way.choices) {
            const std::uint32_t count = chosen_[at]++;
            if (value != 0)
                story_.decisions[{trace::Purpose::choose, me, nobody, count}] =
                    static_cast<std::int64_t>(value);
        }
        for (const TimerChange& change : way.timers) {
            Running& running = running_[at][change.timer];
            if (running.set) fire(at, change.timer, far_);  // stopped or set anew before it fired
            running = {change.set, change.set ? ++sets_[at] : 0, now_};
        }
        for (std::size_t i = 0; i < way.sends.size(); ++i) {
            const Outgoing& send = way.sends[i];
            if (i == 0 || send.group != way.sends[i - 1].group) ++sent_[at];
            const Id to = shared_.ring[send.to];
            flights_[shared_.link_of[at][send.to]].push_back(
                {me, to, send.message, sent_[at], ++number_, now_, {}});
            story_.trace.add(now_, Kind::send, me, to, number_, nodes_.message_text(send.message));
        }
    }

    Model& model_;
    const Shared& shared_;
    const Nodes& nodes_;
    Duration step_;
    Time now_{};
    Story story_;
    std::vector<std::vector<Flight>> flights_;  // per link
    std::vector<std::vector<Running>> running_;
    std::vector<Time> clocks_;                         // per node: what it shows
    std::vector<std::uint32_t> sent_, sets_, chosen_,  // per node, as the simulator counts them
        readings_;
    std::uint64_t number_ = 0;
};

}  // namespace

Story tell_story(Model& model, const std::vector<std::vector<std::uint32_t>>& worlds,
                 const std::vector<Step>& steps, const std::string& wrong) {
    return Teller(model, model.shared().query.tick).tell(worlds, steps, wrong);
}

}  // namespace conclave::checker
