// Vitányi (1983), "Distributed elections in an Archimedean ring of processors".
#include <array>

#include "conclave/claims/archimedean/archimedean_experiments.hpp"

namespace conclave::claims::archimedes {

namespace {

constexpr std::array rows{
    Claim{"V1",
          "The lowest name wins and everybody knows it, with exactly N wakeup and N sleepwell "
          "passes, whatever the clocks and delays.",
          "Random rings with clocks and delays in large ratios, FIFO links, and nobody waking "
          "after falling asleep.",
          "conclave sim archimedean --nodes 20 --initiators all --delay exp:3ms", &lowest_wins},
    Claim{"V2", "At most 2N + (N u (f(l)+1)/m) sum of 1/f(i) message passes.",
          "Random rings with u/m up to 1, 2 and 10, f = 2^i and i^1.5, the first wait 1 as printed "
          "or f. A ring of four breaks the bound as printed.",
          "conclave sim archimedean --nodes 4 --order 3,1,4,2 --initiators all --delay 1ns "
          "--set lowest=4",
          &bound_passes},
    Claim{"V3",
          "f(i) = 2^i takes at most 2N + 3N u/m passes, f(i) = (u/m) 2^i fewer than 5N, whatever "
          "the clocks.",
          "Random rings, and rings whose units shorten clockwise with the low names placed to "
          "escape each other.",
          "conclave sim archimedean --nodes 6 --order ascending --initiators all --delay 1ns --set "
          "scale=32 --clock 1=x32 --clock 2=x16 --clock 3=x8 --clock 4=x4 --clock 5=x2",
          &scale_waits},
    Claim{
        "V4", "The election takes at most N u (f(l) + 2); for f(i) = 2^i that is N u (2^l + 2).",
        "Random rings, most of them with near-equal clocks, and rings in which every message just "
        "misses the end of a unit.",
        "conclave sim archimedean --nodes 50 --order ascending --initiators all --delay 1us",
        &bound_time},
    Claim{"V5",
          "The bits are linear in N, with names as dyadic digits and u/m and l independent of N.",
          "Rings in step of growing size with the first wait 1 as printed and f; bits are counted "
          "digit by digit.",
          "conclave sim archimedean --nodes 100000 --initiators all --delay 1ns --set first=f "
          "--until 1h",
          &count_bits},
    Claim{"V6", "An adversary who sets the clocks and places the names forces passes square in N.",
          "Unit lengths 2^(N-i+1), names ascending clockwise.",
          "conclave sim archimedean --nodes 4 --order ascending --initiators all --delay 1ns "
          "--clock 1=x16 --clock 2=x8 --clock 3=x4 --clock 4=x2",
          &halve_units},
    Claim{"V7",
          "With f(i,j) = floor(2^(j-i)) the winning message goes round without waiting, and the "
          "election takes about 3 ring walks.",
          "The variant with both readings of a wait of 0, beside Chang-Roberts on the same ring.",
          "conclave sim archimedean --nodes 3 --initiators all --set f=pair --set zero=printed",
          &wait_by_pair, "archimedean", "zero"},
    Claim{"V8", "On a synchronous ring the winner learns N from the time that has passed.",
          "Synchronous rings of all sizes up to 100; the winner's count is read.",
          "conclave claims V8", &learn_size},
    Claim{"V9",
          "The passes grow linearly, while the asynchronous algorithms take N log N or N squared.",
          "All ring algorithms, all initiating, from 10 to a million processors.",
          "conclave sim archimedean --nodes 1000000 --initiators all --until 1000h",
          &compare_rings},
    Claim{"V10", "Nobody may wake between falling asleep and the return of the sleepwell message.",
          "One processor wakes once more while sleepwell goes round. A run in which a loser then "
          "considers "
          "itself elected is shown.",
          "conclave sim archimedean --nodes 2 --order ascending --initiators 1 --delay 500us "
          "--call 1@4.5ms --until 12ms",
          &wake_too_early},
    Claim{"V11", "Near-equal clocks (u' - m < e) take fewer than 7N + 3eN/m passes.",
          "Clocks within a tenth of each other, names ascending clockwise, and links that take "
          "from one unit to 4096.",
          "conclave sim archimedean --nodes 12 --order ascending --initiators all --delay 256ms",
          &delay_links},
    Claim{"V12",
          "Mean passes at most 2N + N sum of (w + w_s + w_p f(l) log l) / (w_s + w_p f(i) log i), "
          "time at most 2w + w_s + w_p f(l) log l.",
          "Random orders of the names, walk times from all stations and no link to mostly links.",
          "conclave sim archimedean --nodes 100 --initiators all --delay 1ms --set digits=on "
          "--seeds 1..100",
          &walk_times},
    Claim{"V13", "A synchronous ring needs no unbounded message queues; an Archimedean one may.",
          "The longest queue of any processor: in step, with clocks at random, and where one is "
          "slow.",
          "conclave claims V13", &measure_queues}};

}  // namespace

}  // namespace conclave::claims::archimedes

namespace conclave::claims {
std::span<const Claim> archimedean_claims() { return archimedes::rows; }
}  // namespace conclave::claims
