#include "conclave/simulator/campaign/smaller.hpp"

#include <algorithm>
#include <array>

#include "conclave/simulator/world/layout.hpp"

namespace conclave::simulator {

namespace {

template <class Visit>
void visit_lists(Scenario& s, const Visit& visit) {
    visit(s.partitions);
    visit(s.crashes);
    visit(s.recoveries);
    visit(s.pauses);
    visit(s.mishaps);
    visit(s.cuts);
    visit(s.suspicions);
    visit(s.calls);
    visit(s.starts);
    visit(s.initiators.ids);
    visit(s.links);
    visit(s.node_clocks);
    visit(s.attributes);
}

void settle_initiators(Scenario& scenario) {
    if (scenario.initiators.who == Initiators::Who::listed && scenario.initiators.ids.empty())
        scenario.initiators.who = Initiators::Who::none;
}

// Which ids an item of a scenario mentions.
template <class Item, class Visit>
void visit_ids(Item& item, const Visit& visit) {
    if constexpr (requires { item.node; }) visit(item.node);
    if constexpr (requires { item.from; }) visit(item.from), visit(item.to);
    if constexpr (requires { item.observer; }) visit(item.observer), visit(item.suspected);
    if constexpr (std::is_same_v<Item, Id>) visit(item);
}

class Removal {
public:
    explicit Removal(Id gone) : gone_(gone) {}

