// The lease over a shared cell (cell.hpp): one candidate, or holder.
//
// A holder writes its claim at every heartbeat and may act until the write that is known to have
// succeeded was *sent*, plus D. A candidate takes the cell over when it is free, or when it has
// seen one version for the holder's L on its own clock; its write succeeds only if that version is
// still there. The answer to a write is what the cell holds afterwards, so a lost answer is made up
// for by any later one: it shows the number of the last write that succeeded.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/core/turn.hpp"
#include "conclave/lease/ballot.hpp"
#include "conclave/lease/cell.hpp"

namespace conclave::lease {

inline constexpr Id cell_id{1};  // to whom a candidate speaks

struct TenantSettings {
    Duration promise = std::chrono::milliseconds(400);  // L
    Duration lease = std::chrono::milliseconds(375);    // D; see lease_time()
    Duration heartbeat = std::chrono::milliseconds(100);
    Duration enough{};        // work starts only with more than this left of the lease
    std::uint64_t lives = 1;  // so many different ones are drawn
    // Bounds for exhaustive search; 0: no limit.
    std::uint32_t writes_max = 0;  // of one life
    std::uint32_t reads_max = 0;
};

struct Tenant {
    // It waits for
    struct Beat {};  // time to renew the claim, to take the cell, or to look at it
    // It is told by its host
    struct Withdraw {};  // do not stand; a holder's work is stopped, then the cell is freed
    struct Stand {};
    struct Gone {};  // nothing of the work is left

    using Turn = conclave::Turn<Types<Read, Write, Told>, Types<Beat>, TenantSettings>;

    struct Sent {
        std::uint32_t beat;
        Time at;
    };

    // It remembers
    std::uint64_t life = 0;
    std::uint32_t beat = 0;   // of the last write
    std::uint32_t reads = 0;  // so far, where that is bounded
    Contents seen;            // the newest version that it knows of ...
    Time since = long_ago;    // ... and when it saw it first
    Time asked = long_ago;    // only where silence_from_its_sight is left out
    std::uint64_t tried = 0;  // version of the last write
    std::vector<Sent> open;   // writes of which nothing is known, oldest first
    Time ends = long_ago;     // of the lease
    std::uint64_t token = 0;  // under which it acts, or acted last
    bool acting = false;      // something of its work may be alive
    bool standing = true;

    static constexpr std::size_t open_max = 64;

    // It does
    void on(Start, Turn& turn) {
        const std::uint64_t mine = kept(turn, CellRule::life_in_claims)
                                       ? turn.choose(turn.settings.lives) << 40 | turn.incarnation
                                       : 0;
        life = mine ^ static_cast<std::uint64_t>(turn.me) << 32;
        look(turn);
    }
    void on(const Told& told, Turn& turn) {
        if (held_by_me(told.now.claim)) count(told.now.claim.beat, turn);
        if (told.now.version > seen.version) {
            seen = told.now;
            since = kept(turn, CellRule::silence_from_its_sight) ? turn.now : asked;
        }
        if (may_begin(turn)) begin(turn);
        if (tried != seen.version && (may_take(turn) || owes_release())) speak(turn);
    }
    void on(Beat, Turn& turn) { speak(turn); }

    void on(Withdraw, Turn& turn) {
        standing = false;
        if (!acting && held_by_me(seen.claim)) speak(turn);
    }
    void on(Stand, Turn& turn) {
        if (standing) return;
        standing = true;
        speak(turn);
    }
    void on(Gone, Turn& turn) {
        if (!acting) return;
        acting = false;
        turn.follow(nobody);
        if (held_by_me(seen.claim)) speak(turn);  // frees it, or gets a token for the next start
    }

    bool holds(Time now) const { return now < ends; }
    bool held_by_me(const Claim& claim) const { return claim.life == life && life != 0; }
    // When a candidate may take the cell, if nobody writes to it.
    Time silent(const TenantSettings& settings, bool of_holder = true) const {
        if (seen.claim.free()) return long_ago;
        return since + (of_holder ? seen.claim.promise : settings.promise);
    }

