// The page of a live group, web/live/page.html, which the build put into this program.
#pragma once

#include <string_view>

namespace conclave::agent {

std::string_view live_page();

}  // namespace conclave::agent
