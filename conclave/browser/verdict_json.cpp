#include "conclave/browser/verdict_json.hpp"

#include <cstdio>

#include "conclave/core/text.hpp"

namespace conclave::browser {

using checker::Verdict;

namespace {

std::string rate_of(const checker::Searched& searched) {
    return std::to_string(static_cast<std::uint64_t>(
        searched.seconds > 0 ? static_cast<double>(searched.states) / searched.seconds : 0));
}

std::string list_json(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ",") + quote(name);
    return "[" + list + "]";
}

std::string counterexample_json(const Verdict& verdict) {
    std::string list;
    for (const auto& record : verdict.story.trace.records)
        list += (list.empty() ? "" : ",") + ("{\"time_ns\":" + json(record.time)) +
                ",\"kind\":" + quote(name_of(record.kind)) + ",\"node\":" + text(record.node) +
                ",\"other\":" + text(record.other) + ",\"text\":" + quote(record.text) + "}";
    return "[" + list + "]";
}

}  // namespace

std::string verdict_json(const Verdict& verdict) {
    const auto& done = verdict.searched;
    char collision[32];
    std::snprintf(collision, sizeof collision, "%.3g", verdict.collision);
    return "{\"algorithm\":" + quote(verdict.algorithm) +
           ",\"nodes\":" + std::to_string(verdict.nodes) +
           ",\"states\":" + std::to_string(done.states) +
           ",\"transitions\":" + std::to_string(done.transitions) +
           ",\"depth\":" + std::to_string(done.depth) + ",\"complete\":" + json(done.complete) +
           ",\"verdict\":" + json(verdict.answer) +
           ",\"property\":" + (verdict.property.empty() ? "null" : quote(verdict.property)) +
           ",\"properties\":" + list_json(verdict.properties) + ",\"what\":" + quote(verdict.what) +
           ",\"untested\":" + list_json(verdict.untested) +
           ",\"rows_missing\":" + list_json(verdict.rows_silent) +
           ",\"coarse\":" + json(verdict.coarse) + ",\"collision_probability\":" + collision +
           ",\"set_bytes\":" + std::to_string(done.set_bytes) +
           ",\"circle\":" + std::to_string(verdict.circle) +
           ",\"counterexample\":" + counterexample_json(verdict) +
           ",\"shortest\":" + json(done.found.shortest) + ",\"states_per_s\":" + rate_of(done) +
           "}";
}

}  // namespace conclave::browser
