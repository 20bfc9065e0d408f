// Which start of this machine is the present one, as the kernel names it.
#pragma once

#include "conclave/page/page_layout.hpp"

namespace conclave::page {

// Zeros where the kernel does not say.
BootId boot_id();

}  // namespace conclave::page
