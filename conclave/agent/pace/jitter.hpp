// How punctual this machine is: by how much it wakes a process too late.
#pragma once

#include "conclave/core/time.hpp"

namespace conclave::agent {

// The worst of many short sleeps, within about `span`.
Duration measure_lateness(Duration span);

// The shortest detection time for which such lateness stays within the margin by which a command is
// ended before its lease is; in whole tens of milliseconds.
Duration least_detect(Duration late);

// For people: whole tens of microseconds.
Duration rounded(Duration span);

}  // namespace conclave::agent
