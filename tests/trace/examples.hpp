// Small traces made by hand, as a simulator would leave them behind: a send is followed by its
// arrival or its loss, and whatever an event causes comes right after it.
#pragma once

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "conclave/trace/record.hpp"

namespace conclave::trace {

using namespace std::chrono_literals;

// Writes a trace down in the order of time, one call for each thing that happens.
class Scribe {
public:
    Scribe(std::string title, std::uint32_t nodes) {
        trace.title = std::move(title);
        for (std::uint32_t id = 1; id <= nodes; ++id) trace.nodes.push_back(Id{id});
    }

    void at(Time time) { now_ = time; }
    void note(std::uint32_t node, Kind kind, std::string text = {}) {
        trace.add(now_, kind, Id{node}, nobody, 0, std::move(text));
    }
    void about(std::uint32_t node, Kind kind, std::uint32_t other) {
        trace.add(now_, kind, Id{node}, Id{other});
    }
    void start_all() {
        for (const Id id : trace.nodes) trace.add(now_, Kind::start, id);
    }
    std::uint64_t send(std::uint32_t from, std::uint32_t to, std::string text) {
        trace.add(now_, Kind::send, Id{from}, Id{to}, ++flights_, std::move(text));
        sends_.push_back(trace.records.back());
        return flights_;
    }
    // The numbers of the copies, in the order of the ids.
    std::vector<std::uint64_t> broadcast(std::uint32_t from, const std::string& text) {
        trace.add(now_, Kind::send, Id{from}, everyone, 0, text);
        std::vector<std::uint64_t> copies;
        for (const Id id : trace.nodes)
            if (id != Id{from}) copies.push_back(send(from, static_cast<std::uint32_t>(id), text));
        return copies;
    }
    void arrive(std::uint64_t flight) {
        const Record& sent = sends_[flight - 1];
        trace.add(now_, Kind::arrive, sent.other, sent.node, flight, sent.text);
    }
    void lose(std::uint64_t flight, std::string why) {
        const Record& sent = sends_[flight - 1];
        trace.add(now_, Kind::lose, sent.other, sent.node, flight, std::move(why));
    }
    void world(Kind kind, std::string text) {
        trace.add(now_, kind, nobody, nobody, 0, std::move(text));
    }

