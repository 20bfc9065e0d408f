#include "conclave/agent/presence.hpp"

#include <algorithm>

#include "conclave/agent/roster.hpp"

namespace conclave::agent {

namespace {

constexpr std::size_t version_most = 64;
constexpr std::uint32_t priority_most = 1'000'000;  // as --priority has it
constexpr Duration longest_span =
    std::chrono::hours(24 * 365 * 10);  // sums of a few cannot overflow

bool is_name(const std::string& name) { return name_problem(name).empty(); }

bool are_names(const std::vector<std::string>& names) {
    return size_on_wire(names) <= Roster::bytes_most &&
           std::all_of(names.begin(), names.end(), is_name);
}

bool is_version(const std::string& version) {
    return !version.empty() && version.size() <= version_most &&
           std::all_of(version.begin(), version.end(), [](char c) { return c > ' ' && c < 127; });
}

bool is_span(Duration span) { return span >= Duration{0} && span <= longest_span; }

}  // namespace

bool makes_sense(const Presence& said) {
    const auto unordered = std::adjacent_find(said.roster.begin(), said.roster.end(),
                                              [](const auto& a, const auto& b) { return a >= b; });
    return is_name(said.name) && is_version(said.version) && is_name(said.algorithm) &&
           said.priority <= priority_most && is_span(said.promise) && is_span(said.heartbeat) &&
           is_span(said.uptime) && are_names(said.roster) && unordered == said.roster.end() &&
           (!said.fixed || !said.roster.empty()) && are_names(said.hearing) &&
           (said.leader.empty() || is_name(said.leader)) &&
           (said.done.token == 0 ? said.done == member::Done{} : is_name(said.done.node));
}
bool makes_sense(const Objection& said) { return said.why <= Objection::Why::no_member; }
bool makes_sense(const Leaving&) { return true; }
bool makes_sense(const Question&) { return true; }
bool makes_sense(const RollCall&) { return true; }

}  // namespace conclave::agent
