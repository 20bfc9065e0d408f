// The choices that the documents of the algorithms leave open, by the algorithm's name.
#pragma once

#include "conclave/core/reading.hpp"

namespace conclave::simulator {

// Empty: its document leaves nothing open, or there is no such algorithm.
std::span<const Reading> readings_named(std::string_view algorithm);

}  // namespace conclave::simulator
