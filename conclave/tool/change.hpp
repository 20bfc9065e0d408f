// The common part of verbs that change a running group.
#pragma once

#include <string>
#include <vector>

#include "conclave/tool/ask.hpp"

namespace conclave::cli {

struct Change : Asked {
    std::string entry{}, leaver{};
    std::vector<std::string> kept{};
    std::string confirm{};
    Duration detect{}, heartbeat{};
    Duration wait = std::chrono::seconds(60);
};

template <class Settings>
inline constexpr options::Option<Settings> wait_option =
    options::once<&Settings::wait, options::Span<>, Settings>(
        "wait", "wait no longer than this for the change to be done", "60s");

// Asks for it, as agent/group/wishes.hpp has it, until it is done or cannot be; the exit code.
int pursue(const Change& change, const std::string& what);

}  // namespace conclave::cli
