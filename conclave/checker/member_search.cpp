#include "conclave/checker/member_search.hpp"

#include "conclave/checker/world/member_numbering.hpp"

#include "conclave/checker/checker_hosting.hpp"
#include "conclave/checker/world/model.hpp"

namespace conclave::checker {

namespace {

const Local<Whole>& machine_at(const Space& space, const std::uint32_t* world, std::size_t at) {
    const Nodes& nodes = static_cast<const Model&>(space).nodes();
    return static_cast<const NodesOf<Whole>&>(nodes).local(world[at]);
}

// The greatest ballot of its leader that this member knows of.
lease::Ballot followed_ballot(const member::Member<Bully>& brain) {
    lease::Ballot ballot;
    for (const lease::Ballot& each : {brain.lease.voter.highest, brain.held})
        if (each.member == brain.leader) ballot = lease::greater_of(ballot, each);
    return ballot;
}

// Work was started under no token that great, or a majority can never have promised: `highest`
// never falls below a ballot that won. Nobody knows what a member promised whose disk was lost.
bool lost_every_election(const Space& space, const std::uint32_t* world,
                         const lease::Ballot& ballot, std::size_t members) {
    const auto greatest = static_cast<const Model&>(space).greatest_token(world);
    if (!ballot.stands() || lease::token_of(ballot) > greatest) return true;
    std::size_t promised = 0;
    for (std::size_t at = 0; at < members; ++at) {
        const lease::Ballot& highest = machine_at(space, world, at).algorithm.disk.highest;
        promised += !highest.stands() || !lease::less(highest, ballot);
    }
    return 2 * promised <= members;
}

// A member that follows by hearsay does not know the leader's ballot. Some machine does, at least
// that of the leader: of all that are on disks one must have been elected.
bool won_any_election(const Space& space, const std::uint32_t* world, Id leader,
                      std::size_t members) {
    for (std::size_t at = 0; at < members; ++at) {
        const auto& disk = machine_at(space, world, at).algorithm.disk;
        for (const lease::Ballot& each : {disk.highest, disk.used})
            if (each.member == leader && !lost_every_election(space, world, each, members))
                return true;
    }
    return false;
}

// Two kinds of belief are no false one. A member follows the candidate that it promised to for as
// long as the promise binds it: nobody else can be elected with its vote meanwhile. And a paused
// agent tells nobody what it believed before.
//
// Reduction leaves no violation out: what was ever elected stays so, and a message takes a tick, so
// the order of steps of different members within a tick makes no belief true or false.
std::string never_elected(const Space& space, const std::uint32_t* world, std::size_t members) {
    for (std::size_t at = 0; at < members; ++at) {
        const Local<Whole>& node = machine_at(space, world, at);
        const auto& brain = node.algorithm.brain;
        const Id me{static_cast<std::uint32_t>(at) + 1}, leader = brain.leader;
        const bool up = node.life == Life::up && node.algorithm.agent == Whole::Agent::up;
        if (!up || leader == nobody || leader == me) continue;
        const lease::Ballot ballot = followed_ballot(brain);
        const lease::Voter& voter = brain.lease.voter;
        if (voter.highest == ballot && voter.until > Time{0}) continue;
        const bool elected = brain.hearsay ? won_any_election(space, world, leader, members)
                                           : !lost_every_election(space, world, ballot, members);
        if (!elected) return text(me) + " follows " + text(leader) + ", which was never elected";
    }
    return {};
}

// While a majority is up, connected and able to promise, and one of them may lead.
std::string waits_too_long(const Space& space, const std::uint32_t* world) {
    if (!space.view(world).time_is_up) return {};
    return space.waits(world) ? "a majority is there, and nobody leads" : "";
}

}  // namespace

template <>
struct OwnProperties<Whole> {
    static std::vector<Property> of(std::size_t members) {
        return {{"elected", false,
                 [members](const Space& space, const std::uint32_t* world) {
                     return never_elected(space, world, members);
                 },
                 [](const View& view) { return !view.alive.empty(); }},
                {"acts-in-time", false,
                 [](const Space& space, const std::uint32_t* world) {
                     return waits_too_long(space, world);
                 },
                 [](const View& view) { return view.time_is_up; }}};
    }
};

const Engine& member_engine() {
    static constexpr Card card = [] {
        Card c = Whole::card;
        c.name = "member";
        return c;
    }();
    static const Engine engine{&card, &explore<Whole>, &query_problem<Whole>, &draw_states<Whole>};
    return engine;
}

Query member_query(std::uint32_t members, std::uint32_t window) {
    // Ticks until there is a leader. The second is no shorter than Machine::bound, the longest time
    // without work that members promise: 67 with these settings.
    constexpr std::uint32_t elected = 40, again = 70;
    Query query;
    query.algorithm = "member";
    for (std::uint32_t i = 1; i <= members; ++i) query.ring.push_back(Id{i});
    query.timing = Timing::bounded;
    query.delay_min = query.delay_max = 1;
    query.faults_from = elected;
    query.faults_until = elected + window;
    query.ticks_max = elected + window + again;
    query.properties = {"one-leader", "invariant"};
    query.settings = {{"promise", "12ms"}, {"lease", "12ms"},  {"heartbeat", "4ms"},
                      {"answer", "3ms"},   {"timeout", "3ms"}, {"patience", "9ms"},
                      {"grace", "6ms"},    {"stop", "1ms"},    {"formed", "on"},
                      {"nonces", "1"},     {"shares", "1"}};
    return query;
}

Query endless(Query query) {
    query.endless = true;
    query.ticks_max = query.faults_until;
    // A command that ends early waits longer: how long it ran is forgotten after a hundred times
    // this.
    query.settings.insert(query.settings.begin(), {"restart", "1ms"});
    return query;
}

std::uint64_t member_message(std::string_view name) {
    std::uint64_t bit = 1;
    for (const std::string_view each : Whole::Turn::Messages::names) {
        if (each == name) return bit;
        bit <<= 1;
    }
    return 0;
}

const std::vector<std::string>& member_fault_names() {
    static const std::vector<std::string> names = member::fault_words<member::MemberFaults>();
    return names;
}

}  // namespace conclave::checker