    void from(Id& id) const {
        if (id != everyone && id > gone_) id = Id{static_cast<std::uint32_t>(id) - 1};
    }
    template <class Item>
    void from(std::vector<Item>& items) const {
        std::erase_if(items, [&](Item& item) {
            bool mentioned = false;
            visit_ids(item, [&](Id id) { mentioned = mentioned || id == gone_; });
            return mentioned;
        });
        for (Item& item : items) visit_ids(item, [&](Id& id) { from(id); });
    }
    void from(std::vector<Partition>& partitions, std::uint32_t nodes) const {
        for (Partition& partition : partitions) {
            for (auto& part : partition.parts) from(part);
            std::erase_if(partition.parts, [](const auto& part) { return part.empty(); });
        }
        std::erase_if(partitions, [&](const Partition& partition) {
            return partition.parts.empty() ||
                   (partition.parts.size() == 1 && partition.parts[0].size() >= nodes);
        });
    }
    // Links are between places, not ids.
    static void from(std::vector<GraphPlan::Link>& links, std::uint32_t place) {
        std::erase_if(links, [&](const auto& link) { return link.a == place || link.b == place; });
        for (auto& link : links) link = {link.a - (link.a > place), link.b - (link.b > place)};
    }
    DecisionLog from(const DecisionLog& log) const {
        DecisionLog moved;
        for (const auto& [key, value] : log) {
            Decision decision = key;
            const bool linked = decision.purpose != Purpose::fire;  // there `to` is a timer
            if (decision.from == gone_ || (linked && decision.to == gone_)) continue;
            from(decision.from);
            if (linked) from(decision.to);
            moved[decision] = value;
        }
        return moved;
    }

private:
    Id gone_;
};

// No delay between these is shorter.
std::int64_t shortest_delay(const Scenario& scenario, const Decision& decision) {
    const Delay* delay = &scenario.delay;
    for (const LinkDelay& link : scenario.links)
        if (link.from == decision.from && link.to == decision.to) delay = &link.delay;
    return delay->shape == Delay::Shape::exponential ? 1 : delay->low.count();
}

bool is_time(Purpose purpose) {
    return purpose == Purpose::delay || purpose == Purpose::duplicate ||
           purpose == Purpose::reorder || purpose == Purpose::fire;
}

// The times of a scenario, in a fixed order.
std::vector<Time*> times_of(Scenario& s) {
    std::vector<Time*> times;
    const auto add = [&](auto& items) {
        for (auto& item : items) {
            if constexpr (requires { item.at; }) times.push_back(&item.at);
            if constexpr (requires { item.when; }) {
                times.push_back(&item.when.from);
                if (item.when.until != never) times.push_back(&item.when.until);
            }
        }
    };
    visit_lists(s, add);
    return times;
}

}  // namespace

std::size_t count_items(const Scenario& scenario) {
    std::size_t count = 0;
    Scenario copy = scenario;
    visit_lists(copy, [&](const auto& list) { count += list.size(); });
    return count;
}

Scenario keep_items(const Scenario& scenario, const std::vector<std::size_t>& kept) {
    Scenario smaller = scenario;
    std::size_t place = 0;
    visit_lists(smaller, [&](auto& list) {
        std::erase_if(list, [&](const auto&) {
            return !std::binary_search(kept.begin(), kept.end(), place++);
        });
    });
    settle_initiators(smaller);
    return smaller;
}

Scenario name_initiators(const Scenario& scenario) {
    Scenario named = scenario;
    const Layout layout = lay_out(scenario, Decisions(scenario.seed));
    named.initiators = {Initiators::Who::listed, initiators_of(scenario, layout)};
    settle_initiators(named);
    return named;
}

namespace {
std::uint32_t place_of(const Scenario& scenario, Id id) {
    const auto ring = lay_out(scenario, Decisions(scenario.seed)).ring;
    return static_cast<std::uint32_t>(std::find(ring.begin(), ring.end(), id) - ring.begin());
}
}  // namespace

Recording without_node(const Recording& recording, Id gone) {
    const Removal removal(gone);
    Recording smaller{recording.scenario, removal.from(recording.decisions)};
    Scenario& s = smaller.scenario;
    --s.nodes;
    if (s.graph) removal.from(s.graph->links, place_of(recording.scenario, gone));
    visit_lists(s, [&]<class Item>(std::vector<Item>& list) {
        if constexpr (std::is_same_v<Item, Partition>)
            removal.from(list, s.nodes);
        else
            removal.from(list);
    });
    removal.from(s.order.ids);
    settle_initiators(s);
    return smaller;
}

std::vector<Recording> plainer(const Recording& recording) {
    std::vector<Recording> tries;
    const auto attempt = [&](const auto& change) {
        Recording candidate = recording;
        change(candidate.scenario);
        if (candidate.scenario != recording.scenario) tries.push_back(std::move(candidate));
    };
    attempt([](Scenario& s) { s.loss = {}; });
    attempt([](Scenario& s) { s.duplication = {}; });
    attempt([](Scenario& s) { s.reordering = {}; });
    attempt([](Scenario& s) { s.delay = {Delay::Shape::constant, s.delay.low, {}}; });
    attempt([](Scenario& s) { s.same_for_all = false; });
    attempt([](Scenario& s) { s.clocks = {}; });
    attempt([](Scenario& s) { s.detector.missed = {}; });
    attempt([](Scenario& s) { s.detector.mistaken_for = Detector{}.mistaken_for; });
    attempt([](Scenario& s) {
        s.detector.lateness = {Delay::Shape::constant, s.detector.lateness.low, {}};
    });
    attempt([](Scenario& s) {
        if (std::is_sorted(s.order.ids.begin(), s.order.ids.end()))
            s.order = {Order::How::ascending, {}};
    });
    return tries;
}

std::size_t count_times(const Recording& recording) {
    Scenario copy = recording.scenario;
    return times_of(copy).size() + recording.decisions.size();
}

std::vector<Recording> rounder(const Recording& recording, std::size_t place) {
    constexpr std::array<std::int64_t, 7> grains{1'000'000'000, 100'000'000, 10'000'000, 1'000'000,
                                                 100'000,       10'000,      1'000};
    std::vector<Recording> tries;
    for (const std::int64_t grain : grains) {
        Recording candidate = recording;
        const std::vector<Time*> times = times_of(candidate.scenario);
        if (place < times.size()) {
            const Time time = *times[place];
            if (time.count() % grain == 0) break;
            *times[place] = Time{time.count() / grain * grain};
        } else {
            auto& [decision, value] = *std::next(candidate.decisions.begin(),
                                                 static_cast<std::ptrdiff_t>(place - times.size()));
            const std::int64_t extra = decision.purpose == Purpose::duplicate ? 1 : 0;
            if (!is_time(decision.purpose) || (value - extra) % grain == 0) break;
            value = (value - extra) / grain * grain + extra;
            if (value == 0) continue;
            if (decision.purpose == Purpose::delay &&
                value < shortest_delay(recording.scenario, decision))
                continue;
        }
        tries.push_back(std::move(candidate));
    }
    return tries;
}

}  // namespace conclave::simulator
