#include "conclave/agent/group/wishes.hpp"

#include <utility>

#include "conclave/agent/group/wish_words.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

using Verdict = Wishes::Answer::Verdict;

constexpr Duration lately = std::chrono::seconds(2);

Wishes::Answer refused(std::string sentence) { return {Verdict::refused, std::move(sentence)}; }
Wishes::Answer waits(std::string sentence) { return {Verdict::waits, std::move(sentence)}; }

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

std::string text_of(const member::Wish& wish, const Config& config) {
    if (member::is_about_times(wish))
        return "the group has " + text_of_times(config.detect, config.heartbeat);
    const std::string comer = quoted(member::name_in(wish.entry)), leaver = quoted(wish.leaver);
    if (wish.leaver.empty()) return comer + " is a member";
    return wish.entry.empty() ? leaver + " is no member any more" : comer + " replaces " + leaver;
}

}  // namespace

Wishes::Answer Wishes::answer(const std::string& words, bool first) {
    member::Wish wish;
    const bool forces = words.starts_with("force ");
    const std::string unreadable = forces ? "" : read_wish(words, wish);
    if (!unreadable.empty()) return refused(unreadable);
    if (!site_.host) return refused("this node is in no group yet: ask again when it is");
    if (site_.config.no_quorum)
        return refused(
            "the members of a group with --no-quorum are fixed: stop all nodes, remove "
            "their state files, and start them anew");
    return forces ? force(words, first) : judge(wish, first);
}

// Whatever is so already when it is asked for first is a mistake; later it is the end, once it is
// on the disks that decide: before, the loss of a member that was may leave nobody to lead.
Wishes::Answer Wishes::judge(const member::Wish& wish, bool first) {
    if (!(std::exchange(last_, wish) == wish)) replied_ = lease::long_ago;
    const auto progress = member::progress_of(wish, site_.roster.stamped());
    const bool settled = progress == member::Progress::done && !first;
    if (settled && is_decided(wish))
        return {Verdict::done,
                text_of(wish, site_.config) + "; the group is " + join(site_.roster.names())};
    const bool begun = settled || progress == member::Progress::underway;
    if (!begun)
        if (const std::string problem = problem_of(wish); !problem.empty()) return refused(problem);
    if (site_.leader() == nobody)
        return waits((begun ? "the change has begun, and there is no leader to complete it"
                            : "nothing has changed yet: there is no leader") +
                     std::string(": a majority of the members must be up"));
    if (site_.leads()) {
        pursue(wish);
        return describe(wish, outlook(wish));
    }
    if (const Peer* leader = site_.peers.find(site_.leader())) {
        const Receiver receiver = leader->receiver();
        site_.tell(&receiver, wish);
    }
    if (net::boot_time() - replied_ < lately) return describe(wish, reply_);
    return waits("nothing has changed yet: asks " + site_.quoted(site_.leader()) + ", which leads");
}

// As the leader knows; whoever is removed is told only then.
bool Wishes::is_decided(const member::Wish& wish) {
    if (wish.leaver == site_.config.name) return true;
    if (site_.leads()) return outlook(wish).awaited == member::Awaited::done;
    return net::boot_time() - replied_ < lately && reply_.awaited == member::Awaited::done;
}

