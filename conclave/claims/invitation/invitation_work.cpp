// I4 to I6: work that is halted, shared and merged; the ways of priority side by side.
#include <algorithm>
#include <array>

#include "conclave/claims/invitation/invitation_rows.hpp"
#include "conclave/claims/measuring.hpp"
#include "conclave/election/invitation.hpp"

namespace conclave::claims {

using namespace std::chrono_literals;
using simulator::Outcome;
using simulator::Scenario;

namespace {

Scenario parted_work() {
    Scenario scenario = groups_of_one(6, 1s, "delay");
    scenario.partitions = {{{{Id{1}, Id{2}, Id{3}}, {Id{4}, Id{5}, Id{6}}}, {0ms, 100ms}}};
    scenario.settings.insert(scenario.settings.end(), {{"parts", "200"}, {"work", "3ms"}});
    return scenario;
}

// Process `id` has just been told how the task stands: is that what its coordinator holds?
bool holds_state(const simulator::AnyWorld& world, Id id) {
    const auto& member = world.node<Invitation>(id);
    const auto& founder = world.node<Invitation>(member.group.founder);
    return member.group == founder.group && member.task.deals == founder.task.deals &&
           std::all_of(founder.task.results.begin(), founder.task.results.end(),
                       [&](const Task::Result& r) { return member.task.finished(r.part); });
}

struct Halting {
    std::uint64_t told = 0, equal = 0;  // times somebody was told, and then held the same state
    std::uint64_t apart = 0;            // parts that one group had and the other had not
    Outcome outcome;
};

// Looks at the world every tenth of a millisecond.
Halting watch_merges() {
    const Scenario scenario = parted_work();
    simulator::Decisions decisions(scenario.seed);
    const auto world = open_named(scenario, decisions);
    const auto node = [&](std::uint32_t id) -> const Invitation& {
        return world->node<Invitation>(Id{id});
    };
    std::vector<Invitation::Phase> before(7, Invitation::Phase::normal);
    Halting seen;
    for (Time now{}; now <= 1s; now += 100us) {
        world->run_until(now);
        for (std::uint32_t id = 1; id <= 6; ++id) {
            const auto phase = node(id).phase;
            if (before[id] == Invitation::Phase::joining && phase == Invitation::Phase::normal) {
                ++seen.told;
                seen.equal += holds_state(*world, Id{id});
            }
            before[id] = phase;
        }
        if (now == 99ms)
            for (const Task::Result& r : node(3).task.results)
                seen.apart += !node(6).task.finished(r.part);
    }
    seen.outcome = world->finish();
    return seen;
}

}  // namespace

// ---------------------------------------------------------------- I4

Result halt_work(const Effort& effort) {
    const Halting seen = watch_merges();
    const std::uint64_t runs = effort.runs(2'000);
    std::uint64_t reports = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario scenario = stormy_groups(seed);
        scenario.settings.push_back({"parts", "40"});
        reports += run_named(scenario).reports;
    }
    Scenario careless = parted_work();
    careless.mutation = {simulator::Mutation::What::drop_stop,
                         Invitation::Turn::Timers::index<Invitation::Work>, 0};
    const std::uint64_t noticed = run_named(careless).reports;
    const bool holds = seen.told >= 9 && seen.equal == seen.told && ends_well(seen.outcome) &&
                       seen.outcome.reports == 0 && reports == 0 && noticed > 0;
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "no work during a merge; then all members hold the coordinator's state",
            .measured = std::to_string(reports) + " times work during a merge (" +
                        std::to_string(noticed) + " if timers are not stopped); state held " +
                        out_of(seen.equal, seen.told) + " times",
            .unit = "times",
            .evidence = "Storms with seeds 1 to " + std::to_string(runs) +
                        ", and a network in two parts that heals: there the groups' states "
                        "differed by " +
                        std::to_string(seen.apart) + " parts before the merge, by none after it."};
}

// ---------------------------------------------------------------- I5

namespace {

struct Labour {
    std::uint64_t done = 0;  // parts worked on, by anybody
    bool good = false;       // everybody holds every part once
};

Labour do_work(const Scenario& scenario) {
    trace::Trace trace;
    const Outcome outcome = run_named(scenario, &trace);
    Labour labour;
    labour.good = ends_well(outcome);  // includes the invariant and the complete task
    for (std::size_t i = 0; i + 1 < trace.records.size(); ++i) {
        const trace::Record &timer = trace.records[i], &next = trace.records[i + 1];
        labour.done += timer.kind == trace::Kind::timer && timer.text == "Work" &&
                       next.kind == trace::Kind::state && next.node == timer.node;
    }
    return labour;
}

}  // namespace

