#include "conclave/claims/nemeth/nemeth_runs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "conclave/claims/measuring.hpp"
#include "conclave/core/key.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::claims::exchange {

using simulator::Scenario;
using trace::Kind;
using trace::Record;
using trace::Trace;

namespace {

// Random numbers that every compiler draws alike.
struct Dice {
    std::uint64_t seed, count = 0;
    std::uint64_t below(std::uint64_t n) { return simulator::below(n, mix(seed, ++count)); }
    Duration up_to(Duration most) {
        return Duration{
            static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most.count()) + 1))};
    }
};

bool is(const Record& record, Kind kind, std::string_view message) {
    return record.kind == kind && record.text.starts_with(message) &&
           record.text[message.size()] == '(';
}

// "Reorganize(7, 1, 0, [2 3])" -> 7 1 0 2 3
std::vector<std::uint64_t> numbers_in(const std::string& text) {
    std::vector<std::uint64_t> numbers;
    bool inside = false;
    for (const char letter : text) {
        const bool digit = letter >= '0' && letter <= '9';
        if (digit && !inside) numbers.push_back(0);
        if (digit) numbers.back() = 10 * numbers.back() + static_cast<std::uint64_t>(letter - '0');
        inside = digit;
    }
    return numbers;
}

std::set<Id> ids_behind(const std::vector<std::uint64_t>& numbers, std::size_t begin) {
    std::set<Id> ids;
    for (std::size_t i = begin; i < numbers.size(); ++i)
        ids.insert(Id{static_cast<std::uint32_t>(numbers[i])});
    return ids;
}

std::string at(const Record& record) {
    return " at node " + text(record.node) + ", " + format_duration(record.time);
}

}  // namespace

Scenario steady(std::uint32_t nodes) {
    Scenario scenario;
    scenario.algorithm = "nemeth";
    scenario.nodes = nodes;
    scenario.order.how = simulator::Order::How::ascending;
    scenario.delay.low = k;
    scenario.settings = {{"clocks", "counter"}};
    return scenario;
}

Scenario lively(std::uint32_t nodes, std::uint64_t seed) {
    Scenario scenario = steady(nodes);
    scenario.delay = {simulator::Delay::Shape::uniform, Duration{0}, k};
    scenario.seed = seed;
    return scenario;
}

Scenario failing(std::uint64_t seed) {
    Dice dice{seed};
    Scenario scenario = lively(3 + static_cast<std::uint32_t>(dice.below(4)), seed);
    std::vector<Id> ids;
    for (std::uint32_t id = 1; id <= scenario.nodes; ++id) ids.push_back(Id{id});
    for (std::uint64_t failures = dice.below(scenario.nodes); failures > 0; --failures) {
        const auto which = static_cast<std::ptrdiff_t>(dice.below(ids.size()));
        scenario.crashes.push_back({*(ids.begin() + which), dice.up_to(60 * k)});
        ids.erase(ids.begin() + which);
    }
    scenario.until = 150 * k;
    return scenario;
}

Scenario returning(std::uint64_t seed) {
    Dice dice{seed};
    Scenario scenario = lively(3 + static_cast<std::uint32_t>(dice.below(2)), seed);
    for (std::uint32_t id = 1; id <= scenario.nodes; ++id)
        scenario.starts.push_back({Id{id}, dice.up_to(8 * k)});
    for (int i = 0; i < 4; ++i) {
        const Id id{1 + static_cast<std::uint32_t>(dice.below(scenario.nodes))};
        const Time failure = 10 * k + dice.up_to(90 * k);
        scenario.crashes.push_back({id, failure});
        scenario.recoveries.push_back({id, failure + dice.up_to(20 * k)});
    }
    scenario.until = 220 * k;
    return scenario;
}

bool two_coordinators(const simulator::Outcome& outcome) { return violates(outcome, "one leader"); }

bool reached(const Trace& trace, std::string_view cell) {
    return std::any_of(trace.records.begin(), trace.records.end(), [&](const Record& record) {
        return record.kind == Kind::report && record.text.starts_with(cell);
    });
}

