#include "conclave/core/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace conclave {

void fail_check(const char* what, std::source_location where) {
    std::fprintf(stderr, "conclave: %s:%u: this must never happen: %s\n", where.file_name(),
                 static_cast<unsigned>(where.line()), what);
    std::abort();
}

}  // namespace conclave