    // To be told this changes nothing, now or later.
    bool knows(const Contents& now) const {
        const bool begins = !acting && held_by_me(seen.claim) && seen.version > token;
        return seen.version >= now.version && !begins &&
               std::none_of(open.begin(), open.end(), [&](const Sent& each) {
                   return held_by_me(now.claim) && each.beat <= now.claim.beat;
               });
    }
    // Where every turn happens at time 0: see move_back(). `lease`: D.
    void age(Duration by, Duration lease) {
        move_back(ends, by);
        move_back(since, by, seen.claim.promise);
        move_back(asked, by, seen.claim.promise);
        for (Sent& each : open) move_back(each.at, by, lease);
    }

private:
    static Time worth(const Sent& sent, const Turn& turn) {
        const bool from_sending = kept(turn, CellRule::claim_from_its_sending);
        const bool shorter = kept(turn, CellRule::claim_shorter_than_promise);
        const Duration lease = shorter ? turn.settings.lease : turn.settings.promise;
        return (from_sending ? sent.at : turn.now) + lease;
    }
    // A write is known to have succeeded, and with it that none before it is still to come.
    void count(std::uint32_t number, const Turn& turn) {
        for (const Sent& each : open)
            if (each.beat == number) ends = std::max(ends, worth(each, turn));
        std::erase_if(open, [&](const Sent& each) { return each.beat <= number; });
    }
    bool may_take(const Turn& turn) const {
        if (!standing || seen.version == 0 || held_by_me(seen.claim)) return false;
        const bool of_holder = kept(turn, CellRule::silence_of_the_holder);
        return turn.now >= silent(turn.settings, of_holder);
    }
    bool owes_release() const { return !standing && !acting && held_by_me(seen.claim); }

    bool may_begin(const Turn& turn) const {
        return !acting && standing && held_by_me(seen.claim) && seen.version > token &&
               ends - turn.settings.enough > turn.now;
    }
    void begin(Turn& turn) {
        acting = true;
        token = seen.version;
        turn.lead();
    }

    void speak(Turn& turn) {
        if (owes_release())
            release(turn);
        else if (held_by_me(seen.claim) || may_take(turn))
            claim(turn);
        else
            return look(turn);
        schedule(turn);
    }
    void look(Turn& turn) {
        const std::uint32_t most = turn.settings.reads_max;
        if (most == 0 || reads < most) {
            if (most != 0) ++reads;
            if (!kept(turn, CellRule::silence_from_its_sight)) asked = turn.now;
            turn.send(cell_id, Read{});
        }
        schedule(turn);
    }
    bool may_write(const Turn& turn) const {
        return turn.settings.writes_max == 0 || beat < turn.settings.writes_max;
    }
    void claim(Turn& turn) {
        if (!may_write(turn)) return;
        if (open.size() == open_max) open.erase(open.begin());
        open.push_back({++beat, turn.now});
        tried = seen.version;
        turn.send(cell_id, Write{seen.version, {life, beat, turn.settings.promise}});
    }
    // The write that frees the cell may arrive at any time from now on.
    void release(Turn& turn) {
        if (!may_write(turn)) return;
        ++beat;
        tried = seen.version;
        if (kept(turn, CellRule::freed_claim_forfeited)) {
            ends = long_ago;
            open.clear();
        }
        turn.send(cell_id, Write{seen.version, {}});
    }
    // Where search bounds what is still said, nothing is waited for that would change nothing.
    void schedule(Turn& turn) const {
        const bool reads_on = turn.settings.reads_max == 0 || reads < turn.settings.reads_max;
        if (!may_write(turn) && !reads_on) return turn.stop(Beat{});
        Duration next = turn.settings.heartbeat;
        const bool waits = standing && seen.version != 0 && !held_by_me(seen.claim);
        const bool of_holder = kept(turn, CellRule::silence_of_the_holder);
        const Time silence = silent(turn.settings, of_holder);
        if (waits && silence > turn.now) next = std::min(next, silence - turn.now);
        turn.set(Beat{}, next);
    }
};

}  // namespace conclave::lease
