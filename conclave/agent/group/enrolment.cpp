#include "conclave/agent/group/enrolment.hpp"

#include "conclave/net/clock.hpp"

namespace conclave::agent {

Enrolment::Enrolment(Site& site, StateKeeper& keeper, Handlers handlers)
    : site_(site),
      keeper_(keeper),
      handlers_(std::move(handlers)),
      formation_(Formation::begin(site.config.name, site.config.expect, keeper.names())) {}

void Enrolment::start() {
    const Config& config = site_.config;
    if (keeper_.state().roster.version != 0) return handlers_.fixed();
    std::vector<std::string> names;
    for (const NamedAddress& member : config.members) names.push_back(member.name);
    if (config.join) return;  // a member tells it
    if (!names.empty())
        store(1, Roster(names).names());
    else if (!config.observer)
        proceed();  // a group of one
}

void Enrolment::store(std::uint32_t version, const std::vector<std::string>& names) {
    const auto digest = version == 0 ? 0 : Roster(names).seal(site_.config.detect).digest;
    StoredRoster roster{version, digest, {}};
    for (const std::string& name : names) roster.members.push_back({name, 0});
    keeper_.store_roster(roster);
}

// A complete list is said, and a roster is acted on, only when it is on disk.
void Enrolment::note_stored(const std::string& problem) {
    if (!problem.empty()) return handlers_.end(exit_code::state, problem);
    if (keeper_.state().roster.version != 0) {
        site_.log().notice((site_.config.join ? "asks to join " : "the group is fixed: ") +
                           join(keeper_.names()));
        handlers_.fixed();
    } else {
        formation_.confirm();
        proceed();
    }
    handlers_.announce();
}

void Enrolment::hear(const Presence& presence) {
    if (site_.config.join || presence.changed) return;  // a list of names does not tell their ids
    if (site_.config.observer) return adopt(presence);
    if (!presence.observer && !presence.joins)
        formation_.hear(presence.name, presence.roster, presence.fixed);
    proceed();
}

// Why this node cannot be what it was started as: a sentence. Empty: it can.
std::string Enrolment::joining_problem(const RosterNews& news) const {
    const Config& config = site_.config;
    const std::string name = "'" + config.name + "'", group = "group '" + config.group + "'";
    const bool listed = member::has_member(news.roster, config.name);
    if (config.observer || listed == config.join)
        return listed ? name + " is a member of " + group + " already: start it without " +
                            (config.join ? "--join" : "--observer") +
                            ", or give this node another --name"
               : config.observer
                   ? ""
                   : name + " is no member of " + group + ": say conclave members add " +
                         config.name + " on one of its members, and start it with --join";
    return {};
}

// Ids are in it: only a node that has none of its own, or no memory behind them, takes them.
void Enrolment::hear(const RosterNews& news) {
    const bool forgetful = site_.host && site_.host->view().amnesiac && !site_.roster.changed();
    if (keeper_.stores_roster() || (site_.host && !forgetful)) return;
    if (!news.roster.changed() && !site_.config.join) return;  // its names tell all
    if (const std::string problem = joining_problem(news); !problem.empty())
        return object(exit_code::refused, problem);
    keeper_.store_told(news.roster, news.seal);
}

void Enrolment::proceed() {
    if (site_.host || keeper_.stores_roster()) return;  // it has one, or the disk is to answer
    const Obstacle obstacle = obstacle_of(formation_, site_.config.group);
    if (!obstacle.sentence.empty()) {
        site_.warnings.once(Warnings::group, obstacle.sentence);
        if (obstacle.final) object(exit_code::refused, obstacle.sentence);
        return;
    }
    switch (formation_.next()) {
        case Formation::Next::keep: return store(0, formation_.known);
        case Formation::Next::fix: return store(1, Roster(formation_.roster()).names());
        case Formation::Next::wait: return;
    }
}

// The members have agreed long ago, or do so now: their word is taken as it is.
void Enrolment::adopt(const Presence& presence) {
    using member::Adoption;
    if (!presence.fixed || presence.observer) return;
    const Config& config = site_.config;
    const std::string group = "group '" + config.group + "'";
    switch (member::adoption_of(presence.roster, config.expect, config.name)) {
        case Adoption::other_size:
            return object(exit_code::refused,
                          group + " has " + std::to_string(presence.roster.size()) +
                              " members: --expect cannot be " + std::to_string(config.expect));
        case Adoption::is_member:
            return object(exit_code::refused,
                          "'" + config.name + "' is a member of " + group +
                              ", and --observer is none: give it another --name");
        case Adoption::possible: break;
    }
    if (!keeper_.stores_roster()) store(1, Roster(presence.roster).names());
}

void Enrolment::object(int code, const std::string& sentence) {
    const bool settled =
        site_.host && (site_.config.observer || site_.roster.id_of(site_.config.name) != nobody);
    const bool must_end =
        objections_.hear(net::boot_time(), site_.config.detect, settled, site_.age());
    handlers_.repeat();
    if (must_end) handlers_.end(code, sentence);
}

std::string Enrolment::remark() const {
    if (site_.config.join)
        return "waits for a member of the group to tell who is in it: is one up, with this key?";
    if (keeper_.stores_roster()) return "waits for its disk to store who is in the group";
    return "waits for " + std::to_string(site_.config.expect) + " nodes, knows of " +
           join(formation_.known);
}

}  // namespace conclave::agent
