// Claims on TEMPO's states, on machines that come up, and on the message: T1, T2, T15, T18, T20.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "conclave/claims/tempo/tempo_claims.hpp"
#include "conclave/claims/tempo/tempo_scenes.hpp"
#include "conclave/claims/tempo/tempo_searches.hpp"
#include "conclave/claims/tempo/tempo_storms.hpp"
#include "conclave/simulator/simulation_engines.hpp"
#include "conclave/wire/tsp.hpp"

namespace conclave::claims::tempo {

namespace {

// The steps of sections 4, 5.1 to 5.3 and 6.1, in the order of 6.1.
constexpr std::array described{
    "startup + Start -> startup",
    "startup + Masterack -> consistency",
    "startup + AskTimer -> startup",
    "startup + StartupTimer -> no_master",
    "no_master + Masterreq -> slave",
    "no_master + Election -> slave",
    "no_master + Masterup -> slave",
    "no_master + NoMasterTimer -> master",
    "master + SyncTimer -> master",
    "master + Suspect -> master",
    "master + Slaveup -> master",
    "master + Masterreq -> master",
    "master + Resolve -> master",
    "master + Election -> master",
    "master + Conflict -> conflict",
    "master + Quit -> slave",
    "slave + Sync -> slave",
    "slave + Masterup -> slave",
    "slave + Election -> accept",
    "slave + ElectionTimer -> candidate",
    "candidate + Accept -> candidate",
    "candidate + Refuse -> slave",
    "candidate + Election -> candidate",
    "candidate + Quit -> slave",
    "candidate + CandidateTimer -> master",
    "accept + Election -> accept",
    "accept + Masterup -> accept",
    "accept + AcceptTimer -> slave",
    "conflict + Masterack -> conflict",
    "conflict + ConflictTimer -> master",
    "consistency + Masterack [guarded] -> slave",
    "consistency + ConsistencyTimer -> slave",
};

std::uint64_t rows_fired(const Scenario& scenario, Time until) {
    TempoStage stage(scenario);
    stage.run_until(until);
    return stage.look().rows_fired;
}

// The rows that no storm reaches: a call, a deputy with a detector, an accept timer longer than
// the election timer.
std::uint64_t rare_rows() {
    Scenario detected = with(bereft(4), "deputy", "on");
    detected.detector.on = true;
    Scenario patient = with(bereft(3), "accept", "4s");
    patient.calls = {{Id{3}, 2100ms}};
    patient.crashes.push_back({Id{3}, 2105ms});
    Scenario adjusted = with(bereft(3), "accept", "4s");
    adjusted.calls = {{Id{3}, 2100ms}};
    Scenario crossed = settled(4);  // two masters, and two newcomers that hear them in other orders
    crossed.starts = {{Id{3}, 200ms}, {Id{4}, 200100us}};
    crossed.partitions = {{{{Id{1}}}, {0ms, 100ms}}};
    crossed.links = {{Id{2}, Id{3}, {.low = 2ms}}, {Id{1}, Id{4}, {.low = 2ms}}};
    return rows_fired(crossed, 300ms) | rows_fired(detected, 3s) | rows_fired(patient, 12s) |
           rows_fired(adjusted, 5s) | rows_fired(with(adjusted, "deputy", "on"), 5s);
}

}  // namespace

Result show_states(const Effort& effort) {
    constexpr std::uint64_t storms = 2000;  // fewer miss some of the rarest rows
    const std::vector<std::string>& rows = simulator::find_engine("tempo")->rows;
    std::size_t present = 0;
    for (const std::string_view name : described)
        present += std::find(rows.begin(), rows.end(), name) != rows.end();
    std::uint64_t fired = rare_rows();
    for (std::uint64_t seed = 1; seed <= storms; ++seed)
        fired |= rows_fired(storm(seed, seed % 2 == 0), after_the_storm);
    for (std::uint64_t seed = 1; seed <= storms / 10; ++seed)
        fired |= rows_fired(with(with(storm(seed), "at-startup", "keep"), "masterreq", "repeated"),
                            after_the_storm);
    const auto firing = static_cast<std::size_t>(std::popcount(fired));
    const auto unreached = std::popcount(rows_never_fired(effort.threads));
    std::string silent;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if ((fired >> i & 1) == 0) silent += "; never: " + rows[i];
    const bool good = present == described.size() && firing == rows.size() && unreached == 0;
    return {.status = good ? Status::pass : Status::fail,
            .expected = std::to_string(described.size()) + " transitions described, all of " +
                        std::to_string(rows.size()) + " rows fire",
            .measured = std::to_string(present) + " described, " + std::to_string(firing) +
                        " fire" + silent +
                        "; not reached by the searches: " + std::to_string(unreached),
            .unit = "rows",
            .evidence =
                "Each transition that sections 4, 5 and 6.1 describe is looked up in the "
                "table by name; the other rows are our choices for cells that the text "
                "leaves open, and options. " +
                std::to_string(storms) +
                " storms and five scenes fired them, and so did seven searches of every run of "
                "two or three machines, under both readings of Start-up.",
            .exhibits = {},
            .plots = {}};
}

// ---------------------------------------------------------------- coming up

namespace {

Scenario two_starts(Duration offset, std::uint64_t seed = 1) {
    Scenario scenario = settled(2, seed);
    scenario.starts = {{Id{2}, offset}};
    return scenario;
}

// The first offset, in steps of 50 us, from which on there are never two masters.
Duration safe_offset(const Effort& effort, Duration delay) {
    Duration safe{};
    for (Duration offset{}; offset < 25ms; offset += 50us) {
        Scenario scenario = effort.read(two_starts(offset));
        scenario.delay.low = delay;
        if (two_masters(scenario, 200ms)) safe = offset + 50us;
    }
    return safe;
}

// One machine alone, and one that comes up while another waits in No Master.
bool start_as_printed(const Effort& effort) {
    TempoStage alone(effort.read(settled(1)));
    alone.run_until(50ms);
    TempoStage yields(effort.read(two_starts(30ms)));
    yields.run_until(100ms);
    return alone.masters().size() == 1 && yields.masters().ids == std::vector<Id>{Id{2}};
}

// Two that start at once with timers drawn over 250 delays: how often both become master.
std::uint64_t random_collisions(const Effort& effort, std::uint64_t runs) {
    std::uint64_t collided = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed)
        collided +=
            two_masters(effort.read(with(two_starts(0ms, seed), "startup-range", "250ms")), 400ms);
    return collided;
}

// The reaction of Start-up to what it hears decides everything else.
struct Starts {
    bool normal = false;
    Duration one{}, four{};  // two masters where two start within this, a message taking 1 or 4 ms
    std::uint64_t runs = 0, collided = 0;

