#include "conclave/agent/group/wish_words.hpp"

#include <algorithm>
#include <sstream>

#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/group/presence.hpp"
#include "conclave/agent/settings/member_entry.hpp"

namespace conclave::agent {

namespace {

std::string no_change(const std::string& words) {
    return "'" + words +
           "' is no change: say add NAME, remove NAME, replace OLD NEW, or set detect DURATION";
}

// "detect 2s", "heartbeat 500ms", or both: each once. The problem; empty: there is none.
std::string read_times(std::istringstream& line, const std::string& words, member::Wish& wish) {
    std::string what, value;
    while (line >> what) {
        Duration* into = what == "detect"      ? &wish.detect
                         : what == "heartbeat" ? &wish.heartbeat
                                               : nullptr;
        const auto span = line >> value ? parse_duration(value) : std::nullopt;
        if (into == nullptr || *into != Duration{0} || !span || *span <= Duration{0})
            return no_change(words);
        *into = *span;
    }
    return member::is_about_times(wish) ? problem_of_times(wish) : no_change(words);
}

}  // namespace

std::string read_wish(const std::string& words, member::Wish& wish) {
    std::istringstream line(words);
    std::string kind, rest;
    line >> kind;
    if (kind == "set") return read_times(line, words, wish);
    if (kind == "remove" || kind == "replace") line >> wish.leaver;
    if (kind == "add" || kind == "replace") line >> wish.entry;
    const bool complete = kind == "add"       ? !wish.entry.empty()
                          : kind == "remove"  ? !wish.leaver.empty()
                          : kind == "replace" ? !wish.entry.empty()
                                              : false;
    if (!complete || line >> rest) return no_change(words);
    if (!wish.leaver.empty())
        if (const std::string problem = name_problem(wish.leaver); !problem.empty()) return problem;
    return wish.entry.empty() ? "" : entry_problem(wish.entry);
}

ForceWords read_force(const std::string& words) {
    ForceWords said;
    std::istringstream line(words);
    std::string kind, list;
    line >> kind >> list;
    std::getline(line >> std::ws, said.phrase);
    std::istringstream parts(list);
    bool named = !list.empty() && !list.ends_with(',');
    for (std::string name; std::getline(parts, name, ',');) {
        named = named && name_problem(name).empty();
        said.kept.push_back(name);
    }
    std::sort(said.kept.begin(), said.kept.end());
    const bool twice = std::adjacent_find(said.kept.begin(), said.kept.end()) != said.kept.end();
    if (kind != "force" || !named || twice || said.kept.size() > Roster::most)
        said.problem = "'" + list + "' is no list of members: name each once, as b,c";
    return said;
}

}  // namespace conclave::agent
