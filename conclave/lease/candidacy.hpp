// One member's claim to the lease: what it asked, when, and who answered.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/lease/ballot.hpp"
#include "conclave/lease/voter.hpp"

namespace conclave::lease {

struct Asked {
    std::uint32_t k;
    Time sent;
};
struct Answered {
    Id member;
    Time sent;  // of the latest ask that it answered
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

    // Of one heartbeat's ask. The first comes after `Settings::repeat`, the second after twice that
    // again: however much is lost, a leader asks at most three times in a heartbeat.
    static constexpr std::uint32_t repeats_most = 2;
    static constexpr std::size_t open_max = std::size_t{16} * (1 + repeats_most);

    // What is left when it is over.
    Candidacy none() const {
        Candidacy blank;
        blank.nonce = nonce;
        return blank;
    }

    void ask(Time now, bool again) {
        repeats = again ? repeats + 1 : 0;
        if (open.size() == open_max) open.erase(open.begin());
        open.push_back({++k, now});
    }

    // When the last heartbeat's first ask left.
    Time begun() const {
        return open.size() > repeats ? open[open.size() - 1 - repeats].sent : long_ago;
    }
    // So many have answered it, or a repeat of it.
    bool answered(std::size_t quorum) const { return end(quorum, Duration{0}, true) >= begun(); }
    // Who has not, but answered an ask that was sent after `since`, and so is probably alive.
    std::vector<Id> missing(Time since) const {
        std::vector<Id> members;
        for (const Answered& each : answers)
            if (each.sent < begun() && each.sent > since) members.push_back(each.member);
        return members;
    }

    // R4: what counts is when the answered ask was *sent*.
    void answer(Id member, std::uint32_t answered) {
        const auto asked =
            std::find_if(open.begin(), open.end(), [&](const Asked& a) { return a.k == answered; });
        if (asked == open.end()) return;
        const auto at = std::find_if(answers.begin(), answers.end(),
                                     [&](const Answered& a) { return a.member >= member; });
        if (at == answers.end() || at->member != member)
            answers.insert(at, {member, asked->sent});
        else
            at->sent = std::max(at->sent, asked->sent);
    }

    // Would an answer to that ask still count?
    bool awaits(Id member, std::uint32_t answered) const {
        const auto asked =
            std::find_if(open.begin(), open.end(), [&](const Asked& a) { return a.k == answered; });
        const auto at = std::find_if(answers.begin(), answers.end(),
                                     [&](const Answered& a) { return a.member == member; });
        return asked != open.end() && (at == answers.end() || at->sent < asked->sent);
    }

    void age(Duration by, Duration lease) {
        for (Asked& asked : open) move_back(asked.sent, by, lease);
        for (Answered& answered : answers) move_back(answered.sent, by, lease);
        const auto over = [](const auto& each) { return each.sent == long_ago; };
        std::erase_if(open, over);
        std::erase_if(answers, over);
    }

    // When the lease ends: the quorum-th latest answered ask plus the lease time; long ago without
    // a quorum.
    Time end(std::size_t quorum, Duration lease, bool answered_only) const {
        if (answers.size() < quorum) return long_ago;
        if (!answered_only && !open.empty()) return open.back().sent + lease;
        std::vector<Time> times;
        for (const Answered& answered : answers) times.push_back(answered.sent);
        std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(quorum - 1),
                         times.end(), std::greater<>());
        return times[quorum - 1] + lease;
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
