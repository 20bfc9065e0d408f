// The golden texts of traces.
#pragma once

#include "tests/support/golden.hpp"

namespace conclave::trace {

inline void expect_golden(const std::string& name, const std::string& text) {
    tests::expect_golden("trace", name, text);
}

}  // namespace conclave::trace
