// A lease around any election: the election says who should lead, the lease says who may act.
//
// A member that the inner algorithm elects stands with a ballot greater than any it heard of and
// asks the whole roster. With the promises of a majority it leads until the lease ends, and renews
// it with the same ask again. Whoever hears of a lease follows its owner. What a node stores is on
// disk before anything leaves it, because a host performs stores first.
#pragma once

#include "conclave/core/around.hpp"
#include "conclave/lease/candidacy.hpp"
#include "conclave/lease/rules.hpp"
#include "conclave/lease/voter.hpp"

namespace conclave::lease {

// The host says so when the work of a former lease, the whole tree of it, is gone (R8).
struct Gone {};

template <class A>
struct Leased {
    static constexpr Card card = [] {
        Card c = A::card;
        c.network = Network::full;
        c.promises = {.one_leader = true, .best = false, .informed = false};
        c.assumes = "a fixed roster with a majority alive, clocks whose rates are bounded";
        return c;
    }();

    // It says what the inner algorithm says, and
    struct Ask {
        Ballot ballot;
        std::uint32_t k;
        std::uint32_t roster;
    };
    struct Promise {
        Ballot ballot;
        std::uint32_t k;
    };
    struct Release {
        Ballot ballot;
        Id heir;
    };
    struct Census {};
    struct Entry {
        Ballot highest;
        bool blank;
    };
    // It waits for what the inner algorithm waits for, and
    struct Renew {};    // time for the next ask
    struct Lapse {};    // the lease ends
    struct Enquire {};  // a blank member may ask the others now

    struct Settings {
        typename A::Turn::Settings inner{};
        Duration promise = std::chrono::milliseconds(300);  // L
        Duration lease = std::chrono::milliseconds(280);    // D; see lease_time()
        Duration heartbeat = std::chrono::milliseconds(100);
        std::uint32_t asks_max = 0;  // of one ballot; 0: no limit. A bound for exhaustive search.
        bool formed = false;         // the roster was formed before the first start
    };
    struct Stored {
        typename A::Turn::Stored inner{};
        Ballot highest, used;
        bool formed = false;
    };
    using Turn =
        conclave::Turn<decltype(typename A::Turn::Messages{} +
                                Types<Ask, Promise, Release, Census, Entry>{}),
                       decltype(typename A::Turn::Timers{} + Types<Renew, Lapse, Enquire>{}),
                       Settings, Stored, EffectsOf<A>>;

    static constexpr Time oldest = -std::chrono::hours(1);

    // It remembers
    A inner;
    Voter voter;
    Candidacy candidacy;
    Stored disk;          // as it stands on disk
    Id wished = nobody;   // whom the inner algorithm wants to lead
    Ballot heard;         // the greatest ballot heard of
    bool acting = false;  // work may be alive under candidacy.ballot
    Time ends = oldest;   // of the lease, on my clock
    bool leaving = false;
    std::vector<Entry> census;

    // It does: first what the inner algorithm does
    template <class Event>
        requires Handles<A, Event>
    void on(const Event& event, Turn& turn) {
        begin(turn, [&](A& a, typename A::Turn& t) { a.on(event, t); });
    }

    void on(Start, Turn& turn) {
        if (turn.settings.formed && turn.incarnation == 1) {
            disk.formed = true;
            turn.store(disk);
        } else {  // R10: a member without a memory promises nothing, and then asks
            voter.blank = kept(turn, Rule::blank_member_promises_nothing);
            turn.set(Enquire{}, turn.settings.promise);
        }
        begin(turn, [](A& a, typename A::Turn& t) { offer(a, Start{}, t); });
    }

