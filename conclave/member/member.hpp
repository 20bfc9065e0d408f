// The whole member as a value: what decides who is suspected, who may stand, when an election is
// called, and whom this member believes to lead. Around the lease, which decides who may act.
//
// The host hands in events (a message, a timer, the word of an operator or a health check, a disk,
// a command that is gone) and performs the effects of each turn in their order: store, follow,
// timers, sends. After a store it says Kept{} or Unkept{}, and nothing said behind the store leaves
// before. It runs the command while `lease.acting`, as leased.hpp says, and takes `news` away after
// each turn.
//
// The believed leader has one writer, believe(). What the host is to know is in view.hpp.
#pragma once

#include "conclave/lease/leased.hpp"
#include "conclave/member/agenda.hpp"
#include "conclave/member/backoff.hpp"
#include "conclave/member/belief.hpp"
#include "conclave/member/calling.hpp"
#include "conclave/member/detector.hpp"
#include "conclave/member/eligibility.hpp"
#include "conclave/member/member_messages.hpp"
#include "conclave/member/member_settings.hpp"
#include "conclave/member/seating.hpp"
#include "conclave/member/standing.hpp"
#include "conclave/member/watching.hpp"
#include "conclave/member/wishing.hpp"

namespace conclave::member {

template <class A>
struct Member {
    using Lease = lease::Leased<A>;
    static constexpr Card card = Lease::card;

    // It waits for what lease and election wait for, and
    struct Beat {};   // time to say that it is here, if anybody needs to know
    struct Look {};   // somebody may have been silent for too long
    struct Elect {};  // time to call an election
    struct Stand {};  // the better ones have had their chance to stand
    struct Again {};  // time to start its work again

    using Settings = MemberSettings<typename Lease::Settings>;
    using Stored = typename Lease::Stored;
    using Turn =
        conclave::Turn<decltype(typename Lease::Turn::Messages{} + Types<Present, Leaving, Died>{}),
                       decltype(typename Lease::Turn::Timers{} +
                                Types<Beat, Look, Elect, Stand, Again>{}),
                       Settings, Stored, EffectsOf<Lease>>;

    using LeaseMessages = Types<lease::Ask, lease::Promise, lease::Refusal, lease::Release,
                                lease::Census, lease::Entry>;

    // It remembers
    Lease lease;
    Detector detector;
    Standing standing;
    Eligibility introduced;  // this member itself included
    lease::Stamp seated;     // of the roster by which these three are arranged
    Condition condition;
    bool departing = false;
    Id leader = nobody;       // as this member believes; written by believe() alone
    bool hearsay = false;     // the others follow `leader`; this member could not promise
    bool ineligible = false;  // as the lease was last told
    bool abstains = false;    // likewise: takes no part in elections
    IdSet mourned;            // lost, and the election has not been told yet
    IdSet silent;             // lost without a word
    Agenda agenda;
    Backoff backoff;
    lease::Ballot held;            // by another, as it said last
    Cause cause = Cause::unknown;  // why the leader is about to be lost
    News news;                     // of this turn: for the host to take away

    static constexpr auto parts(auto& self) {
        return std::tie(self.lease, self.detector, self.standing, self.introduced, self.seated,
                        self.condition, self.departing, self.leader, self.hearsay, self.ineligible,
                        self.abstains, self.mourned, self.silent, self.agenda, self.backoff,
                        self.held, self.cause, self.news);
    }

    // It does: first what the lease does
    template <class Message>
        requires(Lease::Turn::Messages::template contains<Message>)
    void on(const Message& message, Turn& turn) {
        const bool led = turn.from == leader;
        if (counts(turn.from))
            hear_from(*this, turn.from, turn);
        else if (!LeaseMessages::contains<Message>)
            return;  // it has no part in elections
        tell(message, turn);
        if constexpr (std::same_as<Message, lease::Ask>) note_held(*this, message, turn);
        if constexpr (std::same_as<Message, lease::Release>) {
            if (turn.from == leader) believe(*this, nobody, Cause::released, turn);
            follow_release(*this, message, led, turn);
        }
        settle(turn);
    }
    template <class Timer>
        requires(Lease::Turn::Timers::template contains<Timer>)
    void on(Timer, Turn& turn) {
        tell(Timer{}, turn);
        settle(turn);
    }

