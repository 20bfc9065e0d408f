// Claims on two masters at once: after a partition (T7), overlooked slaves (T8), and everything
// else that can go wrong (T9).
#include "conclave/claims/tempo/tempo_claims.hpp"
#include "conclave/claims/tempo/tempo_scenes.hpp"
#include "conclave/claims/tempo/tempo_searches.hpp"
#include "conclave/claims/tempo/tempo_storms.hpp"

namespace conclave::claims::tempo {

namespace {

using Counts = std::map<std::string, std::uint64_t>;

// The master that the part without 1 has elected when newcomers come up.
Id second_master(const Effort& effort) {
    TempoStage stage(effort.read(healed(2)));
    stage.run_until(14s);
    return stage.masters().ids.at(1);
}

// Two newcomers, each nearer to another master: both masters are told to look for rivals.
Scenario crossed(const Effort& effort) {
    Scenario scenario = effort.read(healed(2));
    scenario.links = {{second_master(effort), Id{7}, {.low = 2ms}}, {Id{1}, Id{8}, {.low = 2ms}}};
    return scenario;
}

}  // namespace

namespace {

// One newcomer: Conflict, Resolve, Masterack, Quit and Masterup leave one master with all slaves.
bool resolves(TempoStage& stage, Counts& sent) {
    stage.run_until(15s - 1ns);
    const Outcome before = stage.look();
    stage.run_until(15s + 100ms);
    sent = sent_between(before, stage.look());
    const IdSet left = stage.masters();
    return left.size() == 1 && sent["Conflict"] == 1 && sent["Resolve"] == 1 && sent["Quit"] == 1 &&
           sent["Masterup"] == 1 && sent["Masterack"] == 3 &&
           stage.daemon(static_cast<std::uint32_t>(left.ids[0])).list.size() == 6;
}

}  // namespace

Result show_partition(const Effort& effort) {
    const std::size_t stable = masters_at(effort.read(healed()), 10min);
    TempoStage stage(effort.read(healed(1)));
    Counts sent;
    const bool resolved = resolves(stage, sent);
    const bool obeys = effort.reads("in-conflict", "obey");
    const Scenario two = crossed(effort);
    const std::size_t left = masters_at(two, 15100ms), later = masters_at(two, 25s);
    const std::size_t ranked = masters_at(with(two, "ranked", "on"), 15100ms);
    const std::size_t announced =
        masters_at(effort.read(with(healed(), "announce", "3s")), 13100ms);
    const bool good = stable == 2 && resolved && ranked == 1 && announced == 1 &&
                      (obeys ? left == 0 && later == 1 : left == 2 && later == 2);
    return {
        .status = good ? Status::finding : Status::fail,
        .expected = "5.3: \"the first (and now sole) master\" is left",
        .measured = "one newcomer: 1; two at once: " + std::to_string(left) +
                    (obeys ? ", until an election timer" : ", for good"),
        .unit = "masters",
        .evidence =
            "Healed, the two masters stay for ten minutes. One newcomer brings " + describe(sent) +
            ", and one master holds all slaves. Two newcomers whose first answers came from "
            "different masters make each master look for the other. Section 6.1 does not say what "
            "Conflict does on Resolve and Quit: if it obeys, both masters quit; if it ignores "
            "them, "
            "both stay. With an order among masters (ranked=on) one stays; masters that announce "
            "themselves (announce=3s) need no newcomer.",
        .exhibits = {exhibit_of("One newcomer, 7, after the partition.", effort.read(healed(1)),
                                15s, 15030ms),
                     exhibit_of("Two newcomers, 7 and 8.", two, 15s, 15010ms)},
        .plots = {}};
}

Result show_overlooked(const Effort& effort) {
    const std::uint64_t runs = effort.runs(200);
    std::uint64_t found = 0;
    Scenario scenario;
    Time stands{};
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        scenario = bereft(5, seed);
        scenario.calls = {{Id{2}, 2100ms}};
        scenario.cuts = {{Id{2}, Id{5}, {2099ms, 2130ms}}};  // 5 misses Election and Masterup
        TempoStage stage(scenario);
        stage.run_until(2200ms);
        const bool overlooked = !stage.daemon(2).list.contains(Id{5});
        stands = 2051ms + stage.daemon(5).patience;  // counted from the last adjustment
        const Outcome before = stage.look();
        stage.run_until(stands + 10ms);
        auto sent = sent_between(before, stage.look());
        found += overlooked && sent["Election"] == 1 && sent["Quit"] == 1 &&
                 stage.masters().ids == std::vector<Id>{Id{2}} &&
                 stage.daemon(2).list.contains(Id{5}) && stage.leader(5) == Id{2};
    }
    return {.status = found == runs ? Status::pass : Status::fail,
            .expected = "on the list after its Election in " + std::to_string(runs) + " runs",
            .measured = std::to_string(found),
            .unit = "runs",
            .evidence =
                "Node 5 misses both Election and Masterup of 2. Its timer expires, it "
                "stands, is told to quit, follows 2 and is on its list.",
            .exhibits = {exhibit_of("5 was overlooked.", scenario, stands, stands + 5ms)},
            .plots = {}};
}

