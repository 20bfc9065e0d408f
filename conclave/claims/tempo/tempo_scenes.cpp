#include "conclave/claims/tempo/tempo_scenes.hpp"

#include "conclave/election/tempo.hpp"
#include "conclave/simulator/scenario/words.hpp"

namespace conclave::claims::tempo {

Scenario settled(std::uint32_t nodes, std::uint64_t seed) {
    Scenario scenario;
    scenario.algorithm = "tempo";
    scenario.nodes = nodes;
    scenario.seed = seed;
    scenario.order.how = simulator::Order::How::ascending;
    scenario.initiators.who = simulator::Initiators::Who::none;
    scenario.settings = {{"startup-range", "0s"}};
    for (std::uint32_t id = 2; id <= nodes; ++id)
        scenario.starts.push_back({Id{id}, 95ms + id * 5ms});
    return scenario;
}

Scenario bereft(std::uint32_t nodes, std::uint64_t seed) {
    Scenario scenario = settled(nodes, seed);
    scenario.crashes = {{Id{1}, crash_time}};
    return scenario;
}

Scenario healed(std::uint32_t newcomers) {
    Scenario scenario = settled(6 + newcomers);
    scenario.partitions = {{{{Id{4}, Id{5}, Id{6}}}, {2500ms, 10s}}};
    for (std::uint32_t i = 0; i < newcomers; ++i) scenario.starts[5 + i].at = 15s + i * 100us;
    scenario.checks.agreement = false;
    return scenario;
}

Scenario with(Scenario scenario, const std::string& key, const std::string& value) {
    scenario.settings.emplace_back(key, value);
    return scenario;
}

TempoStage::TempoStage(const Scenario& scenario, trace::Trace* trace)
    : decisions_(scenario.seed), world_(open_named(scenario, decisions_, trace)) {}

void TempoStage::run_until(Time time) { world_->run_until(time); }

Time TempoStage::run_to_master(Time from, Time latest, Duration after) {
    Time time = from;
    do run_until(time += 1ms);
    while (masters().empty() && time < latest);
    run_until(time + after);
    return time;
}

void TempoStage::crash(Id id) { world_->act_now({{}, simulator::Cue::What::crash, id}); }
void TempoStage::restart(Id id) { world_->act_now({{}, simulator::Cue::What::recover, id}); }

const TimeDaemon& TempoStage::daemon(std::uint32_t id) const {
    return world_->node<Tempo>(Id{id}).algorithm;
}
Id TempoStage::leader(std::uint32_t id) const { return world_->leader_of(Id{id}); }

IdSet TempoStage::masters() const {
    IdSet set;
    for (const Id id : world_->group().ring)
        if (world_->is_up(id) && world_->leader_of(id) == id) set.insert(id);
    return set;
}

Outcome TempoStage::look() { return world_->finish(); }

std::map<std::string, std::uint64_t> sent_between(const Outcome& before, const Outcome& after) {
    std::map<std::string, std::uint64_t> counts;
    for (std::size_t i = 0; i < after.by_type.size(); ++i)
        if (const auto count = after.by_type[i].second - before.by_type[i].second; count != 0)
            counts[std::string(after.by_type[i].first)] = count;
    return counts;
}

std::string describe(const std::map<std::string, std::uint64_t>& counts) {
    std::string line;
    for (const auto& [type, count] : counts)
        line += (line.empty() ? "" : ", ") + type + " " + std::to_string(count);
    return line;
}

std::size_t masters_at(const Scenario& scenario, Time time) {
    TempoStage stage(scenario);
    stage.run_until(time);
    return stage.masters().size();
}

bool two_masters(Scenario scenario, Time until) {
    scenario.checks = {.one_leader = true, .informed = false, .agreement = false};
    TempoStage stage(scenario);
    stage.run_until(until);
    return !stage.look().violations.empty();
}

Exhibit exhibit_of(std::string caption, Scenario scenario, Time from, Time until) {
    scenario.until = until;
    scenario.checks = {.one_leader = true, .informed = false, .agreement = false};
    Exhibit exhibit{std::move(caption) + " Repeat: " + simulator::to_command(scenario), {}};
    exhibit.trace.title =
        "tempo, " + std::to_string(scenario.nodes) + " nodes, from " + format_duration(from);
    TempoStage stage(scenario, &exhibit.trace);
    stage.run_until(until);
    std::erase_if(exhibit.trace.records,
                  [&](const trace::Record& record) { return record.time < from; });
    return exhibit;
}

}  // namespace conclave::claims::tempo
