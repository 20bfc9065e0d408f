// The invitation algorithm: Lecture 9 on coordinator election.
#include <array>
#include <map>

#include "conclave/claims/invitation/invitation_rows.hpp"
#include "conclave/claims/limited_storm.hpp"
#include "conclave/claims/measuring.hpp"

namespace conclave::claims {

using namespace std::chrono_literals;
using simulator::Initiators;
using simulator::Outcome;
using simulator::Scenario;

Scenario groups_of_one(std::uint32_t nodes, Time until, const std::string& priority) {
    Scenario scenario;
    scenario.algorithm = "invitation";
    scenario.nodes = nodes;
    scenario.order.how = simulator::Order::How::ascending;
    scenario.initiators.who = Initiators::Who::none;
    scenario.until = until;
    scenario.settings = {{"priority", priority}};
    return scenario;
}

Scenario stormy_groups(std::uint64_t seed) {
    Scenario scenario =
        brew({.recoveries = true, .partitions = true, .detector = false, .calm = 1s}, seed);
    scenario.algorithm = "invitation";
    scenario.calls.clear();
    scenario.initiators.who = Initiators::Who::none;
    if (seed % 2 == 0) {
        scenario.loss.of_2_32 = (std::uint64_t{1} << 32) / 20;
        scenario.settings = {{"presence", "300ms"}};
        *scenario.until += 1s;
        scenario.calm = *scenario.until - 1s;
    }
    return scenario;
}

// ---------------------------------------------------------------- I1

namespace {

// "group 3.5" of a state's label.
std::string group_in(const std::string& label) { return label.substr(0, label.find(',')); }

struct Groups {
    std::uint64_t founded = 0, reused = 0, homeless = 0;
};

// A group is founded when its founder's label names it for the first time in a row.
void count_groups(const trace::Trace& trace, Groups& groups) {
    std::map<Id, std::string> now;
    std::map<std::string, bool> used;
    for (const trace::Record& r : trace.records) {
        if (r.kind == trace::Kind::crash) now.erase(r.node);
        if (r.kind != trace::Kind::state) continue;
        const std::string group = group_in(r.text);
        groups.homeless += !group.starts_with("group ") || group.starts_with("group 0.");
        if (group.ends_with("." + text(r.node)) && now[r.node] != group) {
            ++groups.founded;
            groups.reused += used[group];
            used[group] = true;
        }
        now[r.node] = group;
    }
}

Groups count_in_storms(std::uint64_t runs, bool stable_store) {
    Groups groups;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario scenario = stormy_groups(seed);
        if (!stable_store) scenario.mutation.what = simulator::Mutation::What::drop_store;
        scenario.until = *scenario.until - 700ms;
        trace::Trace trace;
        run_named(scenario, &trace);
        count_groups(trace, groups);
    }
    return groups;
}

}  // namespace

Result name_groups(const Effort& effort) {
    const std::uint64_t runs = effort.runs(2'000);
    const Groups kept = count_in_storms(runs, true), lost = count_in_storms(runs, false);
    const bool holds =
        kept.founded > runs && kept.reused == 0 && kept.homeless == 0 && lost.reused > 0;
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "no number used twice, nobody without a group; without the store, reuse",
            .measured = std::to_string(kept.founded) + " groups, " + std::to_string(kept.reused) +
                        " reused, " + std::to_string(kept.homeless) +
                        " times without; store switched off: " + std::to_string(lost.reused) +
                        " reused",
            .unit = "groups",
            .evidence = "Crashes, recoveries, partitions and loss at random, seeds 1 to " +
                        std::to_string(runs) +
                        "; every change of every process's group was looked at."};
}

// ---------------------------------------------------------------- I2

Result merge_groups(const Effort& effort) {
    const std::uint64_t runs = effort.runs(4'000);
    std::uint64_t one = 0, each = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario scenario = stormy_groups(seed);
        one += ends_well(run_named(scenario));
        scenario.partitions = {{{{Id{1}}, {}}, {*scenario.until - 900ms, never}}};
        for (std::uint32_t id = 2; id <= scenario.nodes; ++id)
            scenario.partitions[0].parts[id % 2].push_back(Id{id});
        const Outcome parted = run_named(scenario);  // the judge looks at each part by itself
        each += parted.violations.empty();
    }
    Scenario shown = groups_of_one(4, 150ms, "delay");
    shown.partitions = {{{{Id{1}, Id{2}}, {Id{3}, Id{4}}}, {0ms, 30ms}}};
    return {
        .status = one == runs && each == runs ? Status::pass : Status::fail,
        .expected = "one group in the end; one for each part, if the network stays parted",
        .measured = out_of(one, runs) + "; " + out_of(each, runs),
        .unit = "runs",
        .evidence =
            "3 to 8 processes start, crash, recover and are cut off at random, half of "
            "the runs lose one message in twenty until then; seeds 1 to " +
            std::to_string(runs) + ", one second of calm.",
        .exhibits = {show("Two parts form a group each, and merge when the network heals", shown)}};
}

// ---------------------------------------------------------------- I3

