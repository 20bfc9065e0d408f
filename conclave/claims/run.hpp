// Runs experiments, several at once, and keeps what came out.
#pragma once

#include <functional>
#include <vector>

#include "conclave/claims/claim.hpp"

namespace conclave::claims {

struct Row {
    Claim claim;
    Result result;
    double seconds = 0;
};

// Called after each row, from one thread at a time.
using Tell = std::function<void(const Row&, std::size_t done, std::size_t all)>;

// In the order given, whatever order they finish in.
std::vector<Row> run_claims(const std::vector<Claim>& claims, const Effort& effort,
                            const Tell& tell);

bool passed(const Result& result);  // pass or finding

std::string to_json(const std::vector<Row>& rows);
// A table for a terminal.
std::string to_table(const std::vector<Row>& rows, bool colour);

}  // namespace conclave::claims
