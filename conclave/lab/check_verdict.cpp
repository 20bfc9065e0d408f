#include <cstdio>

#include "conclave/core/count.hpp"
#include "conclave/lab/check_verb.hpp"

namespace conclave::cli {

namespace {

using checker::Verdict;

// A set of some thousand worlds tells nothing about a large one: it never gets smaller than that.
std::string room_of(const checker::Searched& searched) {
    if (searched.set_states < 20'000) return {};
    char text[40];
    std::snprintf(
        text, sizeof text, ", %.1f bytes a state",
        static_cast<double>(searched.set_bytes) / static_cast<double>(searched.set_states));
    return text;
}

}  // namespace

std::string verdict_text(const Verdict& verdict) {
    const auto& done = verdict.searched;
    std::string lines = verdict.algorithm + ", " + count_of(verdict.nodes, "node") + ": ";
    switch (verdict.answer) {
        case Verdict::Answer::holds: lines += "holds"; break;
        case Verdict::Answer::violated:
            lines += "violated: " + verdict.property + ": " + verdict.what;
            break;
        case Verdict::Answer::vacuous:
            lines += "vacuous: no property ever had a chance to fail";
            break;
        case Verdict::Answer::unknown:
            lines +=
                "no answer before the limit" + (verdict.what.empty() ? "" : ": " + verdict.what);
            break;
    }
    char seconds[40], collision[60];
    std::snprintf(seconds, sizeof seconds, "%.2f s", done.seconds);
    std::snprintf(collision, sizeof collision, ", chance of a collision %.1g", verdict.collision);
    lines += "\n" + count_of(done.states, "state") + ", " +
             count_of(done.transitions, "transition") + ", depth " + std::to_string(done.depth) +
             (done.complete ? ", complete" : "") + "; " + seconds + room_of(done) + collision +
             "\n";
    for (const std::string& row : verdict.rows_silent) lines += "never fires: " + row + "\n";
    for (const std::string& name : verdict.untested)
        lines += "never had a chance to fail: " + name + "\n";
    if (verdict.coarse)
        lines += "choices among very many were tried at evenly spaced places only\n";
    return lines;
}

}  // namespace conclave::cli
