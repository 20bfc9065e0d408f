// One turn of a member's machinery, as steps of the model: a few turns of the lease inside it, and
// what its guardian does.
#pragma once

#include <optional>

#include "tests/proofs/ghost.hpp"
#include "tests/proofs/shadow.hpp"

namespace conclave::proofs {

class Watch {
public:
    Watch(const Machinery& machinery, Ghost& ghost, Outer& outer)
        : machinery_(machinery),
          ghost_(ghost),
          outer_(outer),
          shadow_(outer.me, outer.group.size(), outer.group.size() / 2 + 1) {
        fill_memory();
        fill_disk();
        fill_ballots();
    }

    // What the turn is about.
    std::optional<Ballot> heard_ask, heard_release, heard_promise;
    std::uint32_t promised_k = 0;
    std::optional<Entry> heard_entry;
    bool comes_up = false, without_disk = false;

    void before_lease() {
        follow_machine();
        flush();
    }
    void after_lease(const Lease& was, const Lease& is, const EffectsOf<Lease>& effects) {
        if (std::exchange(comes_up, false)) come_up(is);
        take_census(was, is);
        hear_release(was, is);
        leave_candidacy(is, effects);
        stand(is);
        vote(is);
        count(was, is, effects);
        if (!was.acting && is.acting) start(number(is.candidacy.ballot));
    }
    void finish() {
        follow_machine();
        flush();
        if (machinery_.agent != Machinery::Agent::dead) compare_memory(machinery_.brain);
        compare_machine();
        ghost_.durable = durable();
        if (!shadow_.wrong().empty()) ghost_.wrong = faults().number(shadow_.wrong());
    }

private:
    // ------------------------------------------------------------ what is true before the turn

    void fill_memory() {
        const Voter& voter = machinery_.brain.voter;
        shadow_.set("P", {}, outer_.settings.agent.promise.count());
        shadow_.set("now", {}, outer_.now.count());
        shadow_.set_mine("highest", number(voter.highest));
        shadow_.set_mine("until", voter.until.count());
        shadow_.set_mine("grace", voter.quarantine.count());
        shadow_.set_mine("used", token(machinery_.brain.disk.used));
        shadow_.set_mine("life", life());
        shadow_.set_mine("amnesiac", voter.amnesiac);
        shadow_.set_mine("silence", ghost_.silence.count());
        for (const Entered& each : ghost_.entries) enter(each);
    }
    void fill_disk() {
        const auto& disk = machinery_.disk;
        shadow_.set_mine("used-on-disk", std::min(token(disk.used), token(ghost_.durable.used)));
        if (machinery_.brain.voter.amnesiac) return;
        for (const Ballot& each : {disk.highest, ghost_.durable.highest})
            shadow_.set("on-disk", {me(), number(each)}, 1);
    }
    void fill_ballots() {
        const Candidacy& candidacy = machinery_.brain.candidacy;
        for (const Ballot& each :
             {machinery_.brain.voter.highest, machinery_.brain.disk.used, machinery_.disk.highest,
              machinery_.disk.used, machinery_.working, candidacy.ballot,
              candidacy.displaced.highest})
            if (each.stands()) shadow_.set("stood", {number(each)}, 1);
        if (candidacy.ballot.stands()) {
            const Value ballot = number(candidacy.ballot);
            shadow_.set("open", {ballot}, 1);
            shadow_.set("asked", {ballot}, candidacy.k > 0);
            shadow_.set("acted", {ballot}, candidacy.acted);
            shadow_.set("displaced", {ballot}, number(candidacy.displaced.highest));
            for (const Answered& each : ghost_.grants) grant(each);
        }
        if (machinery_.works()) {
            shadow_.set("work", {number(machinery_.working)}, 1);
            shadow_.set("acted", {number(machinery_.working)}, 1);
        }
    }

    // ------------------------------------------------------------ what the lease did

    void come_up(const Lease& is) {
        const bool first = outer_.settings.agent.formed && life() == 1;
        if (without_disk && first) return;
        if (without_disk || !is.disk.formed) {
            shadow_.step("lose-disk", {me(), life()});
            ghost_.silence = outer_.now + outer_.settings.agent.promise;
            ghost_.entries.clear();
        } else {
            shadow_.step("restart", {me(), number(is.voter.highest), token(is.disk.used), life()});
        }
        ghost_.asks.clear();
        if (!machinery_.works()) ghost_.grants.clear();
    }

    void take_census(const Lease& was, const Lease& is) {
        const auto entry = std::exchange(heard_entry, std::nullopt);
        if (entry && was.voter.amnesiac && !entry->amnesiac && entry->nonce == was.lost.nonce) {
            ghost_.entries.push_back({outer_.from, entry->highest});
            enter(ghost_.entries.back());
        }
        if (!was.voter.amnesiac || is.voter.amnesiac) return;
        shadow_.step("remember", {me(), number(is.voter.highest)});
        ghost_.entries.clear();
        ghost_.silence = long_ago;
    }

