// A check of what must be true, kept in release builds: a node that is wrong stops.
#pragma once

#include <source_location>

namespace conclave {

[[noreturn]] void fail_check(const char* what, std::source_location where);

inline void check(bool holds, const char* what,
                  std::source_location where = std::source_location::current()) {
    if (!holds) [[unlikely]]
        fail_check(what, where);
}

}  // namespace conclave
