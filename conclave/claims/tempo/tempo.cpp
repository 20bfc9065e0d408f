// Gusella & Zatti (1985), "An Election Algorithm for a Distributed Clock Synchronization Program".
#include <array>

#include "conclave/claims/tempo/tempo_claims.hpp"

namespace conclave::claims::tempo {

namespace {

constexpr std::array rows{
    Claim{"T1",
          "A time daemon has eight states; its transitions are those of sections 5.1 to 5.3 and "
          "6.1.",
          "Each described transition is looked up in the table that the daemon runs by. Storms "
          "and a few scenes must fire every row.",
          "conclave list tempo", &show_states},
    Claim{"T2",
          "Who finds no master becomes it, unless a newcomer, a candidate or a master turns up.",
          "One machine starts alone, or a second one comes up at some offset. The offset below "
          "which both become master is searched for two delays.",
          "conclave sim tempo --nodes 2 --set startup-range=0s --set at-startup=drop "
          "--start 2@500us --check +one-leader "
          "--until 55ms",
          &show_starts, "tempo", "at-startup masterreq"},
    Claim{"T3", "One candidate: 3N-1 messages elect a master among the N machines left.",
          "The master of N slaves crashes and the first election timer expires. Every type of "
          "message is counted until the new master knows its slaves.",
          "conclave sim tempo --nodes 4 --set startup-range=0s --start 2@105ms --start 3@110ms "
          "--start 4@115ms --crash 1@2060ms --until 4s",
          &count_one_candidate},
    Claim{"T4", "Two candidates: 4N-2 messages elect nobody; a later round does.",
          "Two slaves stand at the same instant, with equal and with unequal delays. Messages and "
          "masters are counted.",
          "conclave sim tempo --nodes 4 --set startup-range=0s --start 2@105ms --start 3@110ms "
          "--start 4@115ms --crash 1@2060ms --call 2@2100ms --call 3@2100ms --check none "
          "--until 2200ms",
          &count_two_candidates},
    Claim{"T5", "An election collides with probability 1-(1-delta/R)^N, at most N delta / R.",
          "Thousands of elections in one group, with timers drawn afresh and set together. First "
          "attempts that end in a refusal are counted.",
          "conclave sim tempo --nodes 3 --set startup-range=0s --start 2@105ms --start 3@110ms "
          "--set fresh=on --set R=5ms --crash 1@2060ms --until 10s --seeds 1..100",
          &measure_collisions},
    Claim{"T6", "A candidate that missed the first Election is refused; the first one completes.",
          "One slave misses the Election of another and stands before that election is over. The "
          "refusals and the winner are looked at.",
          "conclave claims T6", &show_missed_election},
    Claim{"T7",
          "Two masters after a healed partition stay until a newcomer reports them; then one is "
          "left with all slaves.",
          "A partition heals and one newcomer, or two at once, come up. The messages and the "
          "masters that are left are counted.",
          "conclave claims T7 --report DIR", &show_partition, "tempo", "in-conflict"},
    Claim{"T8", "An overlooked slave stands, is told to quit, and is on the list from then on.",
          "One slave misses both Election and Masterup. What its own Election leads to is watched.",
          "conclave claims T8", &show_overlooked},
    Claim{"T9",
          "Whatever is lost, delayed, doubled, reordered or crashes, there is a master in the end; "
          "a delay is favoured over two of them.",
          "Random storms must end with one master in each part. Calm runs look for two masters at "
          "once, each assumption being dropped in turn.",
          "conclave claims T9 --report DIR", &search_two_masters, "tempo", "at-startup masterreq"},
    Claim{"T10", "Broadcasts may arrive in any order: still one master in the end.",
          "Several candidates stand at once and every copy takes its own time. After a minute "
          "there must be one master.",
          "conclave sim tempo --nodes 4 --set startup-range=0s --start 2@105ms --start 3@110ms "
          "--start 4@115ms --delay 100us..4ms --crash 1@2060ms --call 2@2100ms --call 3@2100ms "
          "--until 60s",
          &show_any_order},
    Claim{
        "T11",
        "Network time is the mean of the clocks within a small interval of the majority; a faulty "
        "clock does not move it and is itself corrected.",
        "Four good clocks and a fifth that is hours off or drifts by 1000 ppm. The network's "
        "time is compared with that of a run in which the fifth is sound.",
        "conclave timed sim examples/clocks/slave_steps.toml", &show_mean},
    Claim{"T12", "Corrections are differences, so delays add no error; slaves stay within 20 ms.",
          "Constant equal delays of any size, then a network like the paper's with a round every "
          "four minutes. The spread of the clocks is measured.",
          "conclave claims T12", &show_differences},
    Claim{"T13", "A newcomer's clock is set before it reports ready.",
          "Newcomers with clocks hours off join a running network. From when they report ready "
          "their clocks are compared with the master's.",
          "conclave claims T13", &show_set_first},
    Claim{"T14", "While a crashed master is being replaced, clocks diverge only by their drift.",
          "A master crashes, and the election is slow. What the clocks part by is compared with "
          "their drift times the outage.",
          "conclave timed sim examples/clocks/leader_lost.toml", &show_outage},
    Claim{"T15", "All daemons run the same software; any can be master.",
          "Thousands of elections among equals. How often each one wins is counted.",
          "conclave sim tempo --nodes 3 --set startup-range=0s --start 2@105ms --start 3@110ms "
          "--crash 1@2060ms --until 6s --seeds 1..100",
          &show_equality},
    Claim{"T16", "With each repetition a collision is less probable.",
          "Elections with so short a range that they often collide. The share that collides is "
          "taken round by round.",
          "conclave claims T16", &measure_repetitions},
    Claim{"T17",
          "The election timer must exceed the interval of the adjustments; a processor must never "
          "pause and go on.",
          "r is set around the interval, and a master pauses. Elections and masters are counted.",
          "conclave sim tempo --nodes 5 --set r=900ms --set R=0s --until 10s --check none",
          &show_needless},
    Claim{"T18", "A newcomer joins without an election.",
          "A machine comes up beside a master and its slaves, and in a group that the bully leads. "
          "The messages that this takes are compared.",
          "conclave sim tempo --nodes 5 --start 5@3s --until 3100ms", &show_newcomer},
    Claim{"T19",
          "The master's list is the senders of Accept and of Slaveup, and whom it told to quit.",
          "Elections in which messages get lost. The list is compared with what reached the "
          "elected.",
          "conclave claims T19", &show_list},
    Claim{"T20",
          "Every message has a type, a version, a sequence number, a time and a name, in one "
          "layout.",
          "A message of each type is encoded. The places of the fields are compared.",
          "conclave claims T20", &show_layout},
};

}  // namespace

}  // namespace conclave::claims::tempo

namespace conclave::claims {
std::span<const Claim> tempo_claims() { return tempo::rows; }
}  // namespace conclave::claims