// ---------------------------------------------------------------- T9

namespace {

// Two are left, and stand within a delay of each other.
Scenario slow(Duration delay) {
    Scenario scenario = bereft(3);
    scenario.delay.low = delay;
    scenario.calls = {{Id{2}, 2150ms}, {Id{3}, 2152ms}};
    return scenario;
}

// Two stand within a delay, and neither hears the other's Election; `others` hear both.
Scenario deaf(std::uint32_t others = 0) {
    Scenario scenario = bereft(3 + others);
    scenario.calls = {{Id{2}, 2100ms}, {Id{3}, 2100500us}};
    scenario.cuts = {{Id{2}, Id{3}, {2100ms, 2101ms}}, {Id{3}, Id{2}, {2100ms, 2101ms}}};
    return scenario;
}

// A life of four machines: all come up, the master crashes, one of the others is elected, the old
// master comes back.
Scenario whole_life() {
    Scenario scenario = bereft(4);
    scenario.recoveries = {{Id{1}, 6s}};
    return scenario;
}

// Two of those that are left stand within a delay.
Scenario contested_life(std::uint32_t nodes) {
    Scenario scenario = bereft(nodes);
    scenario.calls = {{Id{2}, 2100ms}, {Id{3}, 2100500us}};
    return scenario;
}

// The same life once for every single copy of a message, which gets lost: which of them give two
// masters, and how many lives that were.
std::uint64_t lose_each(const Scenario& life, Counts& fatal) {
    trace::Trace trace;
    TempoStage stage(life, &trace);
    stage.run_until(9s);
    std::uint64_t lives = 0;
    for (const trace::Record& record : trace.records) {
        if (record.kind != trace::Kind::send || record.other == everyone) continue;
        Scenario scenario = life;
        scenario.cuts = {{record.node, record.other, {record.time, record.time + 1ns}}};
        ++lives;
        if (two_masters(scenario, 9s)) ++fatal[record.text.substr(0, record.text.find('#'))];
    }
    return lives;
}

// The newcomer's Masterreq does not reach the master.
Scenario unheard_newcomer() {
    Scenario scenario = settled(3);
    scenario.starts.back().at = 1500ms;
    scenario.cuts = {{Id{3}, Id{1}, {1500ms, 1501ms}}};
    return scenario;
}

std::uint64_t unsettled_storms(const Effort& effort, std::uint64_t runs) {
    std::uint64_t unsettled = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed)
        for (const bool announcing : {false, true}) {
            TempoStage stage(effort.read(storm(seed, announcing)));
            stage.run_until(after_the_storm);
            unsettled += !stage.look().violations.empty();
        }
    return unsettled;
}

std::uint64_t double_breezes(const Effort& effort, std::uint64_t runs, const Calm& calm) {
    std::uint64_t seen = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed)
        seen += two_masters(effort.read(breeze(seed, calm)), 20s);
    return seen;
}

// Two masters at once without a partition: in how many runs of each kind.
struct Doubles {
    std::uint64_t calm = 0;   // 2 delays < candidate timer, starts further apart than a delay
    std::uint64_t late = 0;   // the first broken
    std::uint64_t close = 0;  // the second broken
    std::uint64_t lives = 0;  // in each of which one copy of a message got lost ...
    Counts fatal{};           // ... and of which types two masters came
    bool unheard = false;     // of a newcomer whose first Masterreq is lost
};

