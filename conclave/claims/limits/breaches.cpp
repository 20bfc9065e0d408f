#include "conclave/claims/limits/breaches.hpp"

#include <algorithm>
#include <array>

#include "conclave/claims/measuring.hpp"
#include "conclave/core/key.hpp"

namespace conclave::claims {

namespace {

using namespace std::chrono_literals;
using simulator::Delay;
using simulator::Initiators;
using simulator::Odds;
using simulator::Outcome;
using simulator::Scenario;

constexpr std::uint32_t nodes = 5;

constexpr Odds percent(std::uint64_t share) { return {(std::uint64_t{1} << 32) / 100 * share}; }

// Draws that depend on nothing but the seed and the purpose.
Duration moment(Duration before, std::uint64_t seed, std::uint64_t purpose) {
    return Duration(
        static_cast<std::int64_t>(mix(seed, purpose) % static_cast<std::uint64_t>(before.count())));
}
Id anybody(std::uint64_t seed, std::uint64_t purpose) {
    return Id{static_cast<std::uint32_t>(mix(seed, purpose) % nodes) + 1};
}

void commit_nothing(Scenario&, Duration, std::uint64_t) {}

void lose_messages(Scenario& scenario, Duration election, std::uint64_t) {
    scenario.loss = percent(10);
    scenario.calm = election;
}
void double_messages(Scenario& scenario, Duration election, std::uint64_t) {
    scenario.duplication = percent(30);
    scenario.calm = election;
}
void reorder_messages(Scenario& scenario, Duration election, std::uint64_t) {
    scenario.fifo = false;
    scenario.reordering.odds = percent(30);
    scenario.reordering.by = 500us;  // with the usual delay still within a millisecond
    scenario.calm = election;
}
void delay_messages(Scenario& scenario, Duration, std::uint64_t) {
    scenario.delay = {Delay::Shape::exponential, 3ms, {}};
}
void crash_one(Scenario& scenario, Duration election, std::uint64_t seed) {
    scenario.crashes = {{anybody(seed, 1), moment(election, seed, 2)}};
}
void forget_one(Scenario& scenario, Duration election, std::uint64_t seed) {
    crash_one(scenario, election, seed);
    const Time again = scenario.crashes[0].at + 1ms + moment(election + 5ms, seed, 3);
    scenario.recoveries = {{scenario.crashes[0].node, again, false}};
}
void pause_one(Scenario& scenario, Duration election, std::uint64_t seed) {
    const Time from = moment(election, seed, 4);
    scenario.pauses = {{anybody(seed, 5), {from, from + election + 10ms}}};
}
void part_network(Scenario& scenario, Duration election, std::uint64_t seed) {
    const Time from = moment(election, seed, 6);
    scenario.partitions = {{{{}, {}}, {from, from + election + 10ms}}};
    const std::uint64_t sides = 1 + mix(seed, 7) % 30;  // neither is empty
    for (std::uint32_t id = 1; id <= nodes; ++id)
        scenario.partitions[0].parts[sides >> (id - 1) & 1].push_back(Id{id});
}
void suspect_the_living(Scenario& scenario, Duration election, std::uint64_t seed) {
    for (std::uint64_t i = 0; i < 3; ++i) {
        const Id observer = anybody(seed, 10 + i), suspected = anybody(seed, 20 + i);
        const Time from = moment(election, seed, 30 + i);
        if (observer != suspected)
            scenario.suspicions.push_back({observer, suspected, {from, from + election / 2 + 2ms}});
    }
}

// Everything as the papers like it: delays of 0.1 to 0.5ms, and everybody is told of a crash after
// the last message of the dead has arrived.
Scenario good_world(const simulator::Engine& engine, std::uint64_t seed) {
    Scenario scenario;
    scenario.algorithm = engine.card->name;
    scenario.nodes = nodes;
    scenario.seed = seed;
    scenario.delay = {Delay::Shape::uniform, 100us, 500us};
    scenario.detector.on = true;
    scenario.detector.lateness = {Delay::Shape::constant, 1ms, {}};
    scenario.initiators.who = seed % 2 == 0 ? Initiators::Who::all : Initiators::Who::first;
    scenario.until = 400ms;
    return scenario;
}

// How long an election takes where all is well, at most.
Duration usual_length(const simulator::Engine& engine) {
    Duration longest = 1ms;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Outcome outcome = run_named(good_world(engine, seed));
        longest = std::max(longest, outcome.quiet ? outcome.ended : outcome.turnaround);
    }
    return longest;
}

constexpr std::array<std::pair<char, std::string_view>, 4> letters{
    {{'T', "one leader"}, {'S', "agreement"}, {'W', "best elected"}, {'N', "informed"}}};

}  // namespace

// Where nobody would begin again it comes soon: doubled messages may go round and round.
Time patient_end(const simulator::Engine& engine) {
    const Duration election = usual_length(engine);
    const bool falls_quiet = run_named(good_world(engine, 1)).quiet;
    return falls_quiet ? 50ms + 10 * election : 500ms + 60 * election;
}

std::span<const Breach> breaches() {
    static constexpr std::array list{
        Breach{"none", "all is as the papers like it", &commit_nothing},
        Breach{"loss", "one message in ten is lost", &lose_messages},
        Breach{"duplicates", "three messages in ten arrive twice", &double_messages},
        Breach{"order", "three in ten are overtaken, but none is late", &reorder_messages},
        Breach{"lateness", "delays without a bound, 3ms on average", &delay_messages},
        Breach{"crash", "one process fails, and all are told", &crash_one},
        Breach{"amnesia", "it comes back and remembers nothing", &forget_one},
        Breach{"pause", "one stands still, and goes on as if nothing had been", &pause_one},
        Breach{"partition", "the network is split in two, and heals", &part_network},
        Breach{"suspicion", "up to three times somebody takes a live one for dead",
               &suspect_the_living},
    };
    return list;
}

std::string broken_by(const simulator::Engine& engine, const Breach& breach, std::uint64_t runs) {
    const Duration election = usual_length(engine);
    const Time end = patient_end(engine);
    std::array<bool, 5> broken{};
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario scenario = good_world(engine, seed);
        scenario.until = end;
        breach.commit(scenario, election, seed);
        for (const simulator::Violation& violation : run_named(scenario).violations) {
            const auto known = std::find_if(letters.begin(), letters.end(), [&](const auto& l) {
                return l.second == violation.property;
            });
            broken[static_cast<std::size_t>(known - letters.begin())] = true;
        }
    }
    std::string text;
    for (std::size_t i = 0; i < broken.size(); ++i)
        if (broken[i]) text += i < letters.size() ? letters[i].first : 'O';
    return text;
}

}  // namespace conclave::claims