    // Of another's ballot, or of my own one in a former life, whose work is gone.
    void hear_release(const Lease& was, const Lease& is) {
        if (const auto ballot = std::exchange(heard_release, std::nullopt)) {
            shadow_.set("released", {number(*ballot)}, 1);
            accept_release(number(*ballot));
        }
        if (!was.former || is.former) return;
        shadow_.step("release", {number(was.disk.used)});
        accept_release(number(was.disk.used));
    }
    void accept_release(Value ballot) {
        if (shadow_.mine("highest") == ballot) shadow_.step("hear-release", {me(), ballot});
    }

    // For another ballot at once, or giving it back.
    void leave_candidacy(const Lease& is, const EffectsOf<Lease>& effects) {
        const Value ballot = shadow_.one_of("open");
        if (ballot == 0 || shadow_.ballot(ballot) == is.candidacy.ballot) return;
        const bool acted = shadow_.get("acted", {ballot}) != 0;
        const bool voted = shadow_.mine("highest") == ballot;
        shadow_.step(!acted && voted ? "take-back" : "give-up", {ballot});
        for (const auto& send : effects.sends) {
            const auto* release = std::get_if<Release>(&send.message);
            if (!acted || release == nullptr || number(release->ballot) != ballot) continue;
            shadow_.step("release", {ballot});
            accept_release(ballot);
        }
    }

    void stand(const Lease& is) {
        if (!is.candidacy.ballot.stands()) return;
        const Value ballot = number(is.candidacy.ballot);
        if (shadow_.get("open", {ballot}) != 0) return;
        shadow_.step("stand", {me(), ballot});
        ghost_.asks.clear();
        ghost_.grants.clear();
    }

    void vote(const Lease& is) {
        const Value ballot = number(is.voter.highest);
        if (heard_ask) shadow_.set("asked", {number(*heard_ask)}, 1);
        if (ballot == shadow_.mine("highest")) {
            if (is.voter.until.count() > shadow_.mine("until")) shadow_.step("renew", {me()});
        } else if (shadow_.get("open", {ballot}) != 0) {
            shadow_.step("vote-for-itself", {ballot});
        } else {
            shadow_.step("vote", {me(), ballot});
            shadow_.set("stood", {ballot}, 1);
        }
    }

    // The asks that were made, and the answers that count.
    void count(const Lease& was, const Lease& is, const EffectsOf<Lease>& effects) {
        for (const auto& send : effects.sends)
            if (const auto* ask = std::get_if<Ask>(&send.message))
                if (ghost_.asks.empty() || ghost_.asks.back().k != ask->k)
                    ghost_.asks.push_back({ask->k, outer_.now});
        const auto promise = std::exchange(heard_promise, std::nullopt);
        if (promise && *promise == is.candidacy.ballot) support(outer_.from, promised_k);
        const bool same = is.candidacy.ballot == was.candidacy.ballot;
        const Time voted = own_answer(is.candidacy);
        if (voted == (same ? own_answer(was.candidacy) : long_ago)) return;
        const Value ballot = number(is.candidacy.ballot);
        const Value before = shadow_.get("granted", {me(), ballot});
        support(outer_.me, was.own != 0 && is.own == 0 ? was.own : is.candidacy.k);
        const Value after = shadow_.get("granted", {me(), ballot});
        shadow_.set("granted", {me(), ballot}, before);
        if (before < after) shadow_.step("answer", {me(), ballot, after});
    }
    Time own_answer(const Candidacy& candidacy) const {
        for (const Answered& each : candidacy.answers)
            if (each.member == outer_.me) return each.sent;
        return long_ago;
    }
    // This member answered that ask: it supports the lease from when the ask left.
    void support(Id member, std::uint32_t k) {
        for (const Asked& ask : ghost_.asks) {
            if (ask.k != k) continue;
            std::erase_if(ghost_.grants, [&](const Answered& each) {
                return each.member == member && each.sent <= ask.sent;
            });
            const bool later = std::any_of(ghost_.grants.begin(), ghost_.grants.end(),
                                           [&](const auto& each) { return each.member == member; });
            if (!later) ghost_.grants.push_back({member, ask.sent});
        }
        std::sort(ghost_.grants.begin(), ghost_.grants.end(),
                  [](const Answered& a, const Answered& b) { return a.member < b.member; });
        for (const Answered& each : ghost_.grants) grant(each);
    }

    void start(Value ballot) {
        Value quorum = 0;
        for (Value q = 0; q < static_cast<Value>(shadow_.quorums()); ++q)
            if (shadow_.may("start", {ballot, q})) quorum = q;
        shadow_.step("start", {ballot, quorum});
    }

    // ------------------------------------------------------------ what the machine did

    void follow_machine() {
        const Value work = shadow_.one_of("work"), open = shadow_.one_of("open");
        if (work != 0 && !machinery_.works()) shadow_.step("work-ends", {work});
        if (open != 0 && machinery_.agent == Machinery::Agent::dead)
            shadow_.step("give-up", {open});
    }