Doubles count_doubles(const Effort& effort, std::uint64_t breezes) {
    Doubles seen{double_breezes(effort, breezes, {5900us, 5900us}),
                 double_breezes(effort, breezes, {6100us, 6100us}),
                 double_breezes(effort, breezes, {5900us, 0us})};
    for (const Scenario& life : {whole_life(), contested_life(3), contested_life(4)})
        seen.lives += lose_each(effort.read(life), seen.fatal);
    seen.unheard = two_masters(effort.read(unheard_newcomer()), 1600ms);
    return seen;
}

// Both readings decide something: keeping what is heard ends the race of two starts, asking again
// bears the loss of a question.
bool as_read(const Effort& effort, const Doubles& seen) {
    const bool keeps = effort.reads("at-startup", "keep");
    const bool once = effort.reads("masterreq", "once");
    const bool fatal = seen.fatal.size() == 1 && seen.fatal.contains("Masterreq");
    return seen.calm == 0 && seen.late > 0 && (seen.close == 0) == keeps &&
           (once ? fatal : seen.fatal.empty()) && seen.unheard == once;
}

// A run that no reading prevents: an election among few, in which the right messages are lost.
bool lost_elections(const Effort& effort) {
    const auto two = [&](const Scenario& scenario, Time until) {
        return two_masters(effort.read(scenario), until);
    };
    return two(slow(6500us), 2300ms) && !two(slow(5500us), 2300ms) && two(deaf(), 2200ms) &&
           !two(deaf(1), 2200ms) && two(with(deaf(1), "accept", "400us"), 2200ms);
}

}  // namespace

Result search_two_masters(const Effort& effort) {
    const std::uint64_t storms = effort.runs(5000), breezes = effort.runs(10'000);
    const std::uint64_t unsettled = unsettled_storms(effort, storms);
    const Doubles seen = count_doubles(effort, breezes);
    const bool good = unsettled == 0 && as_read(effort, seen) && lost_elections(effort);
    Result result{
        .status = good ? Status::finding : Status::fail,
        .expected =
            "\"a delay in the choice of the new master is favored over the prospect of having two "
            "masters\"; \"messages may be lost\"",
        .measured = std::to_string(unsettled) + " storms unsettled; two masters at once in " +
                    std::to_string(seen.calm) + " calm runs, " + std::to_string(seen.late) +
                    " with 2 delays > candidate timer, " + std::to_string(seen.close) +
                    " with starts closer than a delay; one copy lost, two masters: " +
                    (seen.fatal.empty() ? "never" : describe(seen.fatal)) +
                    "; both Elections between the last two lost: two masters",
        .unit = "runs",
        .evidence = std::to_string(2 * storms) + " storms (loss, delay, duplication, reordering, " +
                    "crashes, partitions; a newcomer or announcements at the end), " +
                    std::to_string(breezes) + " runs of each calmer kind, " +
                    std::to_string(seen.lives) +
                    " lives in which one copy of one message got lost. An election gives two if "
                    "two candidates within a delay miss each other's Election and nobody else "
                    "refuses one of them: nobody is there, or the accept timer is too short.",
        .exhibits = {exhibit_of("Neither candidate hears the other's Election.",
                                effort.read(deaf()), 2100ms, 2130ms),
                     exhibit_of("A message takes 6.5 ms, the candidate timer 12 ms.",
                                effort.read(slow(6500us)), 2150ms, 2185ms)},
        .plots = {}};
    if (seen.unheard)
        result.exhibits.push_back(
            exhibit_of("One lost message is enough: the newcomer's Masterreq.",
                       effort.read(unheard_newcomer()), 1500ms, 1575ms));
    // The searches send every message once.
    if (!effort.reads("masterreq", "once")) return result;
    add_threshold(effort, candidate_timer(), result);
    add_searches(effort, election_searches(effort.reads("at-startup", "keep")), result);
    return result;
}

}  // namespace conclave::claims::tempo
