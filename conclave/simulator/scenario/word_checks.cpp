// The words about what is watched, and about what is broken on purpose.
#include <algorithm>
#include <array>

#include "conclave/core/text.hpp"
#include "conclave/options/forms.hpp"
#include "conclave/simulator/campaign/recording.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/scenario/word_forms.hpp"

namespace conclave::simulator::forms {

namespace {

struct Named {
    std::string_view name;
    std::optional<bool> Checks::* check;
};
constexpr std::array<Named, 5> checks{{{"one-leader", &Checks::one_leader},
                                       {"best", &Checks::best},
                                       {"informed", &Checks::informed},
                                       {"agreement", &Checks::agreement},
                                       {"invariant", &Checks::invariant}}};

struct Breakage {
    std::string_view name;
    Mutation::What what;
    const std::vector<std::string_view> Engine::* of;  // what it may name: messages or timers
};
constexpr std::array<Breakage, 6> breakages{
    {{"drop", Mutation::What::drop_send, &Engine::messages},
     {"double", Mutation::What::double_send, &Engine::messages},
     {"drop-set", Mutation::What::drop_set, &Engine::timers},
     {"drop-stop", Mutation::What::drop_stop, &Engine::timers},
     {"drop-follow", Mutation::What::drop_follow, nullptr},
     {"drop-store", Mutation::What::drop_store, nullptr}}};

std::string choose_from(std::span<const std::string_view> names) {
    std::string list;
    for (const std::string_view name : names)
        list += (list.empty() ? "" : ", ") + std::string(name);
    return list.empty() ? "this algorithm has none" : "choose from " + list;
}

bool read_row(Mutation& mutation, const Engine& engine, std::string_view row, std::string& remedy) {
    const auto number = parse_number<std::uint32_t>(row);
    if (number && *number >= 1 && *number <= engine.rows.size()) {
        mutation.rows_off |= std::uint64_t{1} << (*number - 1);
        return true;
    }
    remedy = engine.rows.empty() ? std::string(engine.card->name) + " has no table of rows"
                                 : "rows run from 1 to " + std::to_string(engine.rows.size());
    return false;
}

bool read_breakage(Mutation& mutation, const Engine& engine, std::string_view part,
                   std::string& remedy) {
    const auto pair = split_pair(part, ":");
    const std::string_view kind = pair ? pair->first : part;
    if (kind == "row") return read_row(mutation, engine, pair ? pair->second : "", remedy);
    for (const Breakage& breakage : breakages) {
        if (kind != breakage.name) continue;
        mutation.what = breakage.what;
        if (breakage.of == nullptr) return !pair;
        const auto& names = engine.*breakage.of;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (pair && names[i] == pair->second) {
                mutation.which = static_cast<std::uint8_t>(i);
                return true;
            }
        remedy = choose_from(names);
        return false;
    }
    return false;
}

}  // namespace

bool read_scope(Scenario& scenario, std::string_view value, std::string&) {
    if (value == "part")
        scenario.scope = LeaderScope::connected_part;
    else if (value == "overall")
        scenario.scope = LeaderScope::overall;
    else if (value == "off")
        scenario.scope = LeaderScope::unchecked;
    else
        return false;
    return true;
}

Written write_scope(const Scenario& scenario) {
    switch (scenario.scope) {
        case LeaderScope::connected_part: break;
        case LeaderScope::overall: return {"overall"};
        case LeaderScope::unchecked: return {"off"};
    }
    return {};
}

// Plain names: these and no others. With a sign they change only what they name.
bool read_checks(Scenario& scenario, std::string_view value, std::string&) {
    Checks wanted;
    bool only = value == "none";
    for (std::string_view part : split_text(value, ',')) {
        if (value == "none") break;
        const bool sign = part.starts_with('+') || part.starts_with('-');
        const bool off = part.starts_with('-');
        if (sign) part.remove_prefix(1);
        only = only || !sign;
        bool known = false;
        for (const Named& named : checks)
            if (part == named.name) wanted.*named.check = !off, known = true;
        if (!known) return false;
    }
    for (const Named& named : checks)
        if (only && !(wanted.*named.check)) wanted.*named.check = false;
    scenario.checks = wanted;
    return true;
}

Written write_checks(const Scenario& scenario) {
    std::string plain, signs;
    bool all = true;
    for (const Named& named : checks) {
        const std::optional<bool> wanted = scenario.checks.*named.check;
        all = all && wanted.has_value();
        if (!wanted) continue;
        if (*wanted) plain += (plain.empty() ? "" : ",") + std::string(named.name);
        signs +=
            (signs.empty() ? "" : ",") + std::string(*wanted ? "+" : "-") + std::string(named.name);
    }
    if (all) return {plain.empty() ? "none" : plain};
    return signs.empty() ? Written{} : Written{signs};
}

std::string deployed_names() {
    std::string names;
    for (const Engine& engine : cluster_engines())
        if (const auto name = bare_name(engine.card->name); name != engine.card->name)
            names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

bool read_cluster(Scenario& scenario, std::string_view value, std::string& remedy) {
    bool on = false;
    if (const options::Answer answer = options::Truth::read(value, on); !answer) {
        remedy = answer.remedy;
        return false;
    }
    if (!on) {
        scenario.algorithm = bare_name(scenario.algorithm);
        return true;
    }
    if (is_cluster(scenario.algorithm)) return true;
    const std::string name = cluster_name(scenario.algorithm);
    if (name.empty())
        remedy = "agents cannot run '" + scenario.algorithm + "', choose from " + deployed_names();
    else
        scenario.algorithm = name;
    return !name.empty();
}

Written write_cluster(const Scenario& scenario) {
    return bare_name(scenario.algorithm) == scenario.algorithm ? Written{} : Written{"true"};
}

bool read_broken(Scenario& scenario, std::string_view value, std::string& remedy) {
    const auto& names = lease_rule_names(scenario.algorithm);
    const auto name = std::find(names.begin(), names.end(), value);
    if (name == names.end())
        remedy = choose_from(std::vector<std::string_view>(names.begin(), names.end()));
    else
        scenario.mutation.rules_off |= std::uint64_t{1} << (name - names.begin());
    return name != names.end();
}

Written write_broken(const Scenario& scenario) {
    Written rules;
    const auto& names = lease_rule_names(scenario.algorithm);
    for (std::size_t rule = 0; rule < names.size(); ++rule)
        if ((scenario.mutation.rules_off >> rule & 1) != 0) rules.push_back(names[rule]);
    return rules;
}

bool read_mutation(Scenario& scenario, std::string_view value, std::string& remedy) {
    const Engine* engine = find_engine(scenario.algorithm);
    if (engine == nullptr) {
        remedy = "name the algorithm that it breaks";
        return false;
    }
    Mutation mutation{.rules_off = scenario.mutation.rules_off};
    for (const std::string_view part : split_text(value, ','))
        if (!read_breakage(mutation, *engine, part, remedy)) return false;
    scenario.mutation = mutation;
    return true;
}

Written write_mutation(const Scenario& scenario) {
    const Mutation& mutation = scenario.mutation;
    const Engine* engine = find_engine(scenario.algorithm);
    std::string parts;
    const auto add = [&](const std::string& part) { parts += (parts.empty() ? "" : ",") + part; };
    for (std::uint32_t row = 0; row < 64; ++row)
        if ((mutation.rows_off >> row & 1) != 0) add("row:" + std::to_string(row + 1));
    for (const Breakage& breakage : breakages) {
        if (mutation.what != breakage.what) continue;
        std::string what(breakage.name);
        if (breakage.of != nullptr && engine != nullptr &&
            mutation.which < (engine->*breakage.of).size())
            what += ":" + std::string((engine->*breakage.of)[mutation.which]);
        add(what);
    }
    return parts.empty() ? Written{} : Written{parts};
}

bool read_override(Scenario& scenario, std::string_view value, std::string& remedy) {
    const Engine* engine = find_engine(scenario.algorithm);
    if (engine == nullptr) {
        remedy = "name the algorithm that it is about";
        return false;
    }
    const auto decision = parse_decision(value, *engine);
    if (!decision) {
        remedy = "give a line such as lose 3>4 #17 or delay 3>4 #2 = 250us";
        return false;
    }
    if (scenario.overrides.emplace(decision->first, decision->second).second) return true;
    remedy = "this choice is overridden already, leave one of them out";
    return false;
}

Written write_overrides(const Scenario& scenario) {
    Written lines;
    const Engine* engine = find_engine(scenario.algorithm);
    if (engine == nullptr) return lines;
    for (const auto& [decision, value] : scenario.overrides)
        lines.push_back(format_decision(decision, value, *engine));
    return lines;
}

}  // namespace conclave::simulator::forms
