// How many runs are enough.
#pragma once

#include <algorithm>
#include <cstdint>

namespace conclave::tests {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CONCLAVE_SANITIZED 1
#endif
#endif

// A sanitizer sees faults of the program, which most runs show; what one run in a thousand shows is
// a fault of the algorithm, and found without it, ten times as fast.
constexpr std::uint64_t enough_seeds(std::uint64_t wanted) {
#ifdef CONCLAVE_SANITIZED
    return std::max<std::uint64_t>(wanted / 10, 1);
#else
    return wanted;
#endif
}

}  // namespace conclave::tests