    void on(const Told& told, Turn& turn) {
        if (detector.members.empty()) {
            lease.disk.roster = told.roster;
            return;
        }
        lease_turn(turn, [&](Lease& l, typename Lease::Turn& t) {
            lease::learn_roster(l, told.roster, t);
        });
        settle(turn);
    }
    void on(Start, Turn& turn) {
        begin(turn);
        tell(Start{}, turn);
        reseat(*this, turn);
        settle(turn);
    }
    void on(const Recover<Stored>& recover, Turn& turn) {
        begin(turn);
        tell(recover, turn);
        reseat(*this, turn);
        settle(turn);
    }
    void on(Call, Turn& turn) {
        tell(Call{}, turn);
        settle(turn);
    }

    // ------------------------------------------------------------ what the host says

    void on(lease::Kept, Turn& turn) { pass(lease::Kept{}, turn); }
    void on(lease::Unkept, Turn& turn) { pass(lease::Unkept{}, turn); }
    // Under a greater token, once that is granted.
    void on(lease::Anew, Turn& turn) {
        stop_resting(turn);
        pass(lease::Anew{}, turn);
    }
    // Meanwhile it leads and renews its lease, and has nothing to give back but that.
    void on(Ended, Turn& turn) {
        if (!lease.acting || lease.leaving) return;
        const Duration ran = turn.now - agenda.began;
        const Duration pause = backoff.pause_after(ran, turn.settings.restart);
        set_timer(Again{}, agenda.again, turn.now + pause, turn);
    }
    void on(lease::Vouch, Turn& turn) { pass(lease::Vouch{}, turn); }
    void on(const Wish& wish, Turn& turn) { pursue(*this, wish, turn); }
    void on(const lease::Force& word, Turn& turn) { pass(word, turn); }
    void on(const lease::Alter& wish, Turn& turn) { pass(wish, turn); }
    void on(RetryStore, Turn& turn) {
        lease_turn(turn, [](Lease& l, typename Lease::Turn& t) { l.catch_up(t); });
        settle(turn);
    }

    // A command that could not be renewed may have been replaced: its member must not stand at
    // once.
    void on(lease::Gone, Turn& turn) {
        const bool expired = lease.acting && lease.ends - turn.now <= turn.settings.close;
        if (expired && leader == turn.me) believe(*this, nobody, Cause::expired, turn);
        stop_resting(turn);
        settle(turn);
        pass(lease::Gone{}, turn);
    }

    void on(const lease::Resign& asked, Turn& turn) {
        if (leader == turn.me && cause == Cause::unknown) cause = Cause::released;
        pass(asked, turn);
    }
    void on(Depart, Turn& turn) {
        departing = true;
        settle(turn);
        on(lease::Resign{successor(turn.me)}, turn);
    }
    void on(const Condition& now, Turn& turn) {
        condition = now;
        settle(turn);
    }

    // ------------------------------------------------------------ what the others say

    void on(const Present& present, Turn& turn) {
        const Id from = turn.from;
        if (!counts(from)) return;
        introduced.at(from) = {present.mine, true};
        hear_from(*this, from, turn);
        compare_beliefs(*this, present, turn);
        if (turn.settings.observer)
            observe(*this, present, turn);
        else if (leader == nobody && !waited(present, turn) && turn.now >= agenda.backs_off_until)
            weigh(*this, present, turn);
        settle(turn);
    }
    void on(Leaving, Turn& turn) {
        if (counts(turn.from)) lose(*this, turn.from, Cause::left, turn);
        settle(turn);
    }
    // No sign of life. The successor that the dead leader had named need not wait for anything.
    void on(const Died& died, Turn& turn) {
        const bool led = turn.from == leader;
        if (led) cause = Cause::died;
        tell(died.release, turn);
        if (counts(turn.from)) lose(*this, turn.from, Cause::died, turn);
        follow_release(*this, died.release, led, turn);
        settle(turn);
    }

