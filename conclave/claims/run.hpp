// Runs experiments under all readings that matter to them, several at once, and keeps the results.
#pragma once

#include <functional>
#include <vector>

#include "conclave/claims/row_readings.hpp"

namespace conclave::claims {

struct Row {
    Claim claim;
    Result result;                 // under the default reading, with the status of all together
    double seconds = 0;            // of all readings
    std::vector<Read> readings{};  // the default first
};

// Called after each experiment, from one thread at a time.
using Tell = std::function<void(std::size_t done, std::size_t all)>;

// In the order given, whatever order they finish in.
std::vector<Row> run_claims(const std::vector<Claim>& claims, const Effort& effort,
                            const Tell& tell);

// One row from what its experiment gave under each reading.
Row make_row(const Claim& claim, std::vector<Read> readings, double seconds);

bool passed(const Result& result);       // not a failure
std::string status_word(Status status);  // "reading-dependent"

std::string to_json(const std::vector<Row>& rows);
// A table for a terminal.
std::string to_table(const std::vector<Row>& rows, bool colour);

}  // namespace conclave::claims
