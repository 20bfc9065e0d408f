#include "conclave/simulator/scenario/slips.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "conclave/core/text.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/scenario/words.hpp"

namespace conclave::simulator {

namespace {

std::string sentence(std::string_view word, std::string_view value, const std::string& remedy) {
    return std::string(word) + " cannot be '" + std::string(value) + "': " + remedy;
}

void look_at_initiators(const Scenario& scenario, std::vector<std::string>& slips) {
    const std::vector<Id>& ids = scenario.initiators.ids;
    std::set<Id> seen;
    for (const Id id : ids)
        if (!seen.insert(id).second)
            slips.push_back(sentence("initiators", format_ids(ids),
                                     "node " + text(id) + " is named twice, name it once"));
}

void look_at_doubles(const Scenario& scenario, std::vector<std::string>& slips) {
    for (const std::string_view word :
         {"start", "call", "pause", "partition", "cut", "suspect", "fault"}) {
        std::set<std::string> seen;
        for (const std::string& value : scenario_table().find(word)->write(scenario))
            if (!seen.insert(value).second)
                slips.push_back(sentence(word, value, "it is said twice, say it once"));
    }
}

// Follows each node through its crashes and recoveries; of one instant the crash comes first, as
// in the run.
void look_at_lives(const Scenario& scenario, std::vector<std::string>& slips) {
    struct Change {
        Time at;
        bool recovers;
        Id node;
        std::string value;
    };
    std::vector<Change> changes;
    const auto crashes = scenario_table().find("crash")->write(scenario);
    const auto recoveries = scenario_table().find("recover")->write(scenario);
    for (std::size_t i = 0; i < crashes.size(); ++i)
        changes.push_back({scenario.crashes[i].at, false, scenario.crashes[i].node, crashes[i]});
    for (std::size_t i = 0; i < recoveries.size(); ++i)
        changes.push_back(
            {scenario.recoveries[i].at, true, scenario.recoveries[i].node, recoveries[i]});
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return std::tie(a.at, a.recovers, a.value) < std::tie(b.at, b.recovers, b.value);
    });
    std::map<Id, Time> down;
    for (const Change& change : changes) {
        const std::string node = "node " + text(change.node);
        const auto since = down.find(change.node);
        if (change.recovers && since == down.end())
            slips.push_back(
                sentence("recover", change.value, node + " is not down then, crash it before"));
        else if (change.recovers)
            down.erase(since);
        else if (since != down.end())
            slips.push_back(sentence("crash", change.value,
                                     node + " is down since " + format_duration(since->second) +
                                         ", recover it before or crash it once"));
        else
            down[change.node] = change.at;
    }
}

}  // namespace

std::vector<std::string> find_slips(const Scenario& scenario) {
    std::vector<std::string> slips;
    look_at_initiators(scenario, slips);
    look_at_doubles(scenario, slips);
    look_at_lives(scenario, slips);
    return slips;
}

}  // namespace conclave::simulator