    // ------------------------------------------------------------ what is due

    void on(Beat, Turn& turn) {
        agenda.beat = never;
        // One whose disk keeps it from promising answers no renewals, and is there all the same.
        const bool mute = lease.failing && leader != turn.me;
        if (!settled(turn.me) || agenda.tellings > 0 || mute) turn.broadcast(presence(turn));
        if (agenda.tellings > 0) --agenda.tellings;
        if (lease.failing) on(RetryStore{}, turn);
        hand_over_ineligible(turn);
        settle(turn);
        beat_again(turn);
    }
    void on(Look, Turn& turn) {
        look_around(*this, turn);
        settle(turn);
    }
    void on(Elect, Turn& turn) {
        agenda.elect = never;
        call_election(*this, turn);
        settle(turn);
    }
    void on(Stand, Turn& turn) {
        agenda.stand = never;
        settle(turn);
    }
    void on(Again, Turn& turn) { on(lease::Anew{}, turn); }

    // ------------------------------------------------------------ what it knows

    // It leads, and its work is about to start again.
    bool rests() const { return agenda.again != never; }
    // While there is a lease, its renewals are the heartbeat, and nobody says more than it must.
    bool settled(Id me) const {
        return leader != nobody && (leader == me || !detector.suspects(leader));
    }
    // Is it a member, or was it one before a pending change?
    bool counts(Id id) const {
        const lease::Roster& roster = lease.disk.roster;
        return !roster.known() || roster.lists(id);
    }
    Attributes attributes(const Turn& turn) const {
        return {turn.settings.observer ? 0 : priority_of(turn.group.rank(turn.me)),
                turn.settings.lease.witness, condition.healthy && condition.able && !lease.failing,
                condition.paused};
    }
    bool eligible(const Turn& turn) const {
        using lease::RepairedRule;
        const bool leaves = departing && kept(turn, RepairedRule::departing_member_not_eligible);
        return attributes(turn).eligible() && !turn.settings.observer && !leaves && counts(turn.me);
    }
    static bool waited(const Present& present, const Turn& turn) {
        return present.stale && kept(turn, lease::RepairedRule::stale_words_ignored);
    }
    Id successor(Id me) const { return introduced.successor(me, detector); }
    // As this member ranks it: the incumbent stays, unless all give way to a better one.
    Rank rank_of(Id id, const Turn& turn) const {
        const bool incumbent = id == leader && !turn.settings.lease.preempt;
        if (id == turn.me)
            return make_rank(eligible(turn), incumbent, attributes(turn).priority, id);
        return introduced.rank_of(id, incumbent);
    }

    // For exhaustive search.
    void age(Duration by, const Settings& settings) {
        lease.age(by, settings.lease);
        detector.age(by, settings.patience());
        agenda.age(by, settings.lease.heartbeat, Backoff::calm(settings.restart));
    }

    std::string label() const { return lease.label(); }

    // ------------------------------------------------------------ the lease and its election

    template <class Event>
    void pass(const Event& event, Turn& turn) {
        tell(event, turn);
        settle(turn);
    }
    template <class Event>
    void tell(const Event& event, Turn& turn) {
        lease_turn(turn, [&](Lease& l, typename Lease::Turn& t) {
            if constexpr (!Lease::Turn::Messages::template contains<Event>) t.from = nobody;
            offer(l, event, t);
        });
    }

