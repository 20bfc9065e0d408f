// Everything that must run in a browser, in one program: each algorithm takes a turn, and its
// messages go through bytes and text, and so does a whole member; a master corrects a slave's
// clock.
#include <cstdio>

#include "conclave/algorithms.hpp"
#include "conclave/clock/master.hpp"
#include "conclave/core/around.hpp"
#include "conclave/core/key.hpp"
#include "conclave/core/settings.hpp"
#include "conclave/core/table.hpp"
#include "conclave/member/member.hpp"

namespace {

using namespace conclave;

struct Lowest final : Chance {
    std::uint64_t choose(std::uint64_t) override { return 0; }
};

template <class A>
bool takes_turns() {
    using Turn = typename A::Turn;
    const std::vector<Id> ring{Id{1}, Id{2}, Id{3}};
    const std::vector<std::uint32_t> place{0, 1, 2};
    const Group group{ring, place, {}};
    typename Turn::Effects effects;
    typename Turn::Settings settings{};
    Lowest chance;
    Rows rows;
    Turn turn{effects, settings, group, chance, rows, Id{1}, Id{2}};
    A node{};
    offer(node, Start{}, turn);
    offer(node, Call{}, turn);
    for (const std::string& line : describe<typename Turn::Timers>(effects))
        std::printf("%s: %s\n", A::card.name.data(), line.c_str());
    for (const auto& send : effects.sends) {
        Bytes bytes;
        encode(send.message, bytes);
        const auto back = decode_all<typename Turn::Message>(bytes);
        if (!back || !(*back == send.message)) return false;
    }
    return key_of(node, 0) == key_of(A{node}, 0) && !label_of(node).empty();
}

// A master measures a slave whose clock runs 43 ppm fast, through delays that differ.
bool keeps_time() {
    using namespace std::chrono_literals;
    clock::Keeper keeper, slave;
    clock::Master master(Id{1}, 0s, keeper);
    for (int i = 0; i < 100; ++i) {
        const Time at = i * 1s;
        const Duration offset = 20ms + clock::over(clock::ppm(43), at);
        const Duration there = 50us + i * i % 17 * 1us, back = 50us + i * i % 13 * 1us;
        const Time received = at + offset + there;
        if (const auto correction = master.correction_for(Id{2}, at))
            slave.hear(received, *correction);
        master.learn(Id{2}, {at, received, received, at + there + back}, slave.report(received));
        master.decide(at + 500ms, keeper);
    }
    std::printf("clock: %s\n", text(slave.read(120s)).c_str());
    return slave.is_set();
}

}  // namespace

int main() {
    bool good = parse_duration("250ms") == std::chrono::milliseconds{250};
    AllAlgorithms::for_each([&]<class A>() { good = takes_turns<A>() && good; });
    good = takes_turns<member::Member<Bully>>() && good;
    good = keeps_time() && good;
    return good ? 0 : 1;
}
