#include "conclave/checker/formation_search.hpp"

#include "conclave/checker/checker_hosting.hpp"
#include "conclave/checker/world/model.hpp"
#include "conclave/member/founding.hpp"

namespace conclave::checker {

namespace {

using member::Founding;

const NodesOf<Founding>& nodes_in(const Space& space) {
    return static_cast<const NodesOf<Founding>&>(static_cast<const Model&>(space).nodes());
}
const Local<Founding>& founder_at(const Space& space, const std::uint32_t* world, std::size_t at) {
    return nodes_in(space).local(world[at]);
}

// On any disk, also of a machine that is down.
std::string two_rosters(const Space& space, const std::uint32_t* world, std::size_t nodes) {
    const std::vector<Id>* first = nullptr;
    for (std::size_t at = 0; at < nodes; ++at) {
        const Founding::Stored& disk = founder_at(space, world, at).algorithm.disk;
        if (!disk.fixed) continue;
        if (first != nullptr && *first != disk.list) return "two rosters are fixed";
        first = &disk.list;
    }
    return {};
}

// All that are expected are here, with disks that work, for long enough: each has a roster.
std::string still_waits(const Space& space, const std::uint32_t* world, std::size_t nodes) {
    if (!space.view(world).time_is_up) return {};
    if (nodes_in(space).settings().expect != nodes) return {};
    std::string waits;
    for (std::size_t at = 0; at < nodes; ++at) {
        const Local<Founding>& node = founder_at(space, world, at);
        const Founding& founder = node.algorithm;
        if (node.life != Life::up || founder.agent != Founding::Agent::up || founder.full)
            return {};
        if (!founder.disk.fixed)
            waits = text(Id{static_cast<std::uint32_t>(at) + 1}) + " waits for a roster";
    }
    return waits;
}

}  // namespace

template <>
struct OwnProperties<Founding> {
    static std::vector<Property> of(std::size_t nodes) {
        return {{"one-roster", false,
                 [nodes](const Space& space, const std::uint32_t* world) {
                     return two_rosters(space, world, nodes);
                 },
                 [](const View& view) { return !view.alive.empty(); }},
                {"formed-in-time", false,
                 [nodes](const Space& space, const std::uint32_t* world) {
                     return still_waits(space, world, nodes);
                 },
                 [](const View& view) { return view.time_is_up; }}};
    }
};

const Engine& formation_engine() {
    static const Engine engine{&Founding::card, &explore<Founding>, &query_problem<Founding>,
                               &draw_states<Founding>};
    return engine;
}

Query formation_query(std::uint32_t nodes, std::uint32_t window) {
    constexpr std::uint32_t afterwards = 6;  // ticks
    Query query;
    query.algorithm = Founding::card.name;
    for (std::uint32_t i = 1; i <= nodes; ++i) query.ring.push_back(Id{i});
    query.timing = Timing::bounded;
    query.delay_min = query.delay_max = 1;
    query.faults_until = window;
    query.ticks_max = window + afterwards;
    query.settings = {{"expect", std::to_string(nodes)}, {"heartbeat", "2ms"}};
    return query;
}

const std::vector<std::string>& formation_fault_names() {
    static const std::vector<std::string> names = member::fault_words<Founding::Faults>();
    return names;
}

}  // namespace conclave::checker
