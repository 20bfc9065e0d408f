// Numbers that nobody can guess, from the kernel.
#pragma once

#include <sys/random.h>

#include <cstdint>

#include "conclave/core/check.hpp"

namespace conclave::net {

inline std::uint64_t random_number() {
    std::uint64_t number = 0;
    check(getrandom(&number, sizeof number, 0) == sizeof number, "the kernel gives randomness");
    return number;
}

}  // namespace conclave::net
