// A lease around any election: the election says who should lead, the lease says who may act.
//
// A member that the inner algorithm elects stands with a ballot greater than any it heard of and
// asks the whole roster. With the promises of a majority it leads until the lease ends, and renews
// it with the same ask again. Whoever hears of a lease follows its owner.
//
// A host starts the work when a turn ends in `acting` that was not before, under the token of
// candidacy.ballot; has it killed at `ends` at the latest; stops it in an orderly way when
// `leaving`; and says Gone{} when it is gone. A member with a state file gets Recover, else Start;
// after Recover it gets Gone{} once the work of its former life is proved to be gone.
//
// A disk may fail (R13): memory goes ahead of it and is never taken back. After every store the
// host says Kept{} or, if the store may have failed, Unkept{}, and then lets nothing leave that the
// turn said behind the store. A leader goes on: to renew a lease stores nothing.
#pragma once

#include "conclave/core/around.hpp"
#include "conclave/lease/amnesia.hpp"
#include "conclave/lease/candidacy.hpp"
#include "conclave/lease/forcing.hpp"
#include "conclave/lease/lease_messages.hpp"
#include "conclave/lease/lease_settings.hpp"
#include "conclave/lease/repeats.hpp"
#include "conclave/lease/rules.hpp"
#include "conclave/lease/stale.hpp"
#include "conclave/lease/voter.hpp"
#include "conclave/lease/voting.hpp"

namespace conclave::lease {

template <class A>
struct Leased {
    static constexpr Card card = [] {
        Card c = A::card;
        c.network = Network::full;
        c.links = Links::any;
        c.promises = {.one_leader = true, .best = false, .informed = false};
        c.assumes = "a fixed roster with a majority alive, clocks whose rates are bounded";
        c.restless = true;
        return c;
    }();

    // It waits for what the inner algorithm waits for, and
    struct Renew {};    // time for the next ask, or to stand
    struct Lapse {};    // the lease ends
    struct Enquire {};  // an amnesiac member may ask the others now

    using Settings = LeaseSettings<typename A::Turn::Settings>;
    using Stored = LeaseStored<typename A::Turn::Stored>;
    using Turn =
        conclave::Turn<decltype(typename A::Turn::Messages{} +
                                Types<Ask, Promise, Refusal, Release, Census, Entry>{}),
                       decltype(typename A::Turn::Timers{} + Types<Renew, Lapse, Enquire>{}),
                       Settings, Stored, EffectsOf<A>>;

    // It remembers
    A inner;
    Voter voter;
    Candidacy candidacy;
    Stored disk;  // as it should stand on disk
    OnDisk on_disk = OnDisk::yes;
    bool failing = false;   // since the last store failed
    bool former = false;    // the work of a former life may be alive
    std::uint32_t own = 0;  // my own promise to this ask counts when `disk` is kept; 0: none
    Id elected = nobody;    // by the inner algorithm
    Id wished = nobody;     // who should stand: elected, or named as successor
    Ballot heard;           // the greatest ballot heard of
    bool acting = false;    // work may be alive under candidacy.ballot
    bool leaving = false;   // and is to stop
    Time ends = long_ago;   // of the lease, on my clock
    Time rest = long_ago;   // until then others may stand first
    Register lost;          // what a member without a memory has learned

    // It does: first what the inner algorithm does
    template <class Event>
        requires Handles<A, Event>
    void on(const Event& event, Turn& turn) {
        if constexpr (std::same_as<Event, Call>) lost.called = voter.amnesiac;
        tell(event, turn);
    }

    // Before Start or Recover `disk.roster` may be what the host knows of it.
    void on(Start, Turn& turn) {
        disk.promise = turn.settings.promise;
        if (has_rosters(turn)) begin_newcomer(*this, turn);
        const bool newcomer = has_rosters(turn) && turn.settings.first.joins;
        if (turn.settings.formed && (turn.incarnation == 1 || newcomer)) {
            disk.formed = true;
            keep(turn);
        } else {
            lose_memory(*this, turn);
        }
        tell(Start{}, turn);
    }

