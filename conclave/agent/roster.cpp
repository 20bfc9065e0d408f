#include "conclave/agent/roster.hpp"

#include <algorithm>

#include "conclave/wire/key.hpp"

namespace conclave::agent {

Roster::Roster(std::vector<std::string> names, std::uint32_t version)
    : names_(std::move(names)), version_(version) {
    std::sort(names_.begin(), names_.end());
}

Id Roster::id_of(std::string_view name) const {
    const auto at = std::lower_bound(names_.begin(), names_.end(), name);
    if (at == names_.end() || *at != name) return nobody;
    return Id{static_cast<std::uint32_t>(at - names_.begin()) + 1};
}

lease::Roster Roster::seal(Duration promise, bool no_quorum) const {
    std::string all = format_duration(promise) + (no_quorum ? " no quorum\n" : "\n");
    for (const std::string& name : names_) all += name + "\n";
    return {version_, wire::digest_of(all)};
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
