// Every way of breaking TEMPO is noticed: small scenes, each with the messages that it takes and
// the master that it ends with.
#include <map>

#include "conclave/claims/tempo/tempo_scenes.hpp"
#include "tests/mutation/mutants.hpp"

namespace conclave::mutation {
namespace tempo_test {

using claims::tempo::crash_time;
using claims::tempo::settled;
using claims::tempo::with;
using namespace std::chrono_literals;

// Node 1 is the master of 2 and 3 until it crashes; then 3 stands.
Scenario three_stands(std::uint32_t nodes) {
    Scenario scenario = settled(nodes);
    scenario.crashes = {{Id{1}, crash_time}};
    scenario.calls = {{Id{3}, 2100ms}};
    return scenario;
}

// The scene up to `until` takes just these messages, and all follow this one in the end.
Promise takes(const std::string& sentence, Scenario scenario, Time until, Id leader,
              const std::string& messages) {
    scenario.until = until;
    return {sentence, [=](const Simulate& simulate) {
                const Outcome outcome = simulate(scenario);
                std::map<std::string_view, std::uint64_t> counts;
                for (const auto& [type, count] : outcome.by_type)
                    if (count != 0) counts[type] = count;
                std::string sent;
                for (const auto& [type, count] : counts)
                    sent += (sent.empty() ? "" : ", ") + std::string(type) + " " + text(count);
                const bool agreed = leader == nobody ? outcome.end == Outcome::End::leaderless
                                                     : outcome.violations.empty();
                return sent == messages && outcome.leader == leader && agreed;
            }};
}

void add_starts(Promises& list) {
    list.push_back(takes("alone: asks, waits twice, is the master", settled(1), 60ms, Id{1},
                         "Masterreq 1, Masterup 1"));
    list.push_back(takes("two join, and are adjusted for eight seconds", settled(3), 8100ms, Id{1},
                         "Ack 18, Masterack 2, Masterreq 3, Masterup 1, Slaveup 2, Sync 16"));
    Scenario yields = settled(2);
    yields.starts = {{Id{2}, 30ms}};
    list.push_back(takes("no master yields to a newcomer", yields, 100ms, Id{2},
                         "Masterreq 2, Masterup 1, Slaveup 1"));
    yields.starts = {{Id{2}, 2ms}};
    list.push_back(takes("no master yields to a master", yields, 55ms, Id{1},
                         "Masterreq 2, Masterup 1, Slaveup 1"));
    yields.starts = {{Id{2}, 40ms}};
    yields.cuts = {{Id{2}, Id{1}, {40ms, 41ms}}};
    list.push_back(takes("start-up hears a new master", yields, 60ms, Id{1},
                         "Masterreq 2, Masterup 1, Slaveup 1"));
    list.push_back(takes("a question is repeated", with(settled(1), "masterreq", "repeated"), 60ms,
                         Id{1}, "Masterreq 5, Masterup 1"));
    Scenario together = with(settled(2), "at-startup", "keep");
    together.starts = {{Id{2}, 500us}};
    list.push_back(
        takes("two that hear each other start are slaves", together, 60ms, nobody, "Masterreq 2"));
    Scenario elect = settled(3);
    elect.crashes = {{Id{1}, crash_time}};
    elect.starts[1].at = 3000ms;
    elect.calls = {{Id{2}, 3045ms}};
    list.push_back(
        takes("no master yields to a candidate", elect, 3070ms, Id{2},
              "Ack 3, Election 1, Masterack 1, Masterreq 3, Masterup 2, Slaveup 2, Sync 2"));
    Scenario keeping = with(with(elect, "at-startup", "keep"), "candidate", "40ms");
    keeping.calls = {{Id{2}, 3010ms}};
    list.push_back(
        takes("a newcomer that hears a candidate is a slave", keeping, 3070ms, Id{2},
              "Ack 3, Election 1, Masterack 1, Masterreq 3, Masterup 2, Slaveup 2, Sync 2"));
    Scenario late = settled(2);
    late.links = {{Id{1}, Id{2}, {.low = 27ms}}};
    list.push_back(takes("no master hears that there is a master", late, 160ms, Id{1},
                         "Ack 5, Masterack 5, Masterreq 2, Masterup 1, Slaveup 1"));
    Scenario announced = with(settled(2), "announce", "1s");
    announced.starts = {{Id{2}, 1045ms}};
    list.push_back(takes("a master announces itself to who still looks for a second", announced,
                         1055ms, Id{1}, "Ack 1, Masterack 1, Masterreq 2, Masterup 2, Slaveup 1"));
}

void add_elections(Promises& list) {
    Scenario scenario = settled(3);
    scenario.crashes = {{Id{1}, crash_time}};
    list.push_back(takes(
        "the shortest timer wins: 3N-1", scenario, 4200ms, Id{2},
        "Accept 1, Ack 7, Election 1, Masterack 2, Masterreq 3, Masterup 2, Slaveup 3, Sync 4"));
    list.push_back(takes(
        "who is called stands", three_stands(3), 2150ms, Id{3},
        "Accept 1, Ack 7, Election 1, Masterack 2, Masterreq 3, Masterup 2, Slaveup 3, Sync 4"));
    scenario = three_stands(3);
    scenario.cuts = {{Id{3}, Id{2}, {2110ms, 2120ms}}};
    list.push_back(takes(
        "who accepted is on the list, though it missed Masterup", scenario, 3140ms, Id{3},
        "Accept 1, Ack 8, Election 1, Masterack 2, Masterreq 3, Masterup 2, Slaveup 2, Sync 5"));
    scenario.links = {{Id{2}, Id{3}, {.low = 13ms}}};
    scenario.cuts = {{Id{3}, Id{2}, {2110ms, 2113ms}}};
    list.push_back(takes(
        "... even if its Accept came late", scenario, 3140ms, Id{3},
        "Accept 2, Ack 10, Election 1, Masterack 2, Masterreq 3, Masterup 2, Slaveup 2, Sync 6"));
    scenario = three_stands(3);
    scenario.cuts = {{Id{3}, Id{2}, {2099ms, 2105ms}}};
    list.push_back(
        takes("who missed Election hears Masterup", scenario, 2150ms, Id{3},
              "Ack 6, Election 1, Masterack 2, Masterreq 3, Masterup 2, Slaveup 3, Sync 4"));
    scenario = three_stands(3);
    scenario.duplication.of_2_32 = std::uint64_t{1} << 32;
    list.push_back(takes(
        "a duplicate is no second candidate", scenario, 2150ms, Id{3},
        "Accept 2, Ack 20, Election 1, Masterack 4, Masterreq 3, Masterup 2, Slaveup 4, Sync 4"));
    scenario = three_stands(3);
    scenario.crashes.push_back({Id{3}, 2105ms});
    list.push_back(takes(
        "who accepted a candidate that crashed is free again", scenario, 7s, Id{2},
        "Accept 1, Ack 7, Election 2, Masterack 2, Masterreq 3, Masterup 2, Slaveup 2, Sync 4"));
}

void add_rivals(Promises& list) {
    Scenario scenario = three_stands(3);
    scenario.calls.push_back({Id{2}, 2100ms});
    list.push_back(takes(
        "two candidates of two refuse each other: 4N-2", scenario, 2150ms, nobody,
        "Ack 8, Election 2, Masterack 2, Masterreq 3, Masterup 1, Refuse 2, Slaveup 2, Sync 4"));
    scenario = three_stands(4);
    scenario.calls.push_back({Id{2}, 2105ms});
    scenario.cuts = {{Id{3}, Id{2}, {2100ms, 2101ms}}};
    list.push_back(takes("who missed the Election is refused by all", scenario, 2150ms, Id{3},
                         "Accept 1, Ack 12, Election 2, Masterack 3, Masterreq 4, Masterup 2, "
                         "Refuse 2, Slaveup 5, Sync 6"));
    scenario = settled(3);
    scenario.calls = {{Id{3}, 2100ms}};
    list.push_back(takes("the master cuts an election short", scenario, 2150ms, Id{1},
                         "Accept 1, Ack 8, Election 1, Masterack 2, Masterreq 3, Masterup 1, "
                         "Quit 1, Slaveup 2, Sync 4"));
    scenario = settled(3);
    scenario.calls = {{Id{3}, 2050500us}};
    scenario.cuts = {{Id{3}, Id{1}, {2050ms, 2051ms}}};
    list.push_back(takes(
        "who is adjusted withdraws", scenario, 2100ms, Id{1},
        "Accept 1, Ack 7, Election 1, Masterack 2, Masterreq 3, Masterup 1, Slaveup 2, Sync 4"));
    scenario = settled(3);
    scenario.crashes = {{Id{1}, crash_time}};
    scenario.starts[1].at = 3s;
    scenario.calls = {{Id{2}, 3050500us}};
    list.push_back(takes(
        "a candidate joins a new master", scenario, 3100ms, Id{3},
        "Ack 4, Election 1, Masterack 1, Masterreq 3, Masterup 2, Quit 1, Slaveup 2, Sync 2"));
    scenario = settled(3);
    scenario.crashes = {{Id{3}, 2500ms}};
    list.push_back(takes("who does not acknowledge is struck off", scenario, 5100ms, Id{1},
                         "Ack 9, Masterack 2, Masterreq 3, Masterup 1, Slaveup 2, Sync 12"));
    scenario = settled(3);
    scenario.cuts = {{Id{1}, Id{3}, {2050ms, 2051ms}}};
    list.push_back(takes("what is lost is repeated", scenario, 2100ms, Id{1},
                         "Ack 6, Masterack 2, Masterreq 3, Masterup 1, Slaveup 2, Sync 5"));
}

// 1 and 2 are masters, 3 follows 2; 4 comes up later and may tell.
Scenario two_masters() {
    Scenario scenario = settled(4);
    scenario.partitions = {{{{Id{2}, Id{3}}}, {2060ms, 6s}}};
    scenario.calls = {{Id{2}, 2100ms}};
    scenario.starts[2].at = 8s;
    return scenario;
}

void add_masters(Promises& list) {
    Scenario scenario = settled(3);
    scenario.starts = {{Id{2}, 0ms}, {Id{3}, 0ms}};
    list.push_back(takes("three masters at once all quit", scenario, 200ms, nobody,
                         "Ack 6, Masterreq 3, Masterup 3, Quit 6"));
    list.push_back(takes("a newcomer reports the conflict", two_masters(), 8100ms, Id{1},
                         "Accept 1, Ack 20, Conflict 1, Election 1, Masterack 5, Masterreq 4, "
                         "Masterup 3, Quit 1, Resolve 1, Slaveup 7, Sync 22"));
    list.push_back(takes("masters that announce themselves need no newcomer",
                         with(two_masters(), "announce", "1500ms"), 7900ms, Id{2},
                         "Accept 1, Ack 15, Election 1, Masterack 2, Masterreq 3, Masterup 10, "
                         "Quit 1, Slaveup 12, Sync 21"));
    // In a conflict that lasts 1.5 s a slave stands, another dies, a newcomer comes.
    scenario = with(two_masters(), "conflict", "1500ms");
    list.push_back(takes("a master in conflict adjusts its slaves", scenario, 9800ms, Id{1},
                         "Accept 1, Ack 19, Conflict 1, Election 1, Masterack 5, Masterreq 4, "
                         "Masterup 3, Quit 1, Resolve 1, Slaveup 7, Sync 21"));
    scenario.calls.push_back({Id{4}, 8200ms});
    list.push_back(takes("... cuts an election short", scenario, 9800ms, Id{1},
                         "Accept 3, Ack 22, Conflict 1, Election 2, Masterack 5, Masterreq 4, "
                         "Masterup 3, Quit 2, Resolve 1, Slaveup 7, Sync 21"));
    scenario.calls.pop_back();
    scenario.crashes = {{Id{4}, 8020ms}};
    list.push_back(takes("... strikes off who does not acknowledge", scenario, 9800ms, Id{1},
                         "Accept 1, Ack 17, Conflict 1, Election 1, Masterack 5, Masterreq 4, "
                         "Masterup 3, Quit 1, Resolve 1, Slaveup 6, Sync 24"));
    scenario = with(settled(5), "conflict", "1500ms");
    scenario.partitions = two_masters().partitions;
    scenario.calls = two_masters().calls;
    scenario.starts[2].at = 8s;
    scenario.starts[3].at = 8100ms;
    list.push_back(takes("... and admits newcomers", scenario, 9800ms, Id{1},
                         "Accept 1, Ack 21, Conflict 1, Election 1, Masterack 6, Masterreq 5, "
                         "Masterup 3, Quit 1, Resolve 1, Slaveup 9, Sync 22"));
    // Two newcomers, each nearer to another master.
    scenario = settled(5);
    scenario.partitions = two_masters().partitions;
    scenario.calls = two_masters().calls;
    scenario.starts[2].at = 8s;
    scenario.starts[3].at = 8000100us;
    scenario.links = {{Id{2}, Id{4}, {.low = 2ms}}, {Id{1}, Id{5}, {.low = 2ms}}};
    list.push_back(takes("two newcomers make both masters quit", scenario, 8100ms, nobody,
                         "Accept 1, Ack 22, Conflict 2, Election 1, Masterack 8, Masterreq 5, "
                         "Masterup 2, Quit 2, Resolve 2, Slaveup 5, Sync 19"));
}

void add_options(Promises& list) {
    Scenario scenario = with(settled(3), "deputy", "on");
    scenario.crashes = {{Id{1}, 2500ms}};
    list.push_back(takes("a deputy stands at r", scenario, 3600ms, Id{2},
                         "Accept 1, Ack 7, Deputy 2, Election 1, Masterack 2, Masterreq 3, "
                         "Masterup 2, Slaveup 3, Sync 2"));
    scenario.detector.on = true;
    list.push_back(takes("a deputy stands when the master is suspected", scenario, 2530ms, Id{2},
                         "Accept 1, Ack 7, Deputy 2, Election 1, Masterack 2, Masterreq 3, "
                         "Masterup 2, Slaveup 3, Sync 2"));
    // The accept timer outlasts r: adjustments count, and an election timer is not lost.
    scenario = three_stands(3);
    scenario.settings.insert(scenario.settings.end(),
                             {{"accept", "1900ms"}, {"r", "1950ms"}, {"R", "0s"}});
    list.push_back(takes(
        "who accepted hears adjustments", scenario, 4200ms, Id{3},
        "Accept 1, Ack 9, Election 1, Masterack 2, Masterreq 3, Masterup 2, Slaveup 3, Sync 6"));
    list.push_back(takes("... also as a deputy", with(scenario, "deputy", "on"), 4200ms, Id{3},
                         "Accept 1, Ack 9, Deputy 4, Election 1, Masterack 2, Masterreq 3, "
                         "Masterup 2, Slaveup 3, Sync 2"));
    scenario = with(three_stands(3), "accept", "4s");
    scenario.crashes.push_back({Id{3}, 2105ms});
    list.push_back(takes(
        "an election timer survives Accept", scenario, 12s, Id{2},
        "Accept 1, Ack 7, Election 2, Masterack 2, Masterreq 3, Masterup 2, Slaveup 2, Sync 4"));
}

Promises all_promises() {
    Promises list;
    add_starts(list);
    add_elections(list);
    add_rivals(list);
    add_masters(list);
    add_options(list);
    return list;
}

TEST(Mutants, of_tempo_are_killed) {
    // No timer is read in any state but its own, and entering that state sets it anew.
    const auto idle = [](const std::string& states) {
        return "left running it expires in vain: only " + states + " hears it, and sets it first";
    };
    expect_killed(
        "tempo", all_promises(),
        {{"never stop AskTimer", "nothing ever stops it"},
         {"never stop StartupTimer", "only start-up hears it, and is never entered again"},
         {"never stop NoMasterTimer", "only no master hears it; nothing leads back there"},
         {"never stop ConsistencyTimer", "only consistency hears it; likewise"},
         {"never stop ElectionTimer", idle("a slave")},
         {"never stop CandidateTimer", idle("a candidate")},
         {"never stop AcceptTimer", "nothing ever stops it"},
         {"never stop ConflictTimer", idle("a master in conflict")},
         {"never stop SyncTimer", idle("a master")},
         {"never stop AnnounceTimer", idle("a master")},
         {"never stop Resend", "it finds nothing to repeat"}});
}

}  // namespace tempo_test
}  // namespace conclave::mutation
