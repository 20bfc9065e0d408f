// The readings of its document that matter to a row, and what they come to together.
#pragma once

#include <string>
#include <vector>

#include "conclave/claims/claim.hpp"

namespace conclave::claims {

// Every combination of the values that the row's algorithm lists for the settings that matter to
// the row. The first is the default; a row to which none matters has one, which sets nothing.
std::vector<Settings> readings_for(const Claim& claim);

// "at-startup=keep masterreq=once"; "only" where there is no choice.
std::string name_reading(const Settings& reading);

struct Read {
    std::string name;
    Result result;
};

// A finding only if no reading saves the claim; a failure under any reading is one of the row.
Status status_of(const std::vector<Read>& readings);

}  // namespace conclave::claims