    void on(const Recover<Stored>& recover, Turn& turn) {
        disk = recover.stored;
        voter.highest = disk.highest;
        voter.blank = !disk.formed;
        if (voter.blank) turn.set(Enquire{}, turn.settings.promise);
        if (kept(turn, Rule::quarantine_after_restart))
            voter.restart(turn.now, turn.settings.promise);
        if (disk.used.stands()) {  // R8: coming up again proves that my former work is gone
            voter.release(disk.used, true);
            turn.broadcast(Release{disk.used, nobody});
        }
        begin(turn, [&](A& a, typename A::Turn& t) { conclave::recover(a, disk.inner, t); });
    }

    // ------------------------------------------------------------ standing

    // R1: greater than anything used, promised or heard of; on disk before the first ask leaves.
    void stand(Turn& turn) {
        const Ballot& top = greater_of(greater_of(disk.used, voter.highest), heard);
        candidacy = {};
        ends = oldest;
        candidacy.ballot = {top.round + 1, turn.me,
                            kept(turn, Rule::nonce_in_ballots) ? turn.incarnation : 0};
        heard = candidacy.ballot;
        disk.used = candidacy.ballot;
        if (kept(turn, Rule::used_on_disk)) turn.store(disk);
        leaving = false;
        renew(turn);
    }

    // R2: every ask has a number, and the candidate keeps the time at which it left.
    void renew(Turn& turn) {
        if (turn.settings.asks_max != 0 && candidacy.k == turn.settings.asks_max) return;
        candidacy.ask(turn.now);
        if (acting) measure(turn);
        turn.set(Renew{}, turn.settings.heartbeat);
        const Ask ask{candidacy.ballot, candidacy.k, turn.group.size()};
        turn.broadcast(ask);
        if (vote(ask, turn)) count(turn.me, ask.k, turn);  // R4: my own member votes like any other
    }

    void on(Renew, Turn& turn) {
        if (candidacy.ballot.stands()) renew(turn);
    }

    // R3; the promise is on disk before the answer leaves.
    bool vote(const Ask& ask, Turn& turn) {
        if (less(voter.highest, ask.ballot)) heard = greater_of(heard, ask.ballot);
        if (ask.roster != turn.group.size()) return false;
        const auto answer = voter.ask(ask.ballot, ask.k, turn.now, turn.settings.promise);
        if (answer == Voter::Answer::promised && kept(turn, Rule::highest_on_disk)) {
            disk.highest = voter.highest;
            turn.store(disk);
        }
        return answer != Voter::Answer::refused;
    }

    void on(const Ask& ask, Turn& turn) {
        if (!vote(ask, turn)) return;
        turn.reply(Promise{ask.ballot, ask.k});
        if (!acting) turn.follow(ask.ballot.member);
    }

    void on(const Promise& promise, Turn& turn) {
        if (candidacy.ballot.stands() && promise.ballot == candidacy.ballot)
            count(turn.from, promise.k, turn);
    }

    // R4, R9: with a majority, and time left, the lease is held; nothing older may be alive.
    void count(Id member, std::uint32_t k, Turn& turn) {
        candidacy.answer(member, k);
        measure(turn);
        if (!holds(turn.now)) return;
        turn.set(Lapse{}, ends - turn.now);
        if (acting || leaving) return;
        acting = true;
        turn.lead();
    }

    void measure(const Turn& turn) {
        const bool shorter = kept(turn, Rule::lease_shorter_than_promise);
        const Duration lease = shorter ? turn.settings.lease : turn.settings.promise;
        ends = candidacy.end(turn.group.size() / 2 + 1, lease,
                             kept(turn, Rule::lease_from_answered_asks));
    }
    bool holds(Time now) const { return candidacy.ballot.stands() && ends > now; }

    // ------------------------------------------------------------ leaving

    // Renewals failed: the guardian has stopped the work by now, but says so itself.
    void on(Lapse, Turn& turn) {
        if (!candidacy.ballot.stands() || holds(turn.now)) return;
        resign(turn);
    }

    // Somebody else should lead: go on renewing while the work stops, then give the lease back.
    void resign(Turn& turn) {
        leaving = true;
        turn.follow(nobody);
        if (!acting || !kept(turn, Rule::release_after_work_is_gone)) give_back(turn);
    }