    // The lease ranks the members as this member does, and is told whether it may stand.
    template <class Handle>
    void lease_turn(Turn& turn, const Handle& handle) {
        auto settings = turn.settings.lease;
        settings.witness = settings.witness || abstains;
        settings.ineligible = ineligible;
        Seating seating;
        const Group group = seat_group(*this, turn, seating);
        const bool sits = !seating.ring.empty() && !turn.settings.observer;
        const Id next = sits ? group.after(turn.me) : turn.next;
        auto& effects = turn.effects.inner;
        effects.clear();
        typename Lease::Turn inner{effects, settings, group,     turn.chance, turn.rows,
                                   turn.me, next,     turn.from, turn.now,    turn.incarnation};
        handle(lease, inner);
        take_over(effects, turn);
    }
    // An observer has a place of its own, from which nothing is said.
    void take_over(const EffectsOf<Lease>& effects, Turn& turn) {
        for (const TimerChange& change : effects.timers) turn.effects.timers.push_back(change);
        for (std::size_t i = 0; i < effects.sends.size() && !turn.settings.observer; ++i) {
            if (i == effects.unbound && effects.stored) turn.store(*effects.stored);
            turn.send(effects.sends[i].to, widen<typename Turn::Message>(effects.sends[i].message));
        }
        if (effects.stored) turn.store(*effects.stored);
        for (const std::string_view report : effects.reports) turn.report(report);
        if (!effects.leader) return;
        hearsay = false;
        if (*effects.leader == turn.me) {
            turn.follow(turn.me);  // under another ballot, perhaps
            agenda.began = turn.now;
        }
        believe(*this, *effects.leader, Cause::unknown, turn);
    }

    void stop_resting(Turn& turn) {
        if (std::exchange(agenda.again, never) != never) turn.stop(Again{});
    }

    // Whether it may stand and takes part in elections follows from all else.
    void settle(Turn& turn) {
        if (detector.members.empty()) return;  // it has not begun
        if (seated != lease.disk.roster.stamp) reseat(*this, turn);
        tell_attributes(turn);
        for (int i = 0; i < 4; ++i) {  // each may follow from the other
            const bool allowed = standing.allowed && agenda.stand == never;
            const bool bar = !(allowed || turn.settings.no_quorum()) || hearsay || !eligible(turn);
            const bool stands = lease.candidacy.ballot.stands();
            if (std::exchange(ineligible, bar) && !bar && !stands) {
                tell(typename Lease::Renew{}, turn);  // it considers again whether to stand
                continue;
            }
            const bool excuse = !eligible(turn) && leader != turn.me && !stands &&
                                kept(turn, lease::RepairedRule::ineligible_member_abstains);
            if (!std::exchange(abstains, excuse) || excuse) return;
            tell(lease::Rejoin{}, turn);
        }
    }

    // A lost datagram must not leave the others with what was: it is said at several heartbeats.
    void tell_attributes(Turn& turn) {
        constexpr std::uint8_t often_enough = 4;
        if (turn.settings.observer || attributes(turn) == introduced.at(turn.me).said) return;
        introduced.at(turn.me).said = attributes(turn);
        agenda.tellings = often_enough;
        const Time next = turn.now + turn.settings.lease.heartbeat;
        set_earlier(Beat{}, agenda.beat, next, turn);
        turn.broadcast(presence(turn));
        hand_over_ineligible(turn);
    }
    Present presence(const Turn& turn) const { return {attributes(turn), leader}; }

    // To somebody healthy, as soon as there is one: to stop what nobody else can do better helps
    // nobody.
    void hand_over_ineligible(Turn& turn) {
        if (condition.healthy || condition.paused || departing) return;
        const Id next = successor(turn.me);
        if (!lease.candidacy.ballot.stands() || lease.leaving || next == nobody) return;
        cause = Cause::unhealthy;
        tell(lease::Resign{next}, turn);
    }

    // With nothing to say it only looks whether that is still so: to wake up costs more.
    void beat_again(Turn& turn) {
        const bool at_rest = settled(turn.me) && agenda.tellings == 0 && attributes(turn).healthy;
        const Time next = turn.now + (at_rest ? 8 : 1) * turn.settings.lease.heartbeat;
        set_earlier(Beat{}, agenda.beat, next, turn);
    }

    void begin(Turn& turn) {
        reseat(*this, turn);
        if (!turn.settings.observer) introduced.at(turn.me) = {attributes(turn), true};
        standing.lose();
        ineligible = true;
        abstains = turn.settings.observer;
        call_after(*this, turn.settings.lease.promise + turn.settings.lease.heartbeat, turn);
        set_timer(Beat{}, agenda.beat, turn.now, turn);
    }
};

}  // namespace conclave::member
