#include "conclave/simulator/scenario/word_forms.hpp"

#include <algorithm>
#include <array>

#include "conclave/core/text.hpp"
#include "conclave/options/toml_file.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/scenario/graph_words.hpp"
#include "conclave/simulator/scenario/spelling.hpp"

namespace conclave::simulator::forms {

namespace {

template <class List, class Write>
Written write_each(const List& list, const Write& write) {
    Written values;
    for (const auto& item : list) values.push_back(write(item));
    return values;
}

// "A>B" -> A, B
std::optional<std::pair<Id, Id>> parse_nodes(std::string_view value, std::string_view between) {
    const auto pair = split_pair(value, between);
    const auto a = parse_id(pair ? pair->first : "");
    const auto b = parse_id(pair ? pair->second : "");
    if (!a || !b) return std::nullopt;
    return std::pair{*a, *b};
}

// "A>B@T..T"
struct Between {
    Id a, b;
    Span when;
};
std::optional<Between> parse_between(std::string_view value, std::string_view between) {
    const auto pair = split_pair(value, "@");
    const auto nodes = parse_nodes(pair ? pair->first : "", between);
    const auto when = parse_span(pair ? pair->second : "");
    if (!nodes || !when) return std::nullopt;
    return Between{nodes->first, nodes->second, *when};
}

std::string write_between(Id a, std::string_view between, Id b, const Span& when) {
    return text(a) + std::string(between) + text(b) + "@" + format_span(when);
}

}  // namespace

// ---------------------------------------------------------------- who

bool read_initiators(Scenario& scenario, std::string_view value, std::string&) {
    using Who = Initiators::Who;
    Initiators& initiators = scenario.initiators;
    for (const Who who : {Who::all, Who::first, Who::last, Who::best, Who::none})
        if (value == name_of(who)) {
            initiators = {who, {}};
            return true;
        }
    const auto ids = parse_ids(value);
    if (ids) initiators = {Who::listed, *ids};
    return ids.has_value();
}

Written write_initiators(const Scenario& scenario) {
    const Initiators& initiators = scenario.initiators;
    if (initiators == Initiators{}) return {};
    if (initiators.who == Initiators::Who::listed) return {format_ids(initiators.ids)};
    return {std::string(name_of(initiators.who))};
}

bool read_order(Scenario& scenario, std::string_view value, std::string&) {
    using How = Order::How;
    for (const How how : {How::ascending, How::descending, How::random})
        if (value == name_of(how)) {
            scenario.order = {how, {}};
            return true;
        }
    const auto ids = parse_ids(value);
    if (ids) scenario.order = {How::listed, *ids};
    return ids.has_value();
}

Written write_order(const Scenario& scenario) {
    if (scenario.order == Order{}) return {};
    if (scenario.order.how == Order::How::listed) return {format_ids(scenario.order.ids)};
    return {std::string(name_of(scenario.order.how))};
}

// A value with a slash or a point in it is a file, which is read here and now: a recording has its
// links.
bool read_graph(Scenario& scenario, std::string_view value, std::string& remedy) {
    if (value.find_first_of("./") == std::string_view::npos) {
        scenario.graph = parse_graph(value, remedy);
        return scenario.graph.has_value();
    }
    const std::string text = options::read_file(std::string(value), "the file", remedy);
    if (remedy.empty()) scenario.graph = read_graph_file(text, value, remedy);
    return remedy.empty();
}

Written write_graph(const Scenario& scenario) {
    return scenario.graph ? Written{format_graph(*scenario.graph)} : Written{};
}

bool read_attribute(Scenario& scenario, std::string_view value, std::string&) {
    const auto pair = split_pair(value, "=");
    const auto node = parse_id(pair ? pair->first : "");
    const auto priority = parse_number<std::uint32_t>(pair ? pair->second : "");
    if (node && priority) scenario.attributes.push_back({*node, *priority});
    return node && priority;
}

Written write_attributes(const Scenario& scenario) {
    return write_each(scenario.attributes,
                      [](const Attribute& a) { return text(a.node) + "=" + text(a.priority); });
}

bool read_setting(Scenario& scenario, std::string_view value, std::string&) {
    const auto pair = split_pair(value, "=");
    if (!pair || pair->first.empty()) return false;
    scenario.settings.emplace_back(pair->first, pair->second);
    return true;
}

Written write_settings(const Scenario& scenario) {
    return write_each(scenario.settings, [](const auto& s) { return s.first + "=" + s.second; });
}

// ---------------------------------------------------------------- the network

bool read_link(Scenario& scenario, std::string_view value, std::string&) {
    const auto pair = split_pair(value, "=");
    const auto nodes = parse_nodes(pair ? pair->first : "", ">");
    const auto delay = parse_delay(pair ? pair->second : "");
    if (nodes && delay) scenario.links.push_back({nodes->first, nodes->second, *delay});
    return nodes && delay;
}

Written write_links(const Scenario& scenario) {
    return write_each(scenario.links, [](const LinkDelay& link) {
        return text(link.from) + ">" + text(link.to) + "=" + format_delay(link.delay);
    });
}

bool read_reordering(Scenario& scenario, std::string_view value, std::string&) {
    const auto pair = split_pair(value, ":");
    const auto odds = parse_odds(pair ? pair->first : value);
    const auto behind = pair ? parse_duration(pair->second) : Reordering{}.by;
    if (!odds || !behind) return false;
    scenario.reordering = {*odds, *behind};
    return true;
}

Written write_reordering(const Scenario& scenario) {
    const Scenario usual;
    const std::string odds = format_odds(scenario.reordering.odds);
    if (scenario.reordering.by != usual.reordering.by)
        return {odds + ":" + format_duration(scenario.reordering.by)};
    return scenario.reordering == usual.reordering ? Written{} : Written{odds};
}

// ---------------------------------------------------------------- faults

bool read_recovery(Scenario& scenario, std::string_view value, std::string&) {
    const bool blank = value.ends_with(":blank");
    if (blank) value.remove_suffix(6);
    const auto pair = split_pair(value, "@");
    const auto node = parse_id(pair ? pair->first : "");
    const auto at = parse_duration(pair ? pair->second : "");
    if (node && at) scenario.recoveries.push_back({*node, *at, !blank});
    return node && at;
}

Written write_recoveries(const Scenario& scenario) {
    return write_each(scenario.recoveries, [](const Recovery& r) {
        return text(r.node) + "@" + format_duration(r.at) + (r.disk ? "" : ":blank");
    });
}

bool read_pause(Scenario& scenario, std::string_view value, std::string&) {
    const auto pair = split_pair(value, "@");
    const auto node = parse_id(pair ? pair->first : "");
    const auto when = parse_span(pair ? pair->second : "");
    if (node && when) scenario.pauses.push_back({*node, *when});
    return node && when;
}

Written write_pauses(const Scenario& scenario) {
    return write_each(scenario.pauses,
                      [](const Pause& p) { return text(p.node) + "@" + format_span(p.when); });
}

bool read_mishap(Scenario& scenario, std::string_view value, std::string&) {
    const auto pair = split_pair(value, ":");
    const auto when = split_pair(pair ? pair->second : "", "@");
    const auto node = parse_id(when ? when->first : "");
    const auto at = parse_duration(when ? when->second : "");
    if (!node || !at) return false;
    const auto& names = mishap_names();
    const auto name = std::find(names.begin(), names.end(), pair->first);
    if (name == names.end()) return false;
    scenario.mishaps.push_back({*node, *at, static_cast<std::uint8_t>(name - names.begin())});
    return true;
}

Written write_mishaps(const Scenario& scenario) {
    return write_each(scenario.mishaps, [](const Mishap& m) {
        return mishap_names()[m.which] + ":" + text(m.node) + "@" + format_duration(m.at);
    });
}

bool read_partition(Scenario& scenario, std::string_view value, std::string&) {
    const auto pair = split_pair(value, "@");
    const auto when = parse_span(pair ? pair->second : "");
    if (!when) return false;
    Partition partition{{}, *when};
    for (const std::string_view part : split_text(pair->first, '/')) {
        const auto ids = parse_ids(part);
        if (!ids) return false;
        partition.parts.push_back(*ids);
    }
    scenario.partitions.push_back(std::move(partition));
    return true;
}

Written write_partitions(const Scenario& scenario) {
    return write_each(scenario.partitions, [](const Partition& partition) {
        std::string parts;
        for (const auto& part : partition.parts)
            parts += (parts.empty() ? "" : "/") + format_ids(part);
        return parts + "@" + format_span(partition.when);
    });
}

bool read_cut(Scenario& scenario, std::string_view value, std::string&) {
    const auto cut = parse_between(value, ">");
    if (cut) scenario.cuts.push_back({cut->a, cut->b, cut->when});
    return cut.has_value();
}

Written write_cuts(const Scenario& scenario) {
    return write_each(scenario.cuts,
                      [](const Cut& c) { return write_between(c.from, ">", c.to, c.when); });
}

bool read_suspicion(Scenario& scenario, std::string_view value, std::string&) {
    const auto wrong = parse_between(value, ":");
    if (wrong) scenario.suspicions.push_back({wrong->a, wrong->b, wrong->when});
    return wrong.has_value();
}

Written write_suspicions(const Scenario& scenario) {
    return write_each(scenario.suspicions, [](const Suspicion& s) {
        return write_between(s.observer, ":", s.suspected, s.when);
    });
}

bool read_detector(Scenario& scenario, std::string_view value, std::string&) {
    Detector detector{.on = value != "none"};
    for (const std::string_view part : split_text(value, ',')) {
        if (part == "perfect" || value == "none") continue;
        const auto pair = split_pair(part, ":");
        if (!pair) return false;
        const auto& [kind, rest] = *pair;
        if (kind == "late") {
            const auto lateness = parse_delay(rest);
            if (!lateness) return false;
            detector.lateness = *lateness;
        } else if (kind == "incomplete") {
            const auto odds = parse_odds(rest);
            if (!odds) return false;
            detector.missed = *odds;
        } else if (kind == "inaccurate") {
            const auto span = split_pair(rest, ":");
            const auto mistakes = parse_number<std::uint32_t>(span ? span->first : rest);
            const auto lasting = span ? parse_duration(span->second) : detector.mistaken_for;
            if (!mistakes || !lasting) return false;
            detector.mistakes = *mistakes;
            detector.mistaken_for = *lasting;
        } else {
            return false;
        }
    }
    scenario.detector = detector;
    return true;
}

Written write_detector(const Scenario& scenario) {
    const Detector& detector = scenario.detector;
    const Detector usual{.on = true};
    if (!detector.on) return {};
    std::string parts;
    const auto add = [&](const std::string& part) { parts += (parts.empty() ? "" : ",") + part; };
    if (detector.lateness != usual.lateness) add("late:" + format_delay(detector.lateness));
    if (detector.missed.possible()) add("incomplete:" + format_odds(detector.missed));
    if (detector.mistaken_for != usual.mistaken_for)
        add("inaccurate:" + text(detector.mistakes) + ":" + format_duration(detector.mistaken_for));
    else if (detector.mistakes != 0)
        add("inaccurate:" + text(detector.mistakes));
    return {parts.empty() ? "perfect" : parts};
}

bool read_clock(Scenario& scenario, std::string_view value, std::string&) {
    const auto pair = split_pair(value, "=");
    const auto node = parse_id(pair ? pair->first : "");
    if (!node) return false;
    NodeClock clock{.node = *node};
    std::size_t place = 0;
    for (const std::string_view part : split_text(pair->second, ':')) {
        if (part.starts_with('x')) {
            const auto slowdown = parse_number<std::uint64_t>(part.substr(1));
            if (!slowdown) return false;
            clock.slowdown = *slowdown;
        } else if (place == 0) {
            const auto offset = parse_duration(part);
            if (!offset) return false;
            clock.offset = *offset;
        } else {
            const auto drift = parse_ppm(part);
            if (!drift || place > 1) return false;
            clock.drift_ppb = *drift;
        }
        if (!part.starts_with('x')) ++place;
    }
    scenario.node_clocks.push_back(clock);
    return true;
}

Written write_clocks(const Scenario& scenario) {
    return write_each(scenario.node_clocks, [](const NodeClock& clock) {
        const bool plain = clock.offset == Duration{0} && clock.drift_ppb == 0;
        const std::string shifted =
            format_duration(clock.offset) + ":" + format_ppm(clock.drift_ppb);
        const std::string slowed = "x" + std::to_string(clock.slowdown);
        if (clock.slowdown == 1) return text(clock.node) + "=" + shifted;
        return text(clock.node) + "=" + (plain ? "" : shifted + ":") + slowed;
    });
}

}  // namespace conclave::simulator::forms