    // R6, R7: only the owner, and only when the work is gone.
    void give_back(Turn& turn) {
        const Release release{candidacy.ballot, wished};
        turn.stop(Renew{});
        turn.stop(Lapse{});
        candidacy = {};
        ends = oldest;
        leaving = acting = false;
        voter.release(release.ballot, true);
        turn.broadcast(release);
        if (wished == turn.me) stand(turn);
    }

    void on(Gone, Turn& turn) {
        acting = false;
        if (candidacy.ballot.stands()) give_back(turn);
    }

    void on(const Release& release, Turn& turn) {
        if (less(voter.highest, release.ballot)) heard = greater_of(heard, release.ballot);
        voter.release(release.ballot, kept(turn, Rule::release_of_own_ballot_only));
        if (!acting) turn.follow(nobody);
    }

    // ------------------------------------------------------------ a lost disk (R10)

    void on(Enquire, Turn& turn) {
        if (!voter.blank) return;
        census.clear();
        turn.broadcast(Census{});
        turn.set(Enquire{}, turn.settings.heartbeat);
    }

    void on(Census, Turn& turn) { turn.reply(Entry{voter.highest, voter.blank}); }

    void on(const Entry& entry, Turn& turn) {
        if (!voter.blank) return;
        heard = greater_of(heard, entry.highest);
        census.push_back(entry);
        if (census.size() + 1 < turn.group.size()) return;
        const auto blanks =
            std::count_if(census.begin(), census.end(), [](const Entry& e) { return e.blank; });
        if (blanks != 0 && static_cast<std::size_t>(blanks) != census.size())
            return turn.report(
                "two members lost their disks beside one that did not: an operator must decide");
        for (const Entry& each : census) voter.highest = greater_of(voter.highest, each.highest);
        voter.blank = false;
        disk.highest = voter.highest;
        disk.formed = true;
        turn.store(disk);
        turn.stop(Enquire{});
    }

    // Time passes: what is remembered as a time moves back, and all that is over is equally long
    // over. For exhaustive search, where every turn happens at time 0.
    void age(Duration by, const Settings& settings) {
        const auto past = [&](Time& time, Duration matters, Time over) {
            time = time - by + matters > Time{0} ? time - by : over;
        };
        past(voter.until, {}, {});
        past(voter.quarantine, {}, {});
        past(ends, {}, oldest);
        for (Asked& asked : candidacy.open) past(asked.sent, settings.promise, oldest);
        for (Answered& answered : candidacy.answers) past(answered.sent, settings.promise, oldest);
        const auto over = [](const auto& each) { return each.sent == oldest; };
        std::erase_if(candidacy.open, over);
        std::erase_if(candidacy.answers, over);
    }

    std::string label() const {
        return candidacy.ballot.stands()
                   ? (acting ? "holds " : "asks ") + std::to_string(candidacy.ballot.round)
                   : (voter.blank ? "blank" : label_of(inner));
    }

private:
    template <class Handle>
    void begin(Turn& turn, const Handle& handle) {
        take_over(inner_turn(inner, turn.settings.inner, turn, handle), turn);
    }

    // The inner algorithm's wish to lead becomes a candidacy; all else is passed on.
    void take_over(const EffectsOf<A>& effects, Turn& turn) {
        if (effects.stored) {
            disk.inner = *effects.stored;
            turn.store(disk);
        }
        for (const TimerChange& change : effects.timers) turn.effects.timers.push_back(change);
        for (const auto& send : effects.sends)
            turn.send(send.to, widen<typename Turn::Message>(send.message));
        for (const std::string_view report : effects.reports) turn.report(report);
        if (!effects.leader) return;
        wished = *effects.leader;
        const bool mine = wished == turn.me;
        if (mine && !candidacy.ballot.stands() && !voter.blank) stand(turn);
        if (!mine && candidacy.ballot.stands() && !leaving) resign(turn);
    }
};

}  // namespace conclave::lease
