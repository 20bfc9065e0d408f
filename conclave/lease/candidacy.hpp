// One member's claim to the lease: what it asked, when, and who answered.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/lease/ballot.hpp"
#include "conclave/lease/roster.hpp"
#include "conclave/lease/voter.hpp"

namespace conclave::lease {

struct Asked {
    std::uint32_t k;
    Time sent;
    Duration lease{};  // D of its roster
};
struct Answered {
    Id member;
    Time sent;              // of the latest ask that it answered
    Time ends = long_ago;   // so long it supports the lease
    std::uint32_t key = 0;  // of its disk
};

// Whose answers count, and how many of them.
struct Electorate {
    const Seats* seats;  // null: everybody's
    std::size_t quorum;
    bool by_key = true;       // M8
    std::size_t unheard = 0;  // so many count without an answer
    bool counts(const Answered& answer) const {
        if (seats == nullptr) return true;
        return by_key ? is_seated(*seats, Seat{answer.member, answer.key})
                      : is_seated(*seats, answer.member);
    }
};

struct Candidacy {
    std::uint32_t nonce = 0;  // of every ballot in this life of the agent; 0: none was drawn yet
    Ballot ballot;
    std::uint32_t k = 0;
    std::vector<Asked> open;  // asks that may still be answered, oldest first
    std::vector<Answered> answers;

    std::uint32_t repeats = 0;  // of the last heartbeat's ask, so far
    bool acted = false;         // work was started under it
    Voter::Former displaced;    // what my own vote for it took the place of
    std::uint32_t stamped = 0;  // the first ask that carries the present roster; 0: it is fixed
    Seats informed;             // who answered such an ask, and so has that roster on disk
    Time outbid = long_ago;  // refused, it stood again: until then it rests if that is refused, too

    // Of one heartbeat's ask. The first comes after `Settings::repeat`, the second after twice that
    // again: however much is lost, a leader asks at most three times in a heartbeat.
    static constexpr std::uint32_t repeats_most = 2;
    static constexpr std::size_t open_max = std::size_t{16} * (1 + repeats_most);

    // What is left when it is over.
    Candidacy none() const {
        Candidacy blank;
        blank.nonce = nonce;
        blank.outbid = outbid;
        return blank;
    }

    void ask(Time now, bool again, Duration lease) {
        repeats = again ? repeats + 1 : 0;
        if (open.size() == open_max) open.erase(open.begin());
        open.push_back({++k, now, lease});
    }

    // When the last heartbeat's first ask left.
    Time begun() const {
        return open.size() > repeats ? open[open.size() - 1 - repeats].sent : long_ago;
    }
    // Who has not answered it, but an ask that was sent after `since`, and so is probably alive.
    std::vector<Id> missing(Time since) const {
        std::vector<Id> members;
        for (const Answered& each : answers)
            if (each.sent < begun() && each.sent > since) members.push_back(each.member);
        return members;
    }

    // R4: what counts is when the answered ask was *sent*. Another disk of the same member is
    // another voter. `lease`: the D that counts instead of the ask's own, if there is one.
    void answer(const Seat& from, std::uint32_t answered, const Duration* lease = nullptr) {
        const auto asked = find_ask(answered);
        if (asked == open.end()) return;
        const Time ends = asked->sent + (lease == nullptr ? asked->lease : *lease);
        const auto at = std::find_if(answers.begin(), answers.end(),
                                     [&](const Answered& a) { return a.member >= from.member; });
        if (at == answers.end() || at->member != from.member)
            answers.insert(at, {from.member, asked->sent, ends, from.key});
        else if (at->key != from.key)
            *at = {from.member, asked->sent, ends, from.key};
        else
            at->sent = std::max(at->sent, asked->sent), at->ends = std::max(at->ends, ends);
        if (!informs(from, answered)) return;
        informed.insert(std::find_if(informed.begin(), informed.end(),
                                     [&](const Seat& s) { return s.member >= from.member; }),
                        from);
    }

    // Would an answer to that ask still count?
    bool awaits(const Seat& from, std::uint32_t answered) const {
        const auto asked = find_ask(answered);
        const auto at = std::find_if(answers.begin(), answers.end(), [&](const Answered& a) {
            return a.member == from.member && a.key == from.key;
        });
        if (asked == open.end()) return false;
        return informs(from, answered) || at == answers.end() || at->sent < asked->sent ||
               at->ends < asked->sent + asked->lease;
    }

    void age(Duration by) {
        move_back(outbid, by);
        for (Asked& asked : open) move_back(asked.sent, by, asked.lease);
        for (Answered& answered : answers) {
            move_back(answered.sent, by, answered.ends - answered.sent);
            move_back(answered.ends, by);
        }
        std::erase_if(open, [](const Asked& each) { return each.sent == long_ago; });
        std::erase_if(answers, [](const Answered& each) { return each.ends == long_ago; });
    }

    // The quorum-th latest of what each voter's answer is worth; long ago without a quorum.
    template <class Worth>
    Time quorum_th(const Electorate& voters, const Worth& worth) const {
        std::vector<Time> times(voters.unheard, never);
        for (const Answered& answer : answers)
            if (voters.counts(answer)) times.push_back(worth(answer));
        if (voters.quorum == 0 || times.size() < voters.quorum) return long_ago;
        const auto nth = times.begin() + static_cast<std::ptrdiff_t>(voters.quorum - 1);
        std::nth_element(times.begin(), nth, times.end(), std::greater<>());
        return *nth;
    }
    // When the lease ends that these support.
    Time end(const Electorate& voters, bool answered_only) const {
        const Time ends = quorum_th(voters, [](const Answered& each) { return each.ends; });
        if (answered_only || open.empty() || ends == long_ago) return ends;
        return open.back().sent + open.back().lease;
    }

private:
    bool informs(const Seat& from, std::uint32_t answered) const {
        return stamped != 0 && answered >= stamped && !is_seated(informed, from);
    }
    std::vector<Asked>::const_iterator find_ask(std::uint32_t number) const {
        return std::find_if(open.begin(), open.end(),
                            [&](const Asked& each) { return each.k == number; });
    }
};

// D = L (1 - rho)/(1 + rho) - margin, for clocks whose rates are within rho (parts per million) of
// true.
constexpr Duration lease_time(Duration promise, std::int64_t rho_ppm, Duration margin) {
    const std::int64_t million = 1'000'000;
    const std::int64_t ns = promise.count();
    return Duration{ns / (million + rho_ppm) * (million - rho_ppm) +
                    ns % (million + rho_ppm) * (million - rho_ppm) / (million + rho_ppm)} -
           margin;
}

// For ballots and lives. Where chance is exhausted, not drawn, one value suffices: lives differ
// anyhow.
template <class Turn>
std::uint32_t draw_nonce(Turn& turn) {
    return static_cast<std::uint32_t>(turn.choose(turn.settings.nonces)) ^ turn.incarnation;
}

}  // namespace conclave::lease
