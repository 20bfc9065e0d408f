#include "conclave/agent/report/live_page.hpp"

#include <cstddef>

__asm__(
    ".section .rodata\n"
    "conclave_live_page_begin:\n"
    ".incbin \"" CONCLAVE_LIVE_PAGE
    "\"\n"
    "conclave_live_page_end:\n"
    ".previous\n");
extern "C" const char conclave_live_page_begin[], conclave_live_page_end[];

namespace conclave::agent {

std::string_view live_page() {
    return {conclave_live_page_begin,
            static_cast<std::size_t>(conclave_live_page_end - conclave_live_page_begin)};
}

}  // namespace conclave::agent