    void on(const Recover<Stored>& recover, Turn& turn) {
        const Roster told = std::exchange(disk, recover.stored).roster;
        voter.highest = disk.highest;
        lost.founders = disk.founders;
        if (told.known()) begin_told(*this, told, turn);
        if (!disk.formed) lose_memory(*this, turn);
        if (kept(turn, Rule::quarantine_after_restart)) voter.restart(turn.now, grace(turn));
        former = disk.used.stands();
        begin(turn, [&](A& a, typename A::Turn& t) { conclave::recover(a, disk.inner, t); });
    }

    // R5: as long as anything promised before; M10: by the promise that was given, not by the
    // roster, which may have a shorter one since.
    Duration grace(const Turn& turn) const {
        if (!has_rosters(turn)) return std::max(disk.promise, turn.settings.promise);
        return kept(turn, RosterRule::restart_by_given_promise) ? disk.promise
                                                                : disk.roster.promise;
    }

    // ------------------------------------------------------------ the disk (R13)

    bool behind() const { return on_disk != OnDisk::yes; }
    void keep(Turn& turn) {
        on_disk = OnDisk::soon;
        turn.store(disk);
    }
    // What depends on the disk is said only behind this.
    void catch_up(Turn& turn) {
        if (behind()) keep(turn);
    }
    void on(Kept, Turn& turn) {
        if (on_disk == OnDisk::soon) on_disk = OnDisk::yes;
        if (own != 0) count({turn.me, disk.key}, std::exchange(own, 0), turn);
        if (std::exchange(failing, false) && !acting) on(Rejoin{}, turn);
    }

    // Somebody whose disk works should lead instead.
    void on(Unkept, Turn& turn) {
        failing = true, own = 0, on_disk = OnDisk::no;
        if (acting) return;
        wished = nobody;
        if (candidacy.ballot.stands()) withdraw(turn);
    }

    // ------------------------------------------------------------ standing

    // Stands if it should, and as soon as there is hope: the clock or a release calls it again.
    void consider(Turn& turn) {
        const bool mine = wished == turn.me || elected == turn.me;
        if (!mine || candidacy.ballot.stands() || voter.amnesiac || former || failing) return;
        if (turn.settings.witness || turn.settings.ineligible || !may_stand(*this, turn)) return;
        const Time bound = voter.bound_to_another(turn.me, turn.now) ? voter.until : long_ago;
        const Time free = std::max(rest, bound);
        if (free > turn.now) return turn.set(Renew{}, free - turn.now);
        wished = turn.me;
        stand(turn);
    }

    // R1: greater than anything used, promised or heard of; on disk before the first ask leaves.
    // R11: tokens grow even over the loss of all disks, if clocks do.
    void stand(Turn& turn) {
        const Ballot& known = greater_of(heard, disk.roster.stamp.ballot);  // M6
        const Ballot& top = greater_of(greater_of(disk.used, voter.highest), known);
        const std::uint64_t round = std::max(top.round + 1, turn.settings.round_floor);
        if (turn.settings.rounds_max != 0 && round > turn.settings.rounds_max) return;
        const bool unique = kept(turn, Rule::nonce_in_ballots);
        if (unique && candidacy.nonce == 0) candidacy.nonce = draw_nonce(turn);
        candidacy.ballot = {round, turn.me, candidacy.nonce};
        candidacy.stamped = has_rosters(turn) ? 1 : 0;
        ends = long_ago;
        leaving = false;
        disk.used = candidacy.ballot;
        heard = {};
        if (kept(turn, Rule::used_on_disk)) keep(turn);
        renew(turn);
    }

    // R2: every ask has a number, and the candidate keeps the time at which it left.
    void renew(Turn& turn, bool again = false) {
        if (turn.settings.asks_max != 0 && candidacy.k == turn.settings.asks_max) return;
        if (is_overtaken(*this)) return;
        const Ask ask = next_ask(*this, again, turn);
        turn.broadcast(ask);
        if (!vote(*this, ask, turn)) return;
        if (behind() && kept(turn, Rule::silent_until_stored))
            own = ask.k;
        else
            count({turn.me, disk.key}, ask.k, turn);  // R4: my own member votes like any other
    }

