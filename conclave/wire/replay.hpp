// Which sessions are alive, and which of their datagrams are new.
//
// A recorded datagram must not work twice, not even after its sender or its receiver was started
// again, and there is no clock that all agree on. So a session is believed only when it has
// answered a challenge: a random number that nobody could know before. From then on the sequence
// numbers of the session tell what is new, by unicast and multicast alike.
//
//   a datagram of an unknown session  ->  we answer Greeting{challenge}, by unicast
//   Greeting{challenge}               <-  is answered with Greeting{our challenge if any, echo}
//   Greeting{echo of our challenge}   ->  the session is alive: its datagrams are delivered
//
// Nothing but an authentic datagram is ever answered, and answers are limited in number, so that
// who replays in bulk is not given an echo in bulk.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conclave/core/time.hpp"
#include "conclave/wire/envelope.hpp"

namespace conclave::wire {

// The body of Kind::greeting. Zero stands for none; all zero is a hello, sent at the start.
struct Greeting {
    std::uint64_t challenge = 0;
    std::uint64_t echo = 0;
    bool operator==(const Greeting&) const = default;
};

// Remembers the last 64 sequence numbers; what is older counts as heard.
class Window {
public:
    static constexpr std::uint64_t width = 64;

    Window() = default;  // everything is new
    explicit Window(std::uint64_t first) : top_(first), heard_(~std::uint64_t{0}) {}
    bool take(std::uint64_t sequence);

private:
    std::uint64_t top_ = 0;
    std::uint64_t heard_ = 0;  // bit i: top_ - i was heard
};

class Sessions {
public:
    using Random = std::uint64_t (*)();

    struct Limits {
        std::size_t peers = 256;                                 // trusted or challenged
        Duration patience = std::chrono::milliseconds(20);       // between greetings to one session
        Duration challenge_life = std::chrono::seconds(1);       // an echo must come back within
        Duration silence = std::chrono::seconds(2);              // then a session counts as gone
        std::uint32_t answers = 64;                              // at once, and
        Duration answer_every = std::chrono::microseconds(500);  // one more, over time
    };

    // Who listens, as its own envelopes say it; `random` gives numbers that nobody can guess.
    Sessions(std::uint64_t id, std::uint64_t session, Random random)
        : Sessions(id, session, random, Limits{}) {}
    Sessions(std::uint64_t id, std::uint64_t session, Random random, Limits limits)
        : id_(id), session_(session), random_(random), limits_(limits), answers_(limits.answers) {}

    struct Verdict {
        std::optional<Drop> drop{};        // none: authentic, alive and new
        std::optional<Greeting> answer{};  // to be sent to where the datagram came from
        bool proved = false;               // with this datagram its session became trusted
    };
    // For every envelope that open() returned; a greeting is dealt with here and goes no further.
    Verdict judge(const Envelope& envelope, Time now);

    // The session of that id that is alive as far as we know.
    std::optional<std::uint64_t> trusted(std::uint64_t id) const;
    // The newest version that all who are kept in mind can open; while there is nobody, the oldest.
    std::uint8_t common(Versions versions) const;
    std::size_t size() const { return peers_.size(); }

private:
    struct Peer {
        std::uint64_t id, session;
        std::uint32_t incarnation;
        std::uint8_t newest;  // version that it can open
        bool trusted = false;
        Window window{};
        std::uint64_t challenge = 0;  // unanswered; 0: none
        Time challenged{}, greeted{}, echoed{}, heard{};
    };

    Verdict judge_trusted(Peer& peer, const Envelope& envelope, Time now);
    Verdict judge_stranger(const Envelope& envelope, Time now);
    std::optional<Greeting> greet(Peer& peer, const Greeting& heard, Time now);
    bool may_answer(Time now);
    bool outlived(const Envelope& envelope, Time now) const;
    void trust(Peer& peer, const Envelope& envelope, Time now);
    Peer* find(std::uint64_t id, std::uint64_t session);
    Peer* admit(const Envelope& envelope, Time now);

    std::uint64_t id_, session_;
    Random random_;
    Limits limits_;
    std::vector<Peer> peers_{};
    std::uint32_t answers_;  // that may leave now
    Time refilled_{};
};

}  // namespace conclave::wire