    bool safe() const { return one == 0ms && four == 0ms && collided == 0; }
    // Up to a delay. A question that is repeated every 5 ms up to 20 ms also makes another yield if
    // its last copy arrives after that one's start-up timer of 25 ms.
    bool as_derived(bool repeated) const {
        const double formula = 1 - std::pow(1 - 1.0 / 250, 2);
        return one == 1ms && four == (repeated ? Duration{1050us} : Duration{4ms}) &&
               plausible(collided, runs, formula, 2.576);
    }
};

}  // namespace

Result show_starts(const Effort& effort) {
    const bool keeps = effort.reads("at-startup", "keep");
    Starts starts{start_as_printed(effort), safe_offset(effort, 1ms), safe_offset(effort, 4ms),
                  effort.runs(20'000)};
    starts.collided = random_collisions(effort, starts.runs);
    const bool good =
        starts.normal &&
        (keeps ? starts.safe() : starts.as_derived(effort.reads("masterreq", "repeated")));
    Result result{
        .status = !good   ? Status::fail
                  : keeps ? Status::pass
                          : Status::finding,
        .expected = "6.1: the master is whoever hears nothing (ours: never two of them)",
        .measured = keeps ? "never two, at any offset of two starts"
                          : "two, if two start within " + format_duration(starts.one) +
                                " (delay 1ms), " + format_duration(starts.four) + " (delay 4ms)",
        .unit = "",
        .evidence =
            "Alone, and with a newcomer during No Master, it goes as printed. Two machines with "
            "equal timers start at every offset up to 25 ms, in steps of 50 us, and " +
            std::to_string(starts.runs) +
            " times at once with start-up timers random over 250 delays: both became master in " +
            std::to_string(starts.collided) +
            (keeps ? ". A machine that heard another start is a slave and waits for its election "
                     "timer."
                   : " of these, as 1-(1-d/R)^2 says. Each makes the other quit, and an election "
                     "timer ends it."),
        .exhibits = {},
        .plots = {}};
    if (!keeps)
        result.exhibits.push_back(
            exhibit_of("Two machines start 0.5 ms apart; a message takes 1 ms.",
                       effort.read(two_starts(500us)), 0ms, 55ms));
    if (!effort.reads("masterreq", "once")) return result;  // the searches send every message once
    add_threshold(effort, start_offset(keeps), result);
    add_searches(effort, start_searches(keeps), result);
    return result;
}

Result show_newcomer(const Effort&) {
    Scenario scenario = settled(5);
    scenario.starts.back().at = 3s;
    TempoStage stage(scenario);
    stage.run_until(2999ms);
    const Outcome before = stage.look();
    stage.run_until(3030ms);
    const auto sent = sent_between(before, stage.look());
    const std::string expected = "Ack 1, Masterack 1, Masterreq 1, Slaveup 1";
    // A machine comes up in a group that the bully leads: not the highest, which would not ask.
    const simulator::Engine* bully = simulator::find_engine("bully");
    Scenario other;
    other.algorithm = "bully";
    other.initiators.who = simulator::Initiators::Who::first;
    other.order.how = simulator::Order::How::ascending;
    other.starts = {{Id{2}, 3s}};
    other.until = 4s;
    const Outcome with_newcomer = bully->simulate(other, {});
    other.starts = {{Id{2}, 5s}};
    const auto bullied = sent_between(bully->simulate(other, {}), with_newcomer);
    const bool good = describe(sent) == expected && stage.masters().contains(Id{1}) &&
                      bullied.contains("Election");
    return {.status = good ? Status::pass : Status::fail,
            .expected = expected,
            .measured = describe(sent),
            .unit = "messages",
            .evidence =
                "A fifth machine comes up beside a master and three slaves: no Election. "
                "In a group that the bully leads, the same costs " +
                describe(bullied) + ".",
            .exhibits = {},
            .plots = {}};
}

namespace {

// One group, one election after the other: every master crashes, and comes back when the next one
// leads. How many elections were won by whoever had come back last?
std::uint64_t won_by_the_latest(bool fresh, std::uint64_t elections) {
    TempoStage stage(with(settled(6), "fresh", fresh ? "on" : "off"));
    Time time = 500ms;
    Id crashed = nobody, latest = nobody;  // the one before this master, and the one before that
    std::uint64_t won = 0;
    for (std::uint64_t i = 0; i < elections; ++i) {
        stage.run_until(time += 2500ms);  // whoever came back has been adjusted
        const Id master = stage.masters().ids.at(0);
        won += master == latest;
        latest = std::exchange(crashed, master);
        stage.crash(master);
        do stage.run_until(time += 50ms);
        while (stage.masters().empty());
        stage.restart(master);
    }
    return won;
}

std::string percent_of(std::uint64_t part, std::uint64_t all) {
    return std::to_string((100 * part + all / 2) / all) + " %";
}

}  // namespace

Result show_equality(const Effort& effort) {
    constexpr std::uint32_t nodes = 6;
    const std::uint64_t runs = effort.runs(5000);
    std::map<Id, std::uint64_t> won;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        TempoStage stage(bereft(nodes, seed));
        stage.run_until(crash_time);
        Time latest = crash_time;
        do stage.run_until(latest += 50ms);
        while (stage.masters().empty() && latest < 60s);
        for (const Id id : stage.masters()) ++won[id];
    }
    const double mean = static_cast<double>(runs) / (nodes - 1);
    const double margin = 3.09 * std::sqrt(mean * (1 - 1.0 / (nodes - 1)));  // five times 99.8 %
    const std::uint64_t again = won_by_the_latest(false, runs),
                        evenly = won_by_the_latest(true, runs);
    std::string measured;
    bool good = won.size() == nodes - 1 && 10 * evenly < 3 * runs && 10 * again > 9 * runs;
    for (const auto& [id, count] : won) {
        good = good && std::abs(static_cast<double>(count) - mean) <= margin;
        measured += (measured.empty() ? "" : ", ") + text(id) + ": " + std::to_string(count);
    }
    return {.status = good ? Status::pass : Status::fail,
            .expected = "each of five: about " + std::to_string(runs / (nodes - 1)),
            .measured = measured,
            .unit = "elections won",
            .evidence = std::to_string(runs) +
                        " elections among five slaves after the crash of "
                        "the master; all nodes run the same value type. Where one master after the "
                        "other crashes and comes back, whoever came back last wins " +
                        percent_of(again, runs) +
                        " of the elections: the others keep the values they once drew, and the "
                        "lowest of those are used up. With fresh=on it is " +
                        percent_of(evenly, runs) + ".",
            .exhibits = {},
            .plots = {}};
}

// ---------------------------------------------------------------- the message

// The election's words, by the paper's names; the adjustment is ADJTIME on the wire, and a deputy
// is not the paper's.
constexpr std::pair<std::string_view, wire::TspDatagram::Type> spoken[] = {
    {"Masterreq", wire::TspDatagram::Type::masterreq},
    {"Masterack", wire::TspDatagram::Type::masterack},
    {"Masterup", wire::TspDatagram::Type::masterup},
    {"Slaveup", wire::TspDatagram::Type::slaveup},
    {"Election", wire::TspDatagram::Type::election},
    {"Accept", wire::TspDatagram::Type::accept},
    {"Refuse", wire::TspDatagram::Type::refuse},
    {"Conflict", wire::TspDatagram::Type::conflict},
    {"Resolve", wire::TspDatagram::Type::resolve},
    {"Quit", wire::TspDatagram::Type::quit},
    {"Sync", wire::TspDatagram::Type::adjtime},
    {"Ack", wire::TspDatagram::Type::ack},
};

// Everything but the type, and but the time where none is told, is the same bytes.
bool keeps_layout(wire::TspDatagram::Type type) {
    const wire::TspDatagram datagram{.type = type,
                                     .sequence = 0x0203,
                                     .time = std::chrono::seconds(0x04050607),
                                     .name = "\x0c\x0d"};
    const Bytes bytes = wire::write_datagram(datagram);
    const auto read = wire::read_datagram(bytes);
    bool kept = read && read->sequence == datagram.sequence && read->name == datagram.name &&
                bytes[0] == std::byte(type) && bytes[1] == std::byte{1};
    for (const std::size_t at : {2u, 3u, 12u, 13u}) kept = kept && bytes[at] == std::byte(at);
    for (const std::size_t at : {4u, 5u, 6u, 7u})
        kept = kept && bytes[at] == std::byte(wire::carries_time(type) ? at : 0);
    return kept && bytes.size() == wire::TspDatagram::length;
}

Result show_layout(const Effort&) {
    std::size_t said = 0, kept = 0;
    for (const std::string_view message : simulator::find_engine("tempo")->messages) {
        if (message == "Deputy") continue;
        ++said;
        for (const auto& [name, type] : spoken) kept += name == message && keeps_layout(type);
    }
    return {.status = kept == said ? Status::pass : Status::fail,
            .expected = std::to_string(said) + " types, one layout of five fields",
            .measured = std::to_string(kept) + " types with all five at the same places",
            .unit = "message types",
            .evidence =
                "Each type as a datagram of 268 bytes: type at 0, version at 1, sequence "
                "number at 2, time at 4 where one is told, name at 12. BSD timed has the "
                "same layout: tests/wire has its bytes.",
            .exhibits = {},
            .plots = {}};
}

}  // namespace conclave::claims::tempo
