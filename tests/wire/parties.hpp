// Two parties, and a network that keeps everything.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "conclave/wire/replay.hpp"

namespace conclave::wire {

using namespace std::chrono_literals;

inline std::uint64_t next_number() {  // as good as random here: no two are equal
    static std::uint64_t number = 1000;
    return ++number;
}

// One process: its id survives, its session does not.
struct Party {
    std::uint64_t id;
    std::uint32_t incarnation = 1;
    std::uint64_t session = next_number();
    std::uint64_t sequence = 0;
    Sessions sessions{id, session, next_number};
    Place place{.family = 4, .port = static_cast<std::uint16_t>(id)};

    Envelope say(Kind kind = Kind::agent, Bytes body = {}) {
        return {.kind = kind,
                .sender = id,
                .session = session,
                .incarnation = incarnation,
                .sequence = ++sequence,
                .body = std::move(body)};
    }
    Envelope greet(const Greeting& greeting) {
        Bytes body;
        encode(greeting, body);
        return say(Kind::greeting, body);
    }
    Envelope hello() { return greet({}); }
    Party restarted() const { return Party{id, incarnation + 1}; }
    bool trusts(const Party& other) const { return sessions.trusted(other.id) == other.session; }
};

struct Network {
    Time now = 1s;
    std::vector<Envelope> recorded;

    // Delivers, then whatever is said in answer, until nobody has anything to say.
    std::optional<Drop> pass(Envelope first, Party& from, Party& to) {
        std::optional<Drop> result;
        struct Flight {
            Envelope envelope;
            Party *from, *to;
        };
        std::deque<Flight> flights{{std::move(first), &from, &to}};
        for (int passed = 0; !flights.empty() && passed < 20; ++passed) {
            const Flight flight = flights.front();
            flights.pop_front();
            recorded.push_back(flight.envelope);
            now += 100us;
            const auto verdict = flight.to->sessions.judge(
                flight.envelope, now, {.from = flight.from->place, .at = flight.to->place});
            if (passed == 0) result = verdict.drop;
            if (verdict.answer)
                flights.push_back({flight.to->greet(*verdict.answer), flight.to, flight.from});
        }
        EXPECT_TRUE(flights.empty()) << "they greet each other without end";
        return result;
    }
};

}  // namespace conclave::wire
