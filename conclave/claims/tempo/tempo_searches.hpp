// TEMPO's conditions settled by searching every run: T1, T2 and T9.
//
// Times are ticks of a millisecond: a message takes `least` to `most` of them, timers fire when
// due, events at equal times come in every order. Machine 1 is the master before the others come
// up, at any of so many ticks; faults happen at any time after they have become its slaves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conclave/checker/verdict.hpp"
#include "conclave/claims/claim.hpp"

namespace conclave::claims::tempo {

// Timers in ticks. The least that are enough: one more than a question and its answer take.
struct Timing {
    std::uint32_t least = 1, most = 1;
    std::uint32_t candidate = 2 * most + 1, no_master = 2 * most + 1, accept = 20;
    std::uint32_t spread = 1;  // the others come up in so many ticks
};

// One group to search, and what must come out.
struct Search {
    std::string_view name;
    checker::Query query;
    bool holds = true;         // never two masters
    std::uint64_t states = 0;  // then: so many; a test compares them
    bool only_full = false;    // too long for every commit
};

checker::Query daemons(std::uint32_t nodes, const Timing& timing = {});

std::vector<checker::Query> row_searches();  // together they fire every row
// `keeps`: in Start-up a machine keeps what it hears (a reading). Every message is sent once.
std::vector<Search> start_searches(bool keeps = false);
std::vector<Search> election_searches(bool keeps = false);

checker::Verdict explore(checker::Query query, std::uint32_t threads);
bool as_expected(const Search& search, const checker::Verdict& verdict);

// Rows of the table that no search fires: bits.
std::uint64_t rows_never_fired(std::uint32_t threads);
// The least that never gives two masters where messages take `least` to `most` ticks, and what it
// should be.
struct Threshold {
    std::string_view name;
    std::uint32_t (*find)(const Effort&, std::uint32_t least, std::uint32_t most);
    std::uint32_t (*formula)(std::uint32_t most);
};
Threshold start_offset(bool keeps);  // T2
Threshold candidate_timer();         // T9

// Adds what was searched to what was simulated. What comes out otherwise fails the claim.
void add_threshold(const Effort& effort, const Threshold& threshold, Result& result);
void add_searches(const Effort& effort, const std::vector<Search>& searches, Result& result);

}  // namespace conclave::claims::tempo
