// What an operator orders of the time daemon that runs here: another date, a hand-over.
#pragma once

#include "conclave/cli/command.hpp"
#include "conclave/core/time.hpp"

namespace conclave::cli {

// "+3s" and "-1h" are differences; else a date of RFC 3339.
struct WantedDate {
    bool relative = false;
    Duration value{};  // the difference, or the time since 1970
};
// Throws a Refusal.
WantedDate read_wanted_date(const std::string& text);

// Waits until the network has the date, and prints by how much it was moved.
int set_network_date(const std::string& socket, const std::string& date, bool json);
// The master hands over, and does not become master again for a minute.
int resign_as_time_master(const std::string& socket, bool json);

}  // namespace conclave::cli
