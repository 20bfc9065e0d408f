// What a member answers to those that ask for its promise (R3, M3, M10).
#pragma once

#include "conclave/lease/changing.hpp"
#include "conclave/lease/lease_messages.hpp"

namespace conclave::lease {

// M10: a restart waits for as long as the longest promise to this ballot holds, so what makes it
// longer is on disk before the promise leaves.
template <class Lease, class Turn>
void store_vote(Lease& member, Voter::Answer answer, Duration promise, Turn& turn) {
    auto& disk = member.disk;
    if (answer == Voter::Answer::promised && kept(turn, Rule::highest_on_disk)) {
        disk.highest = member.voter.highest;
        disk.promise = promise;
        member.keep(turn);
    } else if (answer == Voter::Answer::renewed) {
        if (has_rosters(turn) && disk.promise < promise) {
            disk.promise = promise;
            member.keep(turn);
        }
        member.catch_up(turn);
    }
}

template <class Turn>
Lax lax_in(const Turn& turn) {
    return {!kept(turn, RosterRule::promise_never_shrinks),
            !kept(turn, RepairedRule::same_life_succeeds),
            !kept(turn, RepairedRule::closed_by_own_release)};
}

// R3; the promise is on disk before the answer leaves.
template <class Lease, class Turn>
bool vote(Lease& member, const Ask& ask, Turn& turn) {
    if (ask.seal != turn.settings.seal) return false;
    learn_roster(member, ask.roster, turn);
    if (is_outdated(member, ask.roster, turn)) return false;
    Voter& voter = member.voter;
    const Voter::Former displaced{voter.highest, voter.last};
    const Duration promise = promise_time(ask.roster, turn);
    const auto answer = voter.ask(ask.ballot, ask.k, turn.now, promise, lax_in(turn));
    if (answer == Voter::Answer::promised && ask.ballot == member.candidacy.ballot)
        member.candidacy.displaced = displaced;
    store_vote(member, answer, promise, turn);
    member.hear(ask.ballot);
    return answer != Voter::Answer::refused;
}

// A ballot that is hopeless is told of the greater one, and one of an older roster of the newer
// (M3): else its owner would ask in vain for ever.
template <class Lease, class Turn>
void refuse(Lease& member, const Ask& ask, Turn& turn) {
    const Voter& voter = member.voter;
    if (ask.seal != turn.settings.seal) return;
    const Ballot& known = greater_of(voter.highest, voter.closed);
    if (is_outdated(member, ask.roster, turn)) {
        if (!kept(turn, RosterRule::refusal_tells_roster)) return;
        member.catch_up(turn);
        turn.reply(Refusal{ask.ballot, known, member.disk.roster});
    } else if (voter.hopeless(ask.ballot, lax_in(turn)) && known != ask.ballot) {
        turn.reply(Refusal{ask.ballot, known, {}});
        if (ask.held) member.rest = turn.now + turn.settings.promise;  // I would stand in vain
    }
}

// Another has the lease: who asks beside it asks in vain, and keeps a vote from it.
template <class Lease, class Turn>
void make_way(Lease& member, const Ask& ask, Turn& turn) {
    if (ask.seal != turn.settings.seal || is_outdated(member, ask.roster, turn)) return;
    const bool bound = member.voter.bound_to_third(turn.me, ask.ballot.member, turn.now) &&
                       kept(turn, RepairedRule::expired_lease_not_claimed);
    if (member.acting || bound) return;
    turn.follow(ask.ballot.member);
    if (!member.candidacy.ballot.stands() || !kept(turn, RepairedRule::rival_makes_way)) return;
    member.rest = turn.now + turn.settings.promise;
    member.give_back(turn);
}

template <class Lease, class Turn>
void answer_ask(Lease& member, const Ask& ask, Turn& turn) {
    if (ask.held) make_way(member, ask, turn);
    if (!vote(member, ask, turn)) return refuse(member, ask, turn);
    turn.reply(Promise{ask.ballot, ask.k, member.disk.key});
    if (!member.acting) turn.follow(ask.ballot.member);
}

// My rounds are behind: stand again in a later one, now that I know. Or my roster is: ask again.
// A candidate that is refused again so soon has a rival. If both stood again at once, each would
// outbid the other just before its asks arrive, for ever where messages take a quarter of a
// heartbeat or more.
template <class Lease, class Turn>
void heed_refusal(Lease& member, const Refusal& refusal, Turn& turn) {
    const Ballot& mine = member.candidacy.ballot;
    if (!mine.stands() || refusal.ballot != mine) return;
    const bool newer = has_rosters(turn) && is_newer(refusal.roster, member.disk.roster);
    learn_roster(member, refusal.roster, turn);
    member.hear(refusal.known);
    if (member.acting) return;
    const bool beaten = !refusal.roster.known() || less(mine, refusal.known);
    if (!beaten && !is_overtaken(member) && may_stand(member, turn)) {
        if (newer) member.renew(turn);
        return;
    }
    if (turn.now < member.candidacy.outbid && kept(turn, Rule::outbid_candidate_rests))
        return member.give_way(turn);
    member.withdraw(turn);
    if (member.candidacy.ballot.stands())
        member.candidacy.outbid = turn.now + turn.settings.promise;
}

}  // namespace conclave::lease
