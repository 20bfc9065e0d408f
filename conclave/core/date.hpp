// Dates as people write them and logs carry them: RFC 3339. Printed in UTC; read with any offset.
#pragma once

#include "conclave/core/time.hpp"

namespace conclave {

// "2026-11-17", which begins at midnight UTC, "2026-11-17T10:30:00Z",
// "2026-11-17T10:30:00.5+01:00". A time of day says its offset from UTC. From 1970 to 2261;
// nothing: no such date.
std::optional<Time> parse_date(std::string_view text);
// Since 1970, with milliseconds: "2026-11-17T10:30:00.250Z".
std::string format_date(Time since_1970);

}  // namespace conclave
