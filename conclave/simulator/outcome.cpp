#include "conclave/simulator/outcome.hpp"

#include "conclave/core/count.hpp"
#include "conclave/core/text.hpp"

namespace conclave::simulator {

std::string to_json(const Outcome& outcome) {
    const auto number = [](auto value) { return std::to_string(value); };
    std::string believed, types, violations;
    for (const auto& [id, count] : outcome.believed)
        believed += (believed.empty() ? "" : ",") + quote(text(id)) + ":" + number(count);
    for (const auto& [type, count] : outcome.by_type)
        types += (types.empty() ? "" : ",") + quote(type) + ":" + number(count);
    for (const Violation& v : outcome.violations)
        violations += (violations.empty() ? "" : ",") + ("{\"property\":" + quote(v.property)) +
                      ",\"time_ns\":" + json(v.time) + ",\"what\":" + quote(v.what) + "}";
    return "{\"algorithm\":" + quote(outcome.algorithm) + ",\"nodes\":" + number(outcome.nodes) +
           ",\"seed\":" + number(outcome.seed) + ",\"outcome\":" + json(outcome.end) +
           ",\"leader\":" + (outcome.leader == nobody ? "null" : text(outcome.leader)) +
           ",\"believed\":{" + believed + "},\"messages\":{\"total\":" + number(outcome.messages) +
           ",\"broadcasts\":" + number(outcome.broadcasts) +
           ",\"copies\":" + number(outcome.copies) + ",\"by_type\":{" + types +
           "}},\"bits\":" + number(outcome.bits) +
           ",\"turnaround_ns\":" + json(outcome.turnaround) +
           ",\"ended_ns\":" + json(outcome.ended) + ",\"quiet\":" + json(outcome.quiet) +
           (outcome.bound == Duration{0}
                ? ""
                : ",\"idle_ns\":" + json(outcome.idle) + ",\"bound_ns\":" + json(outcome.bound)) +
           ",\"events\":" + number(outcome.events) + ",\"reports\":" + number(outcome.reports) +
           ",\"violations\":[" + violations + "]}";
}

std::string summarise(const Outcome& outcome) {
    std::string lines = outcome.algorithm + ", " + count_of(outcome.nodes, "node") + ", seed " +
                        std::to_string(outcome.seed) + ": ";
    switch (outcome.end) {
        case Outcome::End::agreed: lines += "all agree on " + text(outcome.leader); break;
        case Outcome::End::leaderless: lines += "nobody leads"; break;
        case Outcome::End::split: lines += "no agreement"; break;
    }
    if (outcome.end == Outcome::End::split)
        for (const auto& [id, count] : outcome.believed)
            lines += (id == nobody ? "; no leader: " : "; follow " + text(id) + ": ") +
                     std::to_string(count);
    lines += "\n" + count_of(outcome.messages, "message") + " (";
    bool first = true;
    for (const auto& [type, count] : outcome.by_type) {
        if (count == 0) continue;
        lines += (first ? "" : ", ") + std::string(type) + " " + std::to_string(count);
        first = false;
    }
    lines += (first ? "none" : "") + std::string("), ") + std::to_string(outcome.bits) +
             " bits\nturnaround " + format_duration(outcome.turnaround) + ", ended at " +
             format_duration(outcome.ended) + (outcome.quiet ? ", quiet" : ", cut off there") +
             "\n";
    if (outcome.bound != Duration{0})
        lines += "nobody worked for " + format_duration(outcome.idle) +
                 " at most while a majority was connected; the bound is " +
                 format_duration(outcome.bound) + "\n";
    for (const Violation& violation : outcome.violations)
        lines += "violated: " + violation.property + " at " + format_duration(violation.time) +
                 ": " + violation.what + "\n";
    return lines;
}

}  // namespace conclave::simulator
