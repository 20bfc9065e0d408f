#include "conclave/simulator/campaign/storm.hpp"

#include <algorithm>
#include <array>

#include "conclave/core/key.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t drift_ppb = 30'000'000;  // 3 %: what the usual lease bears
constexpr Duration aftermath = 3s;              // all should be settled by then

class Storm {
public:
    explicit Storm(const Scenario& scenario)
        : s_(scenario),
          over_(scenario.storm),
          state_(mix(scenario.seed ^ 0x73746f726d)),
          lost_(is_cell(scenario.algorithm)),
          whole_(bare_name(scenario.algorithm) != scenario.algorithm),
          changes_(whole_ && is_set("founders")) {}

    Scenario brew() {
        s_.storm = {};
        if (!s_.until) s_.until = over_ + aftermath;
        if (s_.calm == never) s_.calm = over_;
        disturb_network();
        disturb_clocks();
        const bool leased = is_cluster(s_.algorithm);
        for (Time at = pick_gap(); at < over_; at += pick_gap()) {
            const auto kind = below(leased ? 15 : 5);
            kind < 5 ? strike_machine(kind, at) : strike_process(kind, at);
            if (changes_ && below(4) == 0) ask_for_change(at);
        }
        // An agent comes back only with a disk that works, and when its guardian is gone.
        for (const Id id : failing_) befall("disk-recovers", id, over_);
        for (const Id id : fallen_)
            for (const Duration late : {0ms, 200ms, 400ms})
                befall("agent-returns", id, over_ + late);
        if (leased && s_.nodes > 2 && below(4) == 0) lose_for_good(over_ + aftermath / 3);
        if (whole_) vary_machines();
        return s_;
    }

private:
    std::uint64_t below(std::uint64_t n) {
        state_ = mix(state_);
        return simulator::below(n, state_);
    }
    // Troubles never come singly: half of them hit the node that was hit last.
    Id pick_node() {
        if (below(2) == 0) hit_ = Id{static_cast<std::uint32_t>(below(s_.nodes)) + 1};
        return hit_;
    }
    Duration pick_within(Duration low, Duration high) {
        return low + Duration{static_cast<std::int64_t>(
                         below(static_cast<std::uint64_t>((high - low).count())))};
    }
    // As likely short as long.
    Duration pick_any() { return pick_within(Duration{1}, Duration{1ms} * (1 << below(12))); }
    // A fault often lasts about as long as the usual lease.
    Duration pick_span() { return below(3) == 0 ? pick_within(100ms, 500ms) : pick_any(); }
    // Many faults come while the last is not over; sometimes there is a pause.
    Duration pick_gap() { return below(16) == 0 ? Duration{1s} : pick_any() / 2; }
    Time pick_end(Time at) { return std::min<Time>(at + pick_span(), over_); }

    Odds pick_odds(std::uint64_t most_percent) {
        return {below(2) * below(most_percent * (std::uint64_t{1} << 32) / 100)};
    }
    void disturb_network() {
        if (s_.delay == Delay{})
            s_.delay = {Delay::Shape::uniform, 200us, Duration{1ms} * (1 << below(4))};
        if (!s_.loss.possible()) s_.loss = pick_odds(20);
        if (!s_.duplication.possible()) s_.duplication = pick_odds(20);
        if (!s_.reordering.odds.possible()) s_.reordering.odds = pick_odds(20);
    }
    // Half of the storms have clocks at the limit, not just within it.
    void disturb_clocks() {
        if (s_.clocks != ClockModel{} || !s_.node_clocks.empty()) return;
        s_.clocks.offset = 5s;
        s_.clocks.drift_ppb = drift_ppb;
        if (below(2) == 0) return;
        for (std::uint32_t id = 1; id <= s_.nodes; ++id)
            s_.node_clocks.push_back({.node = Id{id},
                                      .offset = Duration{static_cast<std::int64_t>(below(9)) * 1s},
                                      .drift_ppb = below(2) == 0 ? -drift_ppb : drift_ppb});
    }

    void strike_machine(std::uint64_t kind, Time at) {
        const Id id = pick_node();
        const Time end = pick_end(at);
        switch (kind) {
            case 0:
                s_.crashes.push_back({id, at});
                s_.recoveries.push_back({id, end, !pick_loss()});
                break;
            case 1: s_.pauses.push_back({id, {at, end}}); break;
            case 2:
            case 3: s_.partitions.push_back({{{id}}, {at, end}}); break;
            default:
                if (const Id other = pick_node(); other != id)
                    s_.cuts.push_back({id, other, {at, end}});
        }
    }

