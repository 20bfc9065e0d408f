// Keeps the usual rate of the machine's clock over a restart of the daemon.
//
// A line with the rate in parts per billion, replaced as a whole. A file that cannot be read is
// like none: the rate is learned again within a minute.
#pragma once

#include <optional>
#include <string>

#include "conclave/clock/rate.hpp"

namespace conclave::timed {

std::optional<clock::Rate> read_drift(const std::string& path);
bool write_drift(const std::string& path, clock::Rate rate);

}  // namespace conclave::timed
