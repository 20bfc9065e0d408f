// Decisions as lines that people read and edit.
#include <sstream>

#include "conclave/core/text.hpp"
#include "conclave/simulator/campaign/recording.hpp"
#include "conclave/simulator/scenario/spelling.hpp"

namespace conclave::simulator {

namespace {

// The words of a line: what, whom it concerns, which timer, the how-manieth, the value.
struct DecisionLine {
    std::string what, whom, timer, number, value;
};

std::string link(Id from, std::string_view between, Id to) {
    return text(from) + std::string(between) + (to == everyone ? "all" : text(to));
}

std::string number(std::uint32_t count) { return " #" + std::to_string(count); }
std::string value_of(std::int64_t ns) { return " = " + format_duration(Duration{ns}); }

std::optional<DecisionLine> cut_line(std::string_view from) {
    std::istringstream in{std::string(from)};
    DecisionLine line;
    in >> line.what >> line.whom;
    for (std::string word; in >> word;) {
        if (word == "=") {
            if (!line.value.empty() || !(in >> line.value)) return std::nullopt;
        } else if (word.starts_with('#') && line.number.empty()) {
            line.number = word.substr(1);
        } else if (line.timer.empty() && line.number.empty()) {
            line.timer = word;
        } else {
            return std::nullopt;
        }
    }
    return line;
}

std::optional<std::pair<Id, Id>> parse_link(std::string_view whom, std::string_view between) {
    const auto pair = split_pair(whom, between);
    if (!pair) return std::nullopt;
    const auto from = parse_id(pair->first);
    const auto to = pair->second == "all" ? std::optional(everyone) : parse_id(pair->second);
    if (!from || !to) return std::nullopt;
    return std::pair{*from, *to};
}

using Parsed = std::optional<std::pair<Decision, std::int64_t>>;

Parsed parse_of_link(const DecisionLine& line, std::uint32_t count) {
    const bool told = line.what == "miss" || line.what == "notice";
    const auto nodes = parse_link(line.whom, told ? ":" : ">");
    if (!nodes || !line.timer.empty()) return std::nullopt;
    const auto& [from, to] = *nodes;
    const bool bare = line.what == "lose" || line.what == "deliver" || line.what == "miss";
    if (bare != line.value.empty()) return std::nullopt;
    if (line.what == "lose") return std::pair{Decision{Purpose::lose, from, to, count}, 1};
    if (line.what == "deliver") return std::pair{Decision{Purpose::lose, from, to, count}, 0};
    if (line.what == "miss") return std::pair{Decision{Purpose::detect, from, to, 2 * count}, 1};
    const auto span = parse_duration(line.value);
    if (!span || *span < Duration{0}) return std::nullopt;
    const std::int64_t ns = span->count();
    if (line.what == "delay") return std::pair{Decision{Purpose::delay, from, to, count}, ns};
    if (line.what == "reorder") return std::pair{Decision{Purpose::reorder, from, to, count}, ns};
    if (line.what == "duplicate")
        return std::pair{Decision{Purpose::duplicate, from, to, count}, ns + 1};
    return std::pair{Decision{Purpose::detect, from, to, 2 * count + 1}, ns};
}

Parsed parse_clock(const DecisionLine& line, Id node, std::uint32_t count) {
    const Decision decision{Purpose::clock, node, nobody,
                            line.what == "offset"  ? 0
                            : line.what == "drift" ? 1
                                                   : count + 1};
    if (line.what == "offset") {
        const auto offset = parse_duration(line.value);
        if (!offset) return std::nullopt;
        return std::pair{decision, offset->count()};
    }
    const auto ppb = parse_ppm(line.value);
    if (!ppb) return std::nullopt;
    return std::pair{decision, *ppb};
}

Parsed parse_of_node(const DecisionLine& line, std::uint32_t count, const Engine& engine) {
    const auto node = parse_id(line.whom);
    if (!node || line.timer.empty() == (line.what == "fire")) return std::nullopt;
    if (line.what == "choose") {
        const auto value = parse_number<std::int64_t>(line.value);
        if (!value || *value < 0) return std::nullopt;
        return std::pair{Decision{Purpose::choose, *node, nobody, count - 1}, *value};
    }
    const auto span = parse_duration(line.value);
    if (line.what == "read")
        return span ? Parsed{{Decision{Purpose::read, *node, nobody, count}, span->count()}}
                    : std::nullopt;
    if (line.what != "fire") return parse_clock(line, *node, count);
    for (std::uint32_t i = 0; i < engine.timers.size(); ++i)
        if (engine.timers[i] == line.timer && span && *span >= Duration{0})
            return std::pair{Decision{Purpose::fire, *node, Id{i}, count}, span->count()};
    return std::nullopt;
}

}  // namespace

bool concerns_known(const Decision& decision, std::uint32_t nodes) {
    const auto known = [&](Id id) { return static_cast<std::uint32_t>(id) <= nodes; };
    return known(decision.from) &&
           (known(decision.to) || decision.to == everyone || decision.purpose == Purpose::fire);
}

std::string format_decision(const Decision& d, std::int64_t value, const Engine& engine) {
    const std::string on_link = link(d.from, ">", d.to) + number(d.count);
    switch (d.purpose) {
        case Purpose::lose: return (value == 0 ? "deliver " : "lose ") + on_link;
        case Purpose::delay: return "delay " + on_link + value_of(value);
        case Purpose::duplicate: return "duplicate " + on_link + value_of(value - 1);
        case Purpose::reorder: return "reorder " + on_link + value_of(value);
        case Purpose::choose:
            return "choose " + text(d.from) + number(d.count + 1) + " = " + std::to_string(value);
        case Purpose::detect: {
            const std::string whom = link(d.from, ":", d.to) + number(d.count / 2);
            return d.count % 2 == 0 ? "miss " + whom : "notice " + whom + value_of(value);
        }
        case Purpose::clock:
            if (d.count == 0) return "offset " + text(d.from) + value_of(value);
            return (d.count == 1 ? "drift " + text(d.from)
                                 : "wander " + text(d.from) + number(d.count - 1)) +
                   " = " + format_ppm(value);
        case Purpose::fire:
            return "fire " + text(d.from) + " " +
                   std::string(engine.timers.at(static_cast<std::uint32_t>(d.to))) +
                   number(d.count) + value_of(value);
        case Purpose::read: return "read " + text(d.from) + number(d.count) + value_of(value);
        case Purpose::order: break;  // a recording gives the order outright
    }
    return {};
}

Parsed parse_decision(std::string_view text, const Engine& engine) {
    const auto line = cut_line(text);
    if (!line) return std::nullopt;
    const bool numbered = line->what != "offset" && line->what != "drift";
    const auto count = parse_number<std::uint32_t>(numbered ? line->number : "1");
    if (!count || *count == 0 || (!numbered && !line->number.empty())) return std::nullopt;
    for (const std::string_view what :
         {"lose", "deliver", "delay", "duplicate", "reorder", "miss", "notice"})
        if (line->what == what) return parse_of_link(*line, *count);
    for (const std::string_view what : {"choose", "fire", "read", "offset", "drift", "wander"})
        if (line->what == what) return parse_of_node(*line, *count, engine);
    return std::nullopt;
}

}  // namespace conclave::simulator