// A message's first number is its stamp. What a node sends after it received a stamp s is an event
// after the receipt, which is later than s: so its own stamp exceeds s + 1.
std::string clock_fault(const Trace& trace) {
    struct Seen {
        std::uint64_t least = 0;  // the next stamp is not smaller
        std::string last;         // copies of one message are one event,
        std::string candidacy;    // even if one of them leaves much later
    };
    std::map<Id, Seen> nodes;
    for (const Record& record : trace.records) {
        Seen& seen = nodes[record.node];
        if (record.kind == Kind::recover || record.kind == Kind::start) seen = {};
        if (record.kind != Kind::send && record.kind != Kind::arrive) continue;
        const std::uint64_t stamp = numbers_in(record.text).front();
        if (record.kind == Kind::arrive) {
            seen.least = std::max(seen.least, stamp + 2);
            seen.last.clear();
        } else if (record.text != seen.last && record.text != seen.candidacy) {
            if (stamp < seen.least) return record.text + " was sent too early" + at(record);
            seen.least = stamp + 1;
            seen.last = record.text;
            if (is(record, Kind::send, "Candidate")) seen.candidacy = record.text;
        }
    }
    return {};
}

std::string list_fault(const Trace& trace) {
    struct Candidacy {
        std::uint64_t stamp = 0;
        std::set<Id> acknowledged;
    };
    std::map<Id, Candidacy> nodes;
    for (const Record& record : trace.records) {
        Candidacy& own = nodes[record.node];
        const std::vector<std::uint64_t> numbers = numbers_in(record.text);
        if (is(record, Kind::send, "Candidate") && record.other == everyone)
            own = {numbers[0], {}};
        else if (is(record, Kind::arrive, "Acknowledge") && numbers[1] == own.stamp)
            own.acknowledged.insert(record.other);
        else if (is(record, Kind::send, "Reorganize") &&
                 (ids_behind(numbers, 3) != own.acknowledged ||
                  !own.acknowledged.contains(record.other)))
            return record.text + " is not for those who acknowledged" + at(record);
    }
    return {};
}

// "Stored(clock, Configuration(number, coordinator, [members]))" is what applying looks like.
std::string commit_fault(const Trace& trace) {
    std::set<Id> failed;
    for (const Record& record : trace.records)
        if (record.kind == Kind::crash) failed.insert(record.node);
    std::map<std::pair<std::uint64_t, Id>, std::set<Id>> owing;  // listed, and has not applied it
    std::set<std::pair<std::uint64_t, Id>> seen;
    for (const Record& record : trace.records) {
        if (record.kind != Kind::store || failed.contains(record.node)) continue;
        const std::vector<std::uint64_t> numbers = numbers_in(record.text);
        const std::pair name{numbers[1], Id{static_cast<std::uint32_t>(numbers[2])}};
        if (seen.insert(name).second) owing[name] = ids_behind(numbers, 2);  // coordinator included
        owing[name].erase(record.node);
    }
    for (const auto& [name, members] : owing)
        for (const Id member : members)
            if (!failed.contains(member))
                return "node " + text(member) + " never applied configuration " +
                       std::to_string(name.first) + " of " + text(name.second);
    return {};
}

Delays delays_of(const Trace& trace) {
    Time failure{}, elected{}, applied{};
    for (const Record& record : trace.records) {
        if (record.kind == Kind::crash) failure = record.time;
        if (record.kind == Kind::follow && record.node == record.other) elected = record.time;
        if (record.kind == Kind::store) applied = record.time;
    }
    return {std::max(elected - failure, Duration{0}), std::max(applied - elected, Duration{0})};
}

std::vector<Scenario> failing_anywhere(const Scenario& scenario) {
    Trace trace;
    run_named(scenario, &trace);
    std::set<Time> moments;
    std::map<std::pair<Id, Time>, std::set<Id>> sent;
    for (const Record& record : trace.records) {
        moments.insert(record.time);
        if (record.kind == Kind::send && record.other != everyone)
            sent[{record.node, record.time}].insert(record.other);
    }
    std::vector<Scenario> list;
    for (const Time moment : moments)
        for (const Id node : trace.nodes) {
            list.push_back(scenario);
            list.back().crashes.push_back({node, moment});
        }
    for (const auto& [turn, receivers] : sent)  // every set of copies that did not leave in time
        for (std::uint64_t missing = 1; missing < std::uint64_t{1} << receivers.size(); ++missing) {
            list.push_back(scenario);
            const Time after = turn.second + Duration{1};
            list.back().crashes.push_back({turn.first, after});
            std::uint64_t bit = 1;
            for (const Id receiver : receivers) {
                if ((missing & bit) != 0)
                    list.back().cuts.push_back({turn.first, receiver, {turn.second, after}});
                bit <<= 1;
            }
        }
    return list;
}

}  // namespace conclave::claims::exchange