    Trace trace;

private:
    Time now_{};
    std::uint64_t flights_ = 0;
    std::vector<Record> sends_;
};

// Chang & Roberts on the ring 1, 2, 3; node 1 calls the election.
inline Trace ring_election() {
    Scribe s("chang-roberts, 3 nodes", 3);
    s.start_all();
    s.note(1, Kind::call);
    s.note(1, Kind::state, "participating");
    auto flight = s.send(1, 2, "Election(1)");
    s.at(1ms), s.arrive(flight), s.note(2, Kind::state, "participating");
    flight = s.send(2, 3, "Election(2)");
    s.at(2ms), s.arrive(flight), s.note(3, Kind::state, "participating");
    flight = s.send(3, 1, "Election(3)");
    s.at(3ms), s.arrive(flight);
    flight = s.send(1, 2, "Election(3)");
    s.at(4ms), s.arrive(flight);
    flight = s.send(2, 3, "Election(3)");
    s.at(5ms), s.arrive(flight), s.about(3, Kind::follow, 3);
    flight = s.send(3, 1, "Elected(3)");
    s.at(6ms), s.arrive(flight), s.note(1, Kind::state, "idle"), s.about(1, Kind::follow, 3);
    flight = s.send(1, 2, "Elected(3)");
    s.at(7ms), s.arrive(flight), s.note(2, Kind::state, "idle"), s.about(2, Kind::follow, 3);
    flight = s.send(2, 3, "Elected(3)");
    s.at(8ms), s.arrive(flight), s.note(3, Kind::state, "idle");
    return s.trace;
}

// The bully: 5 leads and crashes, 3 notices, 4 takes over; at last 5 comes back and bullies.
inline Trace bully_crash() {
    Scribe s("bully, 5 nodes, 5 crashes and comes back", 5);
    s.start_all();
    s.at(1ms), s.about(5, Kind::follow, 5);
    auto copies = s.broadcast(5, "Coordinator(5)");
    s.at(2ms);
    for (std::uint32_t id = 1; id <= 4; ++id)
        s.arrive(copies[id - 1]), s.about(id, Kind::follow, 5);
    s.at(50ms), s.note(5, Kind::crash);
    s.at(60ms), s.about(3, Kind::suspect, 5), s.note(3, Kind::state, "electing");
    auto to_4 = s.send(3, 4, "Election"), to_5 = s.send(3, 5, "Election");
    s.at(61ms), s.arrive(to_4), s.note(4, Kind::state, "electing");
    auto answer = s.send(4, 3, "Answer"), again = s.send(4, 5, "Election");
    s.lose(to_5, "down");
    s.at(62ms), s.arrive(answer), s.note(3, Kind::state, "waiting");
    s.lose(again, "down");
    s.at(65ms), s.note(4, Kind::timer, "AnswerTimeout"), s.about(4, Kind::follow, 4);
    s.note(4, Kind::state, "leading");
    copies = s.broadcast(4, "Coordinator(4)");
    s.at(66ms);
    for (std::uint32_t id = 1; id <= 3; ++id)
        s.arrive(copies[id - 1]), s.about(id, Kind::follow, 4);
    s.lose(copies[3], "down");
    s.note(3, Kind::state, "idle");
    s.at(200ms), s.note(5, Kind::recover), s.about(5, Kind::follow, 5);
    copies = s.broadcast(5, "Coordinator(5)");
    s.at(201ms);
    for (std::uint32_t id = 1; id <= 4; ++id)
        s.arrive(copies[id - 1]), s.about(id, Kind::follow, 5);
    s.note(4, Kind::state, "idle");
    return s.trace;
}

// A leader on either side of a partition, and what becomes of them when it heals.
inline Trace partition_heal() {
    Scribe s("tempo, 4 nodes, partition from 10ms to 40ms", 4);
    s.start_all();
    s.about(1, Kind::follow, 1);
    for (std::uint32_t id = 2; id <= 4; ++id) s.about(id, Kind::follow, 1);
    s.at(10ms), s.world(Kind::network, "partition 1,2 | 3,4");
    s.at(15ms);
    auto copies = s.broadcast(1, "Sync");
    s.lose(copies[1], "partition"), s.lose(copies[2], "partition");
    s.at(16ms), s.arrive(copies[0]);
    s.at(25ms), s.note(3, Kind::timer, "ElectionTimer"), s.note(3, Kind::state, "candidate");
    copies = s.broadcast(3, "Candidate");
    s.lose(copies[0], "partition"), s.lose(copies[1], "partition");
    s.at(26ms), s.arrive(copies[2]);
    auto accept = s.send(4, 3, "Accept");
    s.at(27ms), s.arrive(accept), s.note(3, Kind::state, "master"), s.about(3, Kind::follow, 3);
    s.world(Kind::violation, "one leader: 1 and 3 both lead");
    auto up = s.send(3, 4, "MasterUp(3)");
    s.at(28ms), s.arrive(up), s.about(4, Kind::follow, 3);
    s.at(40ms), s.world(Kind::network, "heal");
    s.at(45ms);
    copies = s.broadcast(1, "Sync");
    s.at(46ms);
    for (const auto copy : copies) s.arrive(copy);
    auto conflict = s.send(3, 1, "Conflict");
    s.at(47ms), s.arrive(conflict);
    auto quit = s.send(1, 3, "Quit");
    s.at(48ms), s.arrive(quit), s.note(3, Kind::state, "slave"), s.about(3, Kind::follow, 1);
    auto stray = s.send(3, 4, "Quit");
    s.at(49ms), s.arrive(stray), s.about(4, Kind::follow, 1);
    return s.trace;
}

// A message that gets lost on its way and is repeated; another is still on its way at the end.
inline Trace lost_message() {
    Scribe s("reliable link, 2 nodes, loss 30 %", 2);
    s.start_all();
    const auto first = s.send(1, 2, "Election(1)");
    s.at(1500us), s.lose(first, "loss");
    s.at(10ms), s.note(1, Kind::timer, "Resend");
    const auto second = s.send(1, 2, "Election(1)");
    s.at(11500us), s.arrive(second);
    s.send(2, 1, "Ack");
    return s.trace;
}

// One broadcast to five nodes from the middle; one copy is lost, one arrives late.
inline Trace broadcast_all() {
    Scribe s("broadcast, 6 nodes", 6);
    s.start_all();
    s.note(3, Kind::state, "candidate");
    const auto copies = s.broadcast(3, "Hello(3)");
    s.at(1ms);
    for (const std::uint32_t copy : {0u, 1u, 2u}) s.arrive(copies[copy]);
    s.lose(copies[3], "loss");
    s.at(1250us), s.arrive(copies[4]);
    return s.trace;
}

// A leader that sleeps too long finds another in its place.
inline Trace pause_zombie() {
    Scribe s("a paused leader comes back, 3 nodes", 3);
    s.about(3, Kind::follow, 3);
    s.at(5ms), s.note(3, Kind::pause);
    s.at(30ms), s.about(2, Kind::suspect, 3), s.note(2, Kind::store, "Term(2)");
    s.about(2, Kind::follow, 2);
    const auto copies = s.broadcast(2, "Coordinator(2)");
    s.at(31ms), s.arrive(copies[0]), s.about(1, Kind::follow, 2);
    s.at(60ms), s.note(3, Kind::resume), s.note(3, Kind::report, "slept for 55ms");
    s.about(2, Kind::trust, 3);
    s.arrive(copies[1]), s.about(3, Kind::follow, 2);
    s.at(61ms), s.arrive(s.send(3, 3, "Tick")), s.note(1, Kind::call);
    s.at(70ms), s.about(1, Kind::follow, 0);
    return s.trace;
}

// One broadcast, its answers, a crash and a partition among many.
inline Trace big_broadcast(std::uint32_t nodes) {
    Scribe s("tempo, " + std::to_string(nodes) + " nodes", nodes);
    s.start_all();
    s.at(20ms), s.note(7, Kind::timer, "ElectionTimer"), s.note(7, Kind::state, "candidate");
    auto copies = s.broadcast(7, "Candidate");
    std::vector<std::uint64_t> answers;
    s.at(21ms);
    for (std::size_t i = 0; i + 1 < copies.size(); ++i) {
        s.arrive(copies[i]);
        answers.push_back(s.send(static_cast<std::uint32_t>(i < 6 ? i + 1 : i + 2), 7, "Accept"));
    }
    s.lose(copies.back(), "loss");
    s.at(22ms);
    for (const auto answer : answers) s.arrive(answer);
    s.note(7, Kind::state, "master"), s.about(7, Kind::follow, 7);
    copies = s.broadcast(7, "MasterUp");
    s.at(23ms);
    for (std::uint32_t id = 1; id <= nodes; ++id) {
        if (id == 7) continue;
        s.arrive(copies[id < 7 ? id - 1 : id - 2]), s.about(id, Kind::follow, 7);
    }
    s.at(30ms), s.world(Kind::network, "partition 1,2,3,4,5 | 6,7,8,9,10");
    s.at(40ms), s.note(7, Kind::crash);
    s.world(Kind::violation,
            "agreement: a text that is so long that it needs a second line, as people like to "
            "explain at length what went wrong");
    return s.trace;
}

inline Trace crowded_instant(std::uint32_t nodes, std::size_t events) {
    std::mt19937_64 random(1);
    Scribe s("everything at once", nodes);
    for (std::size_t i = 0; i < events; ++i) {
        const auto from = static_cast<std::uint32_t>(1 + random() % nodes);
        const auto to = static_cast<std::uint32_t>(1 + random() % nodes);
        s.arrive(s.send(from, to, std::to_string(i)));
        s.note(to, Kind::state, std::to_string(i));
    }
    return s.trace;
}

// Everything that can stand in a trace, in no sensible order, with texts that are no fun to print.
inline Trace random_trace(std::uint64_t seed, std::uint32_t nodes, std::size_t events) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t n) { return random() % n; };
    const std::vector<std::string> texts{"Hello",
                                         "",
                                         "A message that is longer than any gap (1, 2, 3)",
                                         "選挙(7)",
                                         "na\u0308iv",
                                         "bro\xff\xc3ken",
                                         "\x1b[31mred\r\n;#<b>\"\\",
                                         "{}|"};
    Scribe s("random; " + texts[below(texts.size())], nodes);
    std::vector<std::uint64_t> on_the_way;
    for (std::size_t i = 0; i < events; ++i) {
        s.at(Time{static_cast<std::int64_t>(i / 3 * 700'001 * (1 + seed % 3 * 1000))});
        const auto node = static_cast<std::uint32_t>(1 + below(nodes));
        const auto other = static_cast<std::uint32_t>(1 + below(nodes));
        const std::string& text = texts[below(texts.size())];
        if (const std::uint64_t what = below(10); what < 3) {
            on_the_way.push_back(s.send(node, other, text));
        } else if (what == 3) {
            for (const auto copy : s.broadcast(node, text)) on_the_way.push_back(copy);
        } else if (what < 7 && !on_the_way.empty()) {
            const std::size_t which = below(on_the_way.size());
            if (what < 6)
                s.arrive(on_the_way[which]);
            else
                s.lose(on_the_way[which], texts[below(texts.size())]);
            on_the_way.erase(on_the_way.begin() + static_cast<std::ptrdiff_t>(which));
        } else {
            const auto kind = static_cast<Kind>(below(18));
            if (kind == Kind::send || kind == Kind::arrive || kind == Kind::lose) continue;
            const bool about = kind == Kind::follow || kind == Kind::suspect || kind == Kind::trust;
            if (kind == Kind::network || kind == Kind::violation)
                s.world(kind, text);
            else if (about)
                s.about(node, kind, below(4) == 0 ? node : below(4) == 0 ? 0 : other);
            else
                s.note(node, kind, text);
        }
    }
    return s.trace;
}

}  // namespace conclave::trace