Result share_work(const Effort& effort) {
    const std::uint64_t runs = effort.runs(2'000);
    std::uint64_t good = 0, done = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario scenario = stormy_groups(seed);
        scenario.settings.push_back({"parts", "40"});
        const Labour labour = do_work(scenario);
        good += labour.good;
        done += labour.done;
    }
    Scenario calm = groups_of_one(4, 400ms, "delay");
    calm.settings.insert(calm.settings.end(), {{"parts", "40"}, {"work", "2ms"}});
    const Labour alone = do_work(calm);
    calm.partitions = {{{{Id{1}, Id{2}}, {Id{3}, Id{4}}}, {0ms, 60ms}}};
    const Labour parted = do_work(calm);
    const bool holds =
        good == runs && alone.good && parted.good && parted.done > alone.done && alone.done >= 40;
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "every part of 40 once in the result of everybody, in every run",
            .measured = out_of(good, runs) + "; four processes did " + std::to_string(alone.done) +
                        " parts, parted for 60ms " + std::to_string(parted.done) +
                        ": the rest was thrown out; in storms " +
                        decimal(double(done) / double(runs), 1) + " on average",
            .unit = "runs, parts",
            .evidence = "Seeds 1 to " + std::to_string(runs) +
                        ". The sum of the results must be that of 40 different parts at every "
                        "moment and at the end, with everybody. What is done before the first "
                        "groups merge is done more than once even without faults."};
}

// ---------------------------------------------------------------- I6

namespace {

struct Way {
    Estimate merges, messages, time;
};

// Until one group is left: found by a first run, counted by a second that ends there.
bool measure(Scenario scenario, Way& way) {
    trace::Trace trace;
    const Outcome whole = run_named(scenario, &trace);
    scenario.until = last_belief(trace);
    trace.records.clear();
    const Outcome part = run_named(scenario, &trace);
    way.merges.add(static_cast<double>(count_timers(trace, "Merge")));
    way.messages.add(static_cast<double>(part.copies));
    way.time.add(static_cast<double>(scenario.until->count()) / 1e6);
    return ends_well(whole);
}

}  // namespace

Result compare_ways(const Effort& effort) {
    const std::uint64_t runs = effort.runs(1'000);
    bool holds = true;
    std::string in_step, at_random;
    std::array<double, 4> times{};
    for (std::size_t i = 0;
         const char* priority : {"ignore-lower", "hasten", "only-lower", "delay"}) {
        Way way, step;
        Scenario scenario = groups_of_one(10, 1s, priority);
        scenario.settings.push_back({"jitter", "0"});
        holds = measure(scenario, step) && holds;
        in_step += (in_step.empty() ? "" : "; ") + std::string(priority) + " " +
                   decimal(step.merges.mean(), 0) + ", " + decimal(step.messages.mean(), 0) + ", " +
                   decimal(step.time.mean(), 0) + "ms";
        scenario.settings.pop_back();
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            scenario.seed = seed;
            scenario.starts.clear();
            for (std::uint32_t id = 1; id <= 10; ++id)  // at any time within the first period
                scenario.starts.push_back({Id{id}, Duration(mix(seed * 16 + id) % 20'000'000)});
            holds = measure(scenario, way) && holds;
        }
        at_random += (at_random.empty() ? "" : "; ") + std::string(priority) + " " +
                     way.merges.text() + ", " + way.messages.text(0) + ", " + way.time.text() +
                     "ms";
        times[i++] = step.time.mean();
    }
    holds = holds && times[3] < times[0] && times[3] < times[2];
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "all four lead to one group; in step, the delay is by far the fastest",
            .measured = "in step: " + in_step + ". At random: " + at_random,
            .unit = "merges, messages (all copies), time to one group",
            .evidence =
                "Ten processes; in step: all start at once and search every 20ms. At "
                "random: they start within 20ms and vary their periods; means with 99 % "
                "intervals over seeds 1 to " +
                std::to_string(runs) + "."};
}

}  // namespace conclave::claims