    // Who asks in vain beside a greater ballot gives its promises back and lets that one try.
    void on(Renew, Turn& turn) {
        if (!candidacy.ballot.stands()) return consider(turn);
        if (before_heartbeat(*this, turn)) return;
        const bool beaten = less(candidacy.ballot, greater_of(heard, voter.highest));
        acting || !beaten ? renew(turn) : give_way(turn);
    }
    void give_way(Turn& turn) {
        rest = turn.now + 2 * turn.settings.heartbeat;
        withdraw(turn);
    }

    // For R1; what is no greater than my own promise or use says nothing new.
    void hear(const Ballot& ballot) {
        heard = greater_of(heard, ballot);
        if (!less(greater_of(voter.highest, disk.used), heard)) heard = {};
    }

    void on(const Ask& ask, Turn& turn) { answer_ask(*this, ask, turn); }
    void on(const Promise& promise, Turn& turn) {
        if (candidacy.ballot.stands() && promise.ballot == candidacy.ballot)
            count({turn.from, promise.key}, promise.k, turn);
    }
    void on(const Refusal& refusal, Turn& turn) { heed_refusal(*this, refusal, turn); }

    // R4, R9: with a majority, and time left, the lease is held; nothing older may be alive.
    void count(const Seat& from, std::uint32_t k, Turn& turn) {
        const Duration present = lease_time_of(disk.roster, turn);
        candidacy.answer(from, k,
                         kept(turn, RosterRule::lease_time_of_its_ask) ? nullptr : &present);
        measure(turn);
        stop_repeating(*this, turn);
        if (!holds(turn.now)) return;
        turn.set(Lapse{}, ends - turn.now);
        if (!acting && !leaving && ends - turn.now > turn.settings.enough) {
            acting = candidacy.acted = true;
            turn.lead();
        }
        go_on_changing(*this, turn);
    }

    void measure(const Turn& turn) { ends = lease_end(candidacy, disk.roster, turn); }
    bool holds(Time now) const { return candidacy.ballot.stands() && ends > now; }

    // ------------------------------------------------------------ leaving

    // Renewals failed: the guardian has stopped the work by now, but says so itself.
    void on(Lapse, Turn& turn) {
        if (candidacy.ballot.stands() && !holds(turn.now)) turn.follow(nobody), leave(turn);
    }

    // R12: by request.
    void on(const Resign& asked, Turn& turn) {
        if (!candidacy.ballot.stands() || leaving) return;
        wished = asked.successor;
        leave(turn);
    }

    // Go on leading while the work stops, then give the successor a chance before I stand.
    void leave(Turn& turn) {
        leaving = true;
        if (acting && kept(turn, Rule::release_after_work_is_gone)) return;
        if (wished != turn.me) rest = turn.now + turn.settings.promise;
        turn.follow(nobody);
        give_back(turn);
    }

    // R6, R7: only the owner, and only when the work is gone.
    void give_back(Turn& turn) {
        const Release release{candidacy.ballot, wished == turn.me ? nobody : wished};
        turn.stop(Renew{});
        turn.stop(Lapse{});
        const Candidacy over = std::exchange(candidacy, candidacy.none());
        ends = long_ago, own = 0;
        leaving = acting = false;
        if (over.acted || !kept(turn, RepairedRule::vain_vote_taken_back)) {
            voter.release(over.ballot, true);
        } else if (voter.highest == over.ballot) {  // R15; on disk before it is given to another
            voter.take_back(over.displaced);
            disk.highest = voter.highest;
            on_disk = OnDisk::no;
        }
        turn.broadcast(release);
        consider(turn);
    }

    // A member that led until now, or stood to start its work again, no longer leads unless it
    // stands anew.
    void withdraw(Turn& turn) {
        give_back(turn);
        if (!candidacy.ballot.stands() && kept(turn, RepairedRule::withdrawn_follows_nobody))
            turn.follow(nobody);
    }

    void on(Gone, Turn& turn) {
        acting = false;
        if (candidacy.ballot.stands()) return leaving ? leave(turn) : withdraw(turn);
        if (!std::exchange(former, false)) return;
        voter.release(disk.used, true);
        turn.broadcast(Release{disk.used, nobody});
        consider(turn);
    }

    // Every start of work has a token of its own. Whoever promised the former ballot promises this
    // one at once; if a majority does not before the former lease ends, it is given up.
    void on(Anew, Turn& turn) {
        if (!acting || leaving) return;
        if (!kept(turn, RepairedRule::anew_under_greater_token)) return turn.lead();
        acting = false;
        candidacy = candidacy.none();
        stand(turn);
    }

