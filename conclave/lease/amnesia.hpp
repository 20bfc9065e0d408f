// R10: a member that lost its state promises nothing until all that it promised is over, and then
// asks every other member what it promised.
#pragma once

#include <utility>

#include "conclave/lease/candidacy.hpp"
#include "conclave/lease/messages.hpp"
#include "conclave/lease/register.hpp"
#include "conclave/lease/rules.hpp"

namespace conclave::lease {

template <class Lease, class Turn>
void lose_memory(Lease& member, Turn& turn) {
    member.voter.blank = kept(turn, Rule::blank_member_promises_nothing);
    member.lost = {};
    if (member.disk.life == 0) {
        member.disk.life = draw_nonce(turn);
        member.keep(turn);
    }
    member.lost.nonce = member.disk.life;
    turn.set(typename Lease::Enquire{}, turn.settings.promise);
}

template <class Lease, class Turn>
void enquire(Lease& member, Turn& turn) {
    if (!member.voter.blank) return;
    if (member.lost.finding(turn.group.size() - 1) == Register::Finding::undecidable)
        turn.report("two members lost their memory beside one that did not");
    member.catch_up(turn);
    turn.broadcast(Census{member.lost.nonce});
    const std::uint32_t most = turn.settings.asks_max;
    if (most == 0 || ++member.lost.asked < most)
        turn.set(typename Lease::Enquire{}, turn.settings.heartbeat);
}

template <class Lease, class Turn>
void answer_census(Lease& member, const Census& census, Turn& turn) {
    member.catch_up(turn);
    turn.reply(Entry{census.nonce, member.voter.highest, member.voter.blank,
                     member.lost.founded_with({turn.from, census.nonce}), member.lost.nonce});
}

template <class Lease, class Turn>
void remember(Lease& member, Turn& turn) {
    if (!member.voter.blank) return;
    auto& disk = member.disk;
    member.voter.highest = greater_of(member.voter.highest, member.lost.close());
    member.voter.blank = false;
    member.hear(member.voter.highest);
    disk.highest = member.voter.highest;
    disk.formed = true;
    disk.life = 0;
    disk.founders = member.lost.founders;
    member.keep(turn);
    turn.stop(typename Lease::Enquire{});
    member.tell(Start{}, turn);
    if (std::exchange(member.lost.called, false)) member.tell(Call{}, turn);
    member.consider(turn);
}

template <class Lease, class Turn>
void enter(Lease& member, const Entry& entry, Turn& turn) {
    Register& lost = member.lost;
    if (!member.voter.blank || entry.nonce != lost.nonce) return;
    lost.enter({turn.from, entry.highest, entry.blank, entry.founder, entry.my_nonce});
    if (lost.finding(turn.group.size() - 1) == Register::Finding::complete) remember(member, turn);
}

}  // namespace conclave::lease