namespace {

// Two coordinators that search every 20ms, the second so much later than the first.
Scenario out_of_step(Duration offset, const char* priority, const char* jitter) {
    Scenario scenario = groups_of_one(2, 2s, priority);
    scenario.starts = {{Id{2}, offset}};
    scenario.partitions = {{{{Id{1}}, {Id{2}}}, {0ms, 19500us}}};
    scenario.settings.push_back({"jitter", jitter});
    return scenario;
}

std::uint64_t never_merge(const Effort& effort, const char* priority, const char* jitter) {
    std::uint64_t count = 0;
    for (Duration offset{}; offset < 20ms; offset += 250us)
        count += !ends_well(run_named(effort.read(out_of_step(offset, priority, jitter))));
    return count;
}

// Of 80 offsets, those at which two coordinators never merged.
struct Stuck {
    std::uint64_t delay = 0, varied = 0, lower = 0, deaf = 0, random = 0;
};

}  // namespace

Result merge_at_once(const Effort& effort) {
    const bool yields = effort.reads("merging", "accept");
    Scenario churn = groups_of_one(5, 2s, "none");
    churn.settings.push_back({"jitter", "0"});
    churn = effort.read(churn);
    const Outcome none = run_named(churn);
    Scenario orderly = churn;
    orderly.settings.push_back({"priority", "delay"});
    const Outcome in_step = run_named(orderly);
    const Stuck stuck{never_merge(effort, "delay", "0"), never_merge(effort, "delay", "4"),
                      never_merge(effort, "only-lower", "0"),
                      never_merge(effort, "ignore-lower", "0"), never_merge(effort, "none", "4")};
    const bool churns = none.believed.size() == 5 && count_of(none, "Ready") == 0;
    const bool good = churns != yields && ends_well(in_step) && (stuck.delay == 0) == yields &&
                      stuck.varied == 0 && stuck.lower == 0 && stuck.deaf == 0 && stuck.random == 0;
    Scenario unlucky = effort.read(out_of_step(2ms, "delay", "0"));
    churn.nodes = 2;
    churn.until = 50ms;
    unlucky.until = 70ms;
    Result result{
        .status = good ? Status::pass : Status::fail,
        .expected =
            "\"there should be some priority among the coordinators\" (ours: then one "
            "group is left)",
        .measured = std::string("no priority: ") + (churns ? "churn for ever" : "one group") +
                    "; delay, in step: one group in " + format_duration(in_step.turnaround) +
                    "; delay, out of step: never in " + out_of(stuck.delay, 80) +
                    " offsets, with varied periods in " + out_of(stuck.varied, 80),
        .unit = "runs",
        .evidence =
            "Five in step for 2s; then two with offsets of 0 to 20ms in steps of 0.25ms. A delay "
            "moves the lower coordinator's merge; where a coordinator that merges ignores a better "
            "one, it may move it onto that of a higher one which searched just so much later, "
            "period after period. Accepting the better invitation, inviting only lower ones, "
            "ignoring them, or varied periods each prevent that.",
        .exhibits = {},
        .plots = {}};
    if (yields) return result;
    result.exhibits = {show("No priority: both merge at once, again and again", churn),
                       show("A delay by rank, out of step by just that delay", unlucky)};
    return result;
}

std::span<const Claim> invitation_claims() {
    static constexpr std::array rows{
        Claim{"I1",
              "Each functioning participant is a member of exactly one group; a group number is "
              "never reused.",
              "Every change of group in storms of crashes, recoveries, partitions and loss is "
              "looked at. Then the stable store is switched off.",
              "conclave sim invitation --nodes 4 --crash 4@30ms --recover 4@60ms --until 200ms "
              "--trace -",
              &name_groups},
        Claim{"I2",
              "Who starts, recovers or loses its coordinator forms a new group; groups that can "
              "reach each other merge into one.",
              "Storms of crashes, recoveries, partitions and loss, then a second of calm, with and "
              "without a partition that stays.",
              "conclave sim invitation --nodes 4 --initiators none --partition 1,2/3,4@0s..30ms "
              "--until 150ms --trace -",
              &merge_groups},
        Claim{"I3",
              "Concurrent merges need a priority among the coordinators, such as a delay that is "
              "the shorter the higher one's priority.",
              "Five coordinators in step without priority, and with a delay. Then two coordinators "
              "out of step by every offset.",
              "conclave sim invitation --nodes 2 --initiators none --start 2@2ms "
              "--partition 1/2@0s..19.5ms --set jitter=0 --until 70ms --trace -",
              &merge_at_once, "invitation", "merging wait"},
        Claim{"I4",
              "While groups merge, processing is halted; afterwards it goes on with one state "
              "within the group, not among groups.",
              "A task is worked on in two parts of the network, which then heals. Who works when, "
              "and what everybody holds after each merge, is looked at.",
              "conclave sim invitation --nodes 6 --initiators none "
              "--partition 1,2,3/4,5,6@0s..100ms --set parts=200 --set work=3ms --until 1s",
              &halt_work},
        Claim{"I5",
              "Coordinators hand out non-overlapping portions; the merge throws out duplicate work "
              "and assembles the partial results.",
              "Parts of a task are done in storms of crashes and partitions. The result must hold "
              "every part once.",
              "conclave sim invitation --nodes 4 --initiators none --partition 1,2/3,4@0s..60ms "
              "--set parts=40 --set work=2ms --until 400ms",
              &share_work},
        Claim{"I6",
              "Four ways of priority: ignore lower queries, be hastened by them, invite only lower "
              "coordinators, delay by rank.",
              "Ten coordinators become one group, in step and at random; merges, messages and time "
              "are measured.",
              "conclave sim invitation --nodes 10 --initiators none --set priority=only-lower "
              "--until 1s --seeds 1..100",
              &compare_ways},
    };
    return rows;
}

}  // namespace conclave::claims
