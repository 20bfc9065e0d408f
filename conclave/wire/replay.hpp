// Which sessions are alive, where they are, and which of their datagrams are new.
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
// A source address proves nothing: anybody can repeat a multicast from its own. So a session is at
// a place only when it has answered a challenge that was sent there, and says in its sealed answer
// that there is where it was reached. Whoever relays challenges and answers gains nothing by that.
// An authentic datagram from elsewhere is heard, and its place is challenged; until the session has
// answered from the new place, it is where it was.
//
// Nothing but an authentic datagram is ever answered, and answers are limited in number, so that
// who replays in bulk is not given an echo in bulk.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "conclave/core/time.hpp"
#include "conclave/wire/envelope.hpp"

namespace conclave::wire {

// An address and a port, as the wire carries them.
struct Place {
    std::uint8_t family = 0;  // 4 or 6; 0: no place
    std::array<std::uint8_t, 16> bytes{};
    std::uint16_t port = 0;
    // Of a link-local address: the interface. Each machine counts its own, so it is 0 on the wire
    // and tells no two places apart.
    std::uint32_t scope = 0;

    bool operator==(const Place& other) const {
        return family == other.family && bytes == other.bytes && port == other.port;
    }
    Place on_wire() const { return {family, bytes, port, 0}; }
};

// The body of Kind::greeting. Zero stands for none; all zero is a hello, sent at the start.
struct Greeting {
    std::uint64_t challenge = 0;
    std::uint64_t echo = 0;
    Place reached{};  // with an echo: where the challenge reached the sender
    bool operator==(const Greeting&) const = default;
};

// How a datagram came. A receiver that knows nothing of places leaves all of it empty.
struct Arrived {
    Place from{};        // by the word of the network
    Place at{};          // the own address that it was sent to
    bool named = false;  // an operator gave `from` as a member's address
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
        Duration patience = std::chrono::milliseconds(20);       // between greetings to one place
        Duration move_patience = std::chrono::seconds(1);        // ... that a trusted one came from
        Duration challenge_life = std::chrono::seconds(1);       // an echo must come back within
        Duration silence = std::chrono::seconds(2);              // then a session counts as gone
        std::uint32_t answers = 64;                              // at once, and
        Duration answer_every = std::chrono::microseconds(500);  // one more, over time
    };

    // The listener, as its own envelopes name it; `random` gives numbers that nobody can guess.
    Sessions(std::uint64_t id, std::uint64_t session, Random random)
        : Sessions(id, session, random, Limits{}) {}
    Sessions(std::uint64_t id, std::uint64_t session, Random random, Limits limits)
        : id_(id), session_(session), random_(random), limits_(limits), answers_(limits.answers) {}

    struct Verdict {
        std::optional<Drop> drop{};        // none: authentic, alive and new
        std::optional<Greeting> answer{};  // to be sent to where the datagram came from
        bool proved = false;               // with this datagram its session became trusted
        bool alive = false;                // it has just answered a challenge
        Place place{};                     // where the session is; only if nothing was dropped
    };
    // For every envelope that open() returned; a greeting is dealt with here and goes no further.
    Verdict judge(const Envelope& envelope, Time now, const Arrived& arrived = {});

    // Is the trusted session of that id still alive? To be sent to `place`.
    struct Probe {
        Greeting greeting;
        Place place;
    };
    std::optional<Probe> probe(std::uint64_t id, Time now);

    // The session of that id that is alive as far as we know.
    std::optional<std::uint64_t> trusted(std::uint64_t id) const;
    // The newest version that all who are kept in mind can open; while there is nobody, the oldest.
    std::uint8_t common(Versions versions) const;
    std::size_t size() const { return peers_.size(); }

private:
    // A place that a session is said to be at, and what was sent there.
    struct Lead {
        Place place{};
        bool named = false;
        std::uint64_t challenge = 0;  // unanswered; 0: none
        Time challenged{}, greeted{}, echoed{};
        bool is_open(Time now, Duration life) const {
            return challenge != 0 && now - challenged <= life;
        }
    };
    struct Peer {
        std::uint64_t id, session;
        std::uint32_t incarnation;
        std::uint8_t newest;  // version that it can open
        bool trusted = false;
        Place place{};  // once trusted
        bool named = false;
        Window window{};
        std::array<Lead, 4> leads{};  // somebody who repeats from elsewhere takes one of them
        Time heard{};
    };

    Verdict judge_trusted(Peer& peer, const Envelope& envelope, const Arrived& arrived, Time now);
    Verdict judge_stranger(const Envelope& envelope, const Arrived& arrived, Time now);
    std::optional<Greeting> greet(Peer& peer, const Greeting& heard, const Arrived& arrived,
                                  Time now);
    static Lead& lead_to(Peer& peer, const Place& place, bool named);
    bool is_answered(Peer& peer, const Greeting& greeting, Time now) const;
    void challenge(Lead& lead, Time now);
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