// Why it cannot come true: a sentence. Empty: it can.
std::string Wishes::problem_of(const member::Wish& wish) const {
    const std::string name(member::name_in(wish.entry));
    const std::string all = ": " + join(site_.roster.names());
    const member::Times times = member::times_after(wish, site_.roster.stamped());
    switch (member::obstacle_of(wish, site_.roster.stamped())) {
        case member::Obstacle::is_member:
            return quoted(name) + " is a member already" + all +
                   "; a machine replaced under its own name needs no change";
        case member::Obstacle::no_member: return quoted(wish.leaver) + " is no member" + all;
        case member::Obstacle::last_member:
            return quoted(wish.leaver) + " is the only member: stop it instead";
        case member::Obstacle::no_id_left:
            return "no number is left for another member: form the group anew";
        case member::Obstacle::same_times:
            return "the group has " + text_of_times(site_.config.detect, site_.config.heartbeat) +
                   " already";
        case member::Obstacle::long_beat:
            return "a heartbeat of " + format_duration(times.heartbeat) +
                   " is too long for --detect " + format_duration(times.detect) +
                   ": give at most half of it";
        case member::Obstacle::none: break;
    }
    if (!site_.post->all_open(wire::rosters_from))
        return "a node of this group runs a Conclave that knows no changes of members: upgrade "
               "all nodes first; conclave doctor names it";
    if (wish.entry.empty()) return {};
    const bool placed = wish.entry.find('=') != std::string::npos;
    if (site_.config.by_address() && !placed)
        return "the members of this group have addresses: say " + name + "=ADDRESS";
    if (!site_.config.by_address() && placed)
        return "the members of this group find each other without addresses: say " + name;
    std::vector<std::string> entries{wish.entry};
    for (const lease::Title& title : site_.roster.stamped().titles)
        if (member::name_in(title.entry) != wish.leaver) entries.push_back(title.entry);
    return size_problem(entries);
}

// This node leads: its member begins when it may. Whoever comes must answer before that.
void Wishes::pursue(const member::Wish& wish) {
    if (!wish.entry.empty()) {
        site_.newcomer = wish.entry;
        expected_until_ = net::boot_time() + lately;
        site_.peers.seat_newcomer(std::string(member::name_in(wish.entry)),
                                  member::next_id(site_.roster.stamped()));
    }
    site_.host->change(wish);
}

// A leader that is new, or was paused, has not heard everybody yet: members are missed when they
// have been for a detection time, while somebody asked.
WishReply Wishes::outlook(const member::Wish& wish) {
    const Time now = net::boot_time();
    const member::Outlook seen = site_.host->outlook(wish);
    const bool asked = now - std::exchange(judged_, now) < lately;
    const bool lacks = seen.awaited == member::Awaited::more_members;
    if (!lacks || !asked) lacking_since_ = now;
    if (lacks && now - lacking_since_ < site_.config.detect) return {};
    return {seen.awaited, seen.up, seen.needed};
}

Wishes::Answer Wishes::describe(const member::Wish& wish, const WishReply& reply) const {
    const std::string name(member::name_in(wish.entry)), still = "nothing has changed yet: ";
    switch (reply.awaited) {
        case member::Awaited::nothing: return waits(still + "the change is about to begin");
        case member::Awaited::newcomer:
            return waits(still + "waits for " + quoted(name) +
                         ": start it there with conclave run --join --name " + name);
        case member::Awaited::hand_over:
            return waits(still + "waits for " + quoted(wish.leaver) +
                         ", which leads, to hand over");
        case member::Awaited::more_members:
            return refused("after this change " + std::to_string(reply.needed) +
                           " members must be up, and " + std::to_string(reply.up) +
                           (reply.up == 1 ? " is" : " are") +
                           ": start the others first, or remove those that are gone");
        case member::Awaited::other_change:
            return waits(still + "another change of the members must be completed before");
        case member::Awaited::completion:
        case member::Awaited::done: break;
    }
    return waits(
        "the change has begun: it is completed when a majority of the members, and of those before "
        "it, have stored it");
}

void Wishes::hear(const Peer& from, const member::Wish& wish) {
    if (from.member == nobody || !site_.leads()) return;
    const Receiver receiver = from.receiver();
    if (problem_of(wish).empty()) pursue(wish);
    site_.tell(&receiver, outlook(wish));
}

void Wishes::hear(const Peer& from, const WishReply& reply) {
    if (from.member == nobody || from.member != site_.leader()) return;
    reply_ = reply;
    replied_ = net::boot_time();
}

void Wishes::look() {
    if (site_.newcomer.empty() || net::boot_time() < expected_until_) return;
    site_.newcomer.clear();
    site_.peers.seat(site_.roster);
}

}  // namespace conclave::agent