    void strike_process(std::uint64_t kind, Time at) {
        const Id id = pick_node();
        const Time end = pick_end(at);
        switch (kind) {
            case 5:
                befall("agent-dies", id, at);
                if (pick_loss()) befall("file-vanishes", id, at + (end - at) / 2);
                befall("agent-returns", id, end);
                fallen_.push_back(id);
                break;
            case 6:
                befall("agent-pauses", id, at);
                befall("agent-resumes", id, end);
                break;
            case 7:
                befall("guardian-pauses", id, at);
                befall("guardian-resumes", id, end);
                break;
            case 8: befall("guardian-dies", id, at); break;
            case 9: befall("command-ends", id, at); break;
            case 10: strike_disk(id, at, end); break;
            case 11: befall("asked-to-leave", id, at); break;
            default: strike_by_request(kind, id, at, end);
        }
    }
    bool is_set(std::string_view key) const {
        return std::any_of(s_.settings.begin(), s_.settings.end(),
                           [&](const auto& each) { return each.first == key; });
    }
    void set(std::string_view key, std::string value) {
        if (!is_set(key)) s_.settings.emplace_back(key, std::move(value));
    }
    // Agents differ in what they look at first after a pause, and in how long their hooks run.
    // Networks differ in how late the latest of their messages comes.
    void vary_machines() {
        if (below(2) == 0) set("timers-first", "on");
        if (below(2) == 0) set("hooks", format_duration(pick_within(1ms, 500ms)));
        if (below(4) == 0 && s_.reordering.odds.possible()) s_.reordering.by = pick_span();
    }
    // An operator does not know who leads: every machine is asked, and the leader begins.
    void ask_for_change(Time at) {
        for (std::uint32_t id = 1; id <= s_.nodes; ++id) befall("roster-changes", Id{id}, at);
    }
    // The others must do without it, and nothing else is left to happen. Among five a second one
    // loses its disk, and cannot hear from the first what it promised.
    void lose_for_good(Time at) {
        const Id id{static_cast<std::uint32_t>(below(s_.nodes)) + 1};
        if (s_.nodes >= 5 && !lost_) {
            const Id other{static_cast<std::uint32_t>(id) % s_.nodes + 1};
            s_.crashes.push_back({id, at});
            s_.crashes.push_back({other, at + 10ms});
            s_.recoveries.push_back({other, at + 20ms, false});
            return;
        }
        constexpr std::array<std::string_view, 4> requests{"agent-dies", "agent-leaves",
                                                           "health-fails", "agent-set-aside"};
        const auto kind = below(requests.size() + 1);
        if (kind == requests.size())
            s_.crashes.push_back({id, at});
        else
            befall(requests[kind], id, at);
    }
    // By an operator or a health check. Whoever ends in an orderly way returns like one that dies.
    void strike_by_request(std::uint64_t kind, Id id, Time at, Time end) {
        if (kind == 12) {
            befall("health-fails", id, at);
            befall("health-recovers", id, end);
        } else if (kind == 13) {
            befall("agent-set-aside", id, at);
            befall("agent-reinstated", id, end);
        } else {
            befall("agent-leaves", id, at);
            befall("agent-returns", id, end);
            fallen_.push_back(id);
        }
    }
    void strike_disk(Id id, Time at, Time end) {
        constexpr std::array<std::string_view, 4> kinds{"disk-fills", "folder-unsynced",
                                                        "write-unconfirmed", "disk-slows"};
        befall(kinds[below(kinds.size())], id, at);
        befall("disk-recovers", id, end);
        failing_.push_back(id);
    }
    void befall(std::string_view what, Id id, Time at) {
        const auto& names = mishap_names();
        const auto which = std::find(names.begin(), names.end(), what) - names.begin();
        s_.mishaps.push_back({id, at, static_cast<std::uint8_t>(which)});
    }
    // Two members without a memory beside one that has its own need an operator's word.
    bool pick_loss() {
        const bool loss = !lost_ && below(2) == 0;
        lost_ = lost_ || loss;
        return loss;
    }

    Scenario s_;
    Time over_;
    std::uint64_t state_;
    Id hit_{1};
    bool lost_;     // no further member may lose its disk
    bool whole_;    // agents, not leases alone
    bool changes_;  // operators change the roster
    std::vector<Id> fallen_, failing_;
};

}  // namespace

Scenario brew(const Scenario& scenario) {
    return scenario.storm == Duration{0} ? scenario : Storm(scenario).brew();
}

}  // namespace conclave::simulator
