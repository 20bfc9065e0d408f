// conclave members force: a majority is lost for good, and an operator says so.
#include <algorithm>

#include "conclave/agent/group/wish_words.hpp"
#include "conclave/agent/group/wishes.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

using Verdict = Wishes::Answer::Verdict;
using Names = std::vector<std::string>;

std::string phrase_of(const Names& lost) {
    return join(lost) + (lost.size() == 1 ? " is" : " are") + " lost for good";
}

std::string costs_of(const Names& kept, const Names& lost) {
    return "the group is to be " + join(kept) +
           ", without an answer of the others. This may cost:" +
           "\n- two commands at once, if one of " + join(lost) +
           " still runs, or is started again, where this node is not heard:" +
           " together with others that are not heard it may lead" +
           "\n- what they alone knew: a change of the roster, or that the command is done" +
           "\n- a lesser token than the last, if this machine's clock is behind theirs" +
           "\nDestroy their state files first, or their machines. Then type back:";
}

bool is_majority(const Names& kept, const Roster& roster, const lease::Seats& seats) {
    const auto count = std::count_if(kept.begin(), kept.end(), [&](const std::string& name) {
        return is_seated(seats, roster.id_of(name));
    });
    return 2 * static_cast<std::size_t>(count) > seats.size();
}

}  // namespace

Names Wishes::lost_without(const Names& kept) const {
    Names lost;
    for (const Id id : site_.roster.ids())
        if (const std::string name = site_.roster.name_of(id);
            std::find(kept.begin(), kept.end(), name) == kept.end())
            lost.push_back(name);
    std::sort(lost.begin(), lost.end());
    return lost;
}

// Why these cannot be the group: a sentence. Empty: they can, at a price.
std::string Wishes::problem_of_force(const Names& kept) const {
    const Roster& roster = site_.roster;
    const std::string all = ": " + join(roster.names());
    for (const std::string& name : kept)
        if (roster.id_of(name) == nobody) return "'" + name + "' is no member" + all;
    if (site_.config.observer ||
        std::find(kept.begin(), kept.end(), site_.config.name) == kept.end())
        return "'" + site_.config.name + "' is not among those that stay: ask one of them";
    if (site_.host->view().amnesiac)
        return "this node has lost its state: ask one that has not, or say conclave vouch first";
    if (site_.leader() != nobody)
        return site_.quoted(site_.leader()) +
               " leads, so a majority is there: conclave members remove needs no force";
    const lease::Roster& stamped = roster.stamped();
    if (is_majority(kept, roster, stamped.members) && is_majority(kept, roster, stamped.before))
        return "these are a majority: start them, and conclave members remove needs no force";
    const Duration recent = std::max(2 * site_.config.detect, stamped.longest);
    for (const std::string& name : lost_without(kept)) {
        const Peer* peer = site_.peers.find(roster.id_of(name));
        if (peer != nullptr && !peer->gone && net::boot_time() - peer->heard < recent)
            return "'" + name + "' is heard, or was a moment ago, so it is not lost: stop it for " +
                   "good, and ask again after " + format_duration(recent);
    }
    return {};
}

Wishes::Answer Wishes::force(const std::string& words, bool first) {
    const ForceWords said = read_force(words);
    const Names& kept = said.kept;
    if (!said.problem.empty()) return {Verdict::refused, said.problem};
    const Names lost = lost_without(kept);
    const bool forced = lost.empty() && kept == site_.roster.names();
    if (!first && !forced) return {Verdict::refused, "the members are others again: look at them"};
    if (forced && first) return {Verdict::refused, "the group is " + join(kept) + " already"};
    if (forced && site_.leader() == nobody)
        return {Verdict::waits, "the group is " + join(kept) +
                                    ", and there is no leader yet: a majority of these must be up"};
    if (forced) return {Verdict::done, "the group is " + join(kept) + ", by an operator's word"};
    if (const std::string problem = problem_of_force(kept); !problem.empty())
        return {Verdict::refused, problem};
    if (said.phrase != phrase_of(lost))
        return {Verdict::confirm, phrase_of(lost) + "\n" + costs_of(kept, lost)};
    std::vector<Id> ids;
    for (const std::string& name : kept) ids.push_back(site_.roster.id_of(name));
    site_.log().warn("makes the group " + join(kept) + ", by an operator's word: " + said.phrase);
    site_.host->force(ids);
    if (site_.roster.names() != kept)
        return {Verdict::refused,
                "nothing has changed: the disk of this node is behind; ask again"};
    return {Verdict::waits, "stores the group as " + join(kept)};
}

}  // namespace conclave::agent
