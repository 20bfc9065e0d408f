#include "conclave/agent/group/presence.hpp"

#include <algorithm>

#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/settings/member_entry.hpp"
#include "conclave/core/glyph.hpp"

namespace conclave::agent {

namespace {

constexpr std::size_t version_most = 64;
constexpr std::uint32_t priority_most = 1'000'000;  // as --priority has it

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
bool makes_sense(const Objection& said) { return said.why <= Objection::Why::removed; }
bool makes_sense(const Leaving&) { return true; }
bool makes_sense(const Question&) { return true; }
bool makes_sense(const RollCall&) { return true; }
bool makes_sense(const Publication& said) {
    return said.token != 0 && said.number != 0 && published_problem(said.value).empty();
}

std::string problem_of_times(const member::Wish& wish) {
    const auto outside = [](Duration span, Duration least) {
        return span != Duration{0} && (span < least || span > member::detect_most);
    };
    const auto sentence = [](const char* what, Duration span, Duration least) {
        return std::string(what) + " cannot be " + format_duration(span) + ": give " +
               format_duration(least) + " to " + format_duration(member::detect_most);
    };
    if (outside(wish.detect, member::detect_least))
        return sentence("--detect", wish.detect, member::detect_least);
    if (outside(wish.heartbeat, member::heartbeat_least))
        return sentence("--heartbeat", wish.heartbeat, member::heartbeat_least);
    return {};
}

bool makes_sense(const RosterNews& said) { return said.roster.known() && makes_sense(said.roster); }
bool makes_sense(const member::Wish& said) {
    const bool comes = !said.entry.empty(), goes = !said.leaver.empty();
    if (member::is_about_times(said)) return !comes && !goes && problem_of_times(said).empty();
    return (comes || goes) && (!comes || entry_problem(said.entry).empty()) &&
           (!goes || is_name(said.leaver));
}
bool makes_sense(const WishReply& said) {
    return said.awaited <= member::awaited_last && said.up <= Roster::most &&
           said.needed <= Roster::most;
}

}  // namespace conclave::agent
