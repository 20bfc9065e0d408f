#include "conclave/agent/hosts.hpp"

#include "conclave/election/bully.hpp"
#include "conclave/election/tempo.hpp"

namespace conclave::agent {

template <>
std::unique_ptr<Host> host_of<Bully>(const HostSettings&, const Place&, net::Loop&, Stage&);
template <>
std::unique_ptr<Host> host_of<Tempo>(const HostSettings&, const Place&, net::Loop&, Stage&);

namespace {

struct Entry {
    std::string_view name;
    decltype(&host_of<Bully>) make;
};
constexpr Entry entries[] = {{Bully::card.name, &host_of<Bully>},
                             {Tempo::card.name, &host_of<Tempo>}};

}  // namespace

std::unique_ptr<Host> make_host(const HostSettings& settings, const Place& place, net::Loop& loop,
                                Stage& stage) {
    for (const Entry& entry : entries)
        if (entry.name == settings.algorithm) return entry.make(settings, place, loop, stage);
    return nullptr;
}

std::vector<std::string_view> hosted_algorithms() {
    std::vector<std::string_view> names;
    for (const Entry& entry : entries) names.push_back(entry.name);
    return names;
}

}  // namespace conclave::agent
