#include "conclave/agent/group/named_roster.hpp"

#include <algorithm>

#include "conclave/agent/settings/member_entry.hpp"
#include "conclave/lease/changing.hpp"
#include "conclave/member/wish.hpp"
#include "conclave/wire/group_key.hpp"

namespace conclave::agent {

Roster::Roster(std::vector<std::string> names) : names_(std::move(names)) {
    std::sort(names_.begin(), names_.end());
    for (const std::string& name : names_) {
        const Id id{++stamped_.last};
        stamped_.members.push_back({id, lease::founding_key});
        stamped_.titles.push_back({id, name});
        called_[id] = name;
    }
    stamped_.before = stamped_.members;
}

void Roster::renew(const lease::Roster& stamped) {
    stamped_ = stamped;
    names_.clear();
    for (const lease::Title& title : stamped_.titles) {
        const std::string name(member::name_in(title.entry));
        called_[title.member] = name;
        if (is_seated(stamped_.members, title.member)) names_.push_back(name);
    }
    std::sort(names_.begin(), names_.end());
}

Id Roster::id_of(std::string_view name) const { return member::id_named(stamped_, name); }

std::string Roster::name_of(Id id) const {
    const auto found = called_.find(id);
    return found != called_.end() ? found->second
                                  : "member " + std::to_string(static_cast<std::uint32_t>(id));
}

std::vector<Id> Roster::ids() const {
    IdSet all;
    for (const lease::Seats* seats : {&stamped_.members, &stamped_.before})
        for (const lease::Seat& seat : *seats) all.insert(seat.member);
    return all.ids;
}

lease::Seal Roster::seal(Duration promise, bool no_quorum) const {
    std::string all = format_duration(promise) + (no_quorum ? " no quorum\n" : "\n");
    for (const std::string& name : names_) all += name + "\n";
    return {1, wire::digest_of(all)};
}

lease::Roster formed_roster(const Roster& roster, Duration promise, Duration lease,
                            Duration heartbeat) {
    lease::Roster formed = roster.stamped();
    formed.promise = formed.longest = promise;
    formed.lease = lease;
    formed.heartbeat = heartbeat;
    return formed;
}

std::string pending_change(const Roster& roster) {
    const lease::Roster& stamped = roster.stamped();
    if (!stamped.pending()) return {};
    std::string comer, leaver;
    for (const Id id : roster.ids()) {
        const std::string name = "'" + roster.name_of(id) + "'";
        if (!is_seated(stamped.before, id)) comer = name;
        if (!is_seated(stamped.members, id)) leaver = name;
    }
    if (changes_times(stamped))
        return "sets --detect " + format_duration(stamped.promise) + " and --heartbeat " +
               format_duration(stamped.heartbeat);
    if (leaver.empty()) return "adds " + comer;
    return comer.empty() ? "removes " + leaver : "replaces " + leaver + " by " + comer;
}

bool makes_sense(const lease::Roster& roster) {
    if (!lease::is_sound(roster, Roster::most) || roster.longest > longest_span) return false;
    if (roster.known() && roster.heartbeat < member::heartbeat_least) return false;
    std::vector<std::string> entries;
    for (const lease::Title& title : roster.titles) {
        if (!entry_problem(title.entry).empty()) return false;
        entries.push_back(title.entry);
    }
    const auto named = [&](const lease::Seat& seat) {
        return std::any_of(roster.titles.begin(), roster.titles.end(),
                           [&](const lease::Title& each) { return each.member == seat.member; });
    };
    return std::all_of(roster.members.begin(), roster.members.end(), named) &&
           std::all_of(roster.before.begin(), roster.before.end(), named) &&
           size_on_wire(entries) <= Roster::bytes_most;
}

std::string name_problem(std::string_view name) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
    };
    if (!name.empty() && name.size() <= 64 && name[0] != '.' &&
        std::all_of(name.begin(), name.end(), fits))
        return {};
    return "'" + std::string(name) +
           "' is no name: take up to 64 letters, digits, '-', '_' and '.', not '.' first";
}

std::string join(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

std::size_t size_on_wire(const std::vector<std::string>& names) {
    std::size_t size = 0;
    for (const std::string& name : names) size += name.size() + sizeof(std::uint32_t);
    return size;
}

std::string size_problem(const std::vector<std::string>& names) {
    if (names.size() > Roster::most)
        return "a group has at most " + std::to_string(Roster::most) + " members, and these are " +
               std::to_string(names.size()) + ": make several groups";
    const std::size_t size = size_on_wire(names);
    if (size <= Roster::bytes_most) return {};
    return "the names of " + std::to_string(names.size()) + " members take " +
           std::to_string(size) + " bytes, and a datagram has room for " +
           std::to_string(Roster::bytes_most) + ": give shorter ones with --name";
}

}  // namespace conclave::agent