    // Who waits for the lease need not wait for the clock: it is free now.
    void on(const Release& release, Turn& turn) {
        const bool freed = release.ballot == voter.highest && less(voter.closed, release.ballot);
        voter.release(release.ballot, kept(turn, Rule::release_of_own_ballot_only));
        hear(release.ballot);
        if (acting) return;
        if (freed) turn.follow(nobody);
        const bool successor = release.successor == turn.me, stands = candidacy.ballot.stands();
        if (successor) wished = turn.me;
        if ((freed || successor) && kept(turn, RepairedRule::successor_need_not_rest))
            rest = long_ago;
        const bool yields = !successor && release.successor != nobody;  // it goes first
        if (yields && kept(turn, RepairedRule::successor_goes_first))
            rest = std::max(rest, turn.now + turn.settings.heartbeat);
        if (stands && less(candidacy.ballot, release.ballot)) return withdraw(turn);
        if (freed || successor) stands ? renew(turn) : consider(turn);
    }

    // ------------------------------------------------------------ a lost disk (R10)

    void on(Enquire, Turn& turn) { enquire(*this, turn); }
    void on(const Census& census, Turn& turn) { answer_census(*this, census, turn); }
    void on(const Entry& entry, Turn& turn) { enter(*this, entry, turn); }
    void on(Vouch, Turn& turn) { remember(*this, turn); }
    void on(const Alter& wish, Turn& turn) { begin_change(*this, wish, turn); }
    void on(const Force& word, Turn& turn) { force_roster(*this, word, turn); }
    // What was elected while I took no part is unknown to me.
    void on(Rejoin, Turn& turn) {
        inner = {};
        elected = nobody;
        tell(Start{}, turn);
    }

    // For exhaustive search; what relies on these rules is in stale.hpp.
    void age(Duration by, const Settings&) { age_times(*this, by); }
    static constexpr std::uint64_t stale_rules = lease::stale_rules;
    bool stale(const typename Turn::Message& message, Id from, bool for_good) const {
        return is_stale(*this, message, from, for_good);
    }

    std::string label() const {
        return candidacy.ballot.stands()
                   ? (acting ? "holds " : "asks ") + std::to_string(candidacy.ballot.round)
                   : (voter.amnesiac ? "amnesiac" : label_of(inner));
    }

    template <class Event>
    void tell(const Event& event, Turn& turn) {
        begin(turn, [&](A& a, typename A::Turn& t) { offer(a, event, t); });
    }

private:
    // A member without a memory, one whose disk fails and a witness take no part in elections: they
    // could not stand if elected, and as their master would send the others' candidates home.
    template <class Handle>
    void begin(Turn& turn, const Handle& handle) {
        const bool witness = turn.settings.witness && kept(turn, Rule::witnesses_abstain);
        const bool amnesiac = voter.amnesiac && kept(turn, RepairedRule::amnesiac_member_abstains);
        if (amnesiac || (failing && !acting) || witness) return;
        take_over(inner_turn(inner, turn.settings.inner, turn, handle), turn);
    }

    // A wish to lead becomes a candidacy. While nobody is wished for, whoever leads stays.
    void take_over(const EffectsOf<A>& effects, Turn& turn) {
        if (effects.stored) {
            disk.inner = *effects.stored;
            keep(turn);
        }
        for (const TimerChange& change : effects.timers) turn.effects.timers.push_back(change);
        if (!effects.sends.empty()) catch_up(turn);
        for (const auto& send : effects.sends)
            turn.send(send.to, widen<typename Turn::Message>(send.message));
        for (const std::string_view report : effects.reports) turn.report(report);
        if (!effects.leader || *effects.leader == nobody) return;
        const bool again = std::exchange(elected, *effects.leader) == *effects.leader;
        if (again && elected != turn.me) return;
        if (again && !kept(turn, RepairedRule::reelected_stands_again)) return;
        if (!leaving || !kept(turn, RepairedRule::successor_stays_named)) wished = elected;
        if (elected == turn.me) return consider(turn);
        if (candidacy.ballot.stands() && !leaving && turn.settings.preempt) leave(turn);
    }
};

}  // namespace conclave::lease
