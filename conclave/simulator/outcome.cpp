#include "conclave/simulator/outcome.hpp"

#include <array>
#include <span>

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
           (outcome.terms == 0 ? "" : ",\"terms\":" + number(outcome.terms)) +
           ",\"events\":" + number(outcome.events) + ",\"reports\":" + number(outcome.reports) +
           ",\"violations\":[" + violations + "]}";
}

namespace {

// Side by side; what a line of a terminal has no room for stands below, indented.
std::string fill_lines(std::span<const std::string> pieces) {
    constexpr std::size_t width = 80;
    std::string lines;
    std::size_t used = 0;
    for (const std::string& piece : pieces) {
        const bool room = used + 1 + piece.size() <= width;
        if (used != 0) lines += room ? " " : "\n  ";
        used = used == 0 ? piece.size() : (room ? used + 1 : 2) + piece.size();
        lines += piece;
    }
    return lines + "\n";
}

std::string tell_end(const Outcome& outcome) {
    std::vector<std::string> pieces{outcome.algorithm + ", " + count_of(outcome.nodes, "node") +
                                    ", seed " + std::to_string(outcome.seed) + ":"};
    switch (outcome.end) {
        case Outcome::End::agreed: pieces.push_back("all agree on " + text(outcome.leader)); break;
        case Outcome::End::leaderless: pieces.push_back("nobody leads"); break;
        case Outcome::End::split:
            pieces.push_back("no agreement");
            for (const auto& [id, count] : outcome.believed) {
                pieces.back() += ';';
                pieces.push_back((id == nobody ? "no leader: " : "follow " + text(id) + ": ") +
                                 std::to_string(count));
            }
    }
    return fill_lines(pieces);
}

std::string tell_messages(const Outcome& outcome) {
    std::vector<std::string> pieces;
    for (const auto& [type, count] : outcome.by_type)
        if (count != 0) pieces.push_back(std::string(type) + " " + std::to_string(count) + ",");
    if (pieces.empty()) pieces.push_back("none,");
    pieces.front().insert(0, count_of(outcome.messages, "message") + " (");
    pieces.back().insert(pieces.back().size() - 1, ")");
    pieces.push_back(std::to_string(outcome.bits) + " bits");
    return fill_lines(pieces);
}

std::string tell_idle(const Outcome& outcome) {
    const std::string idle = "nobody worked for " + format_duration(outcome.idle) +
                             " at most while a majority was connected;";
    return fill_lines(std::array{idle, "the bound is " + format_duration(outcome.bound)});
}

}  // namespace

std::string summarise(const Outcome& outcome) {
    std::string lines = tell_end(outcome) + tell_messages(outcome) + "turnaround " +
                        format_duration(outcome.turnaround) + ", ended at " +
                        format_duration(outcome.ended) +
                        (outcome.quiet ? ", quiet\n" : ", cut off there\n");
    if (outcome.bound != Duration{0}) lines += tell_idle(outcome);
    for (const Violation& violation : outcome.violations)
        lines += "violated: " + violation.property + " at " + format_duration(violation.time) +
                 ": " + violation.what + "\n";
    return lines;
}

}  // namespace conclave::simulator