    // What the disk holds is what its readers would read: an agent, and a machine after a crash.
    void follow_disk() {
        if (machinery_.agent == Machinery::Agent::dead || shadow_.mine("amnesiac") != 0) return;
        const Ballot& highest = shadow_.ballot(shadow_.mine("highest"));
        for (const auto* disk : {&machinery_.disk, &durable()})
            if (disk->highest != highest || token(disk->used) != shadow_.mine("used")) return;
        shadow_.step("synchronise", {me()});
    }

    void flush() {
        follow_disk();
        const auto& sends = outer_.effects.sends;
        for (; flushed_ < sends.size(); ++flushed_) flush(sends[flushed_].message);
    }
    void flush(const Outer::Message& message) {
        if (const auto* ask = std::get_if<Ask>(&message))
            shadow_.step("ask", {number(ask->ballot)});
        if (const auto* promise = std::get_if<Promise>(&message)) {
            const Value until = (outer_.now + outer_.settings.agent.promise).count();
            shadow_.step("answer", {me(), number(promise->ballot), until});
        }
        if (const auto* release = std::get_if<Release>(&message))
            shadow_.step("release", {number(release->ballot)});
        if (const auto* entry = std::get_if<Entry>(&message)) {
            shadow_.expect(entry->amnesiac == (shadow_.mine("amnesiac") != 0) &&
                               number(entry->highest) == shadow_.mine("highest"),
                           "what a census is told");
            if (!entry->amnesiac) shadow_.step("census", {Shadow::of(outer_.from), me()});
        }
        if (std::holds_alternative<lease::Census>(message))
            shadow_.expect(shadow_.mine("silence") <= outer_.now.count(), "when a census begins");
    }

    // ------------------------------------------------------------ what is true after the turn

    void compare_memory(const Lease& is) {
        shadow_.expect(shadow_.mine("highest") == number(is.voter.highest), "highest");
        shadow_.expect((shadow_.mine("amnesiac") != 0) == is.voter.amnesiac, "amnesiac");
        shadow_.expect(shadow_.mine("used") == token(is.disk.used), "used");
        const bool stands = is.candidacy.ballot.stands();
        const Value open = shadow_.one_of("open");
        shadow_.expect(open == (stands ? number(is.candidacy.ballot) : 0), "open");
        shadow_.expect(is_bound(is.voter.until, "until"), "until");
        shadow_.expect(is_bound(is.voter.quarantine, "grace"), "grace");
        if (open == 0) return;
        if (!is.candidacy.acted && shadow_.mine("highest") == open)
            shadow_.expect(
                shadow_.get("displaced", {open}) == number(is.candidacy.displaced.highest),
                "displaced");
        if (is.holds(outer_.now)) shadow_.expect(shadow_.held(open), "who holds the lease");
    }
    // The code may wait for longer than the model.
    bool is_bound(Time code, std::string_view model) {
        const Value until = shadow_.mine(model);
        return until <= outer_.now.count() || until <= code.count();
    }

    void compare_machine() {
        const Value work = shadow_.one_of("work");
        shadow_.expect(work == (machinery_.works() ? number(machinery_.working) : 0), "work");
        if (shadow_.mine("amnesiac") != 0) return;
        for (const auto* disk : {&machinery_.disk, &durable()}) {
            if (*disk == Lease::Stored{}) continue;  // whoever reads it knows that it is lost
            shadow_.expect(shadow_.get("on-disk", {me(), number(disk->highest)}) != 0, "on-disk");
            shadow_.expect(shadow_.mine("used-on-disk") <= token(disk->used), "used-on-disk");
        }
    }

    // ------------------------------------------------------------ words

    Value me() const { return shadow_.me(); }
    Value number(const Ballot& ballot) { return shadow_.number(ballot); }
    static Value token(const Ballot& ballot) { return static_cast<Value>(token_of(ballot)); }
    const Lease::Stored& durable() const {
        return outer_.effects.stored ? *outer_.effects.stored : ghost_.durable;
    }
    // As its ballots' nonces are drawn where chance is exhausted, not drawn.
    std::uint32_t life() const {
        return (outer_.incarnation & 0xffff) | std::uint32_t{machinery_.returns} << 16;
    }
    void grant(const Answered& answered) {
        const Ballot& ballot =
            machinery_.works() ? machinery_.working : machinery_.brain.candidacy.ballot;
        shadow_.set("granted", {Shadow::of(answered.member), number(ballot)},
                    (answered.sent + support_of(outer_.settings)).count());
    }
    void enter(const Entered& entered) {
        const Values at{me(), Shadow::of(entered.member)};
        const Value known = shadow_.get("entry", at);
        const bool again = shadow_.get("entered", at) != 0;
        shadow_.set("entry", at,
                    again ? std::min(known, token(entered.highest)) : token(entered.highest));
        shadow_.set("entered", at, 1);
    }

    const Machinery& machinery_;
    Ghost& ghost_;
    Outer& outer_;
    Shadow shadow_;
    std::size_t flushed_ = 0;
};

}  // namespace conclave::proofs
