// The common part of verbs that talk to the time daemon of this machine.
#pragma once

#include <optional>
#include <string>

#include "conclave/cli/verb.hpp"

namespace conclave::cli {

struct TimedAsked {
    std::string control{};  // the daemon's socket; empty: the usual one
    bool json = false;

    std::string socket() const;
};
template <class Settings>
inline constexpr options::Option<Settings> timed_options[] = {
    options::once<&Settings::control, options::Path, Settings>(
        "control", "control socket of the daemon",
        "/run/conclave/timed.sock, for others than root in $XDG_RUNTIME_DIR")
        .with(options::Hint::file),
    options::flag<&Settings::json, Settings>("json", "print JSON, for programs"),
};
template <class Settings>
inline constexpr options::OptionGroup<Settings> only_timed_options[] = {
    {"", timed_options<Settings>}};

// The answer of the daemon behind the socket; none: there is no daemon. Throws a Refusal.
std::optional<std::string> try_time_daemon(const std::string& socket, const std::string& line);
// The same; no daemon is a Refusal as well.
std::string ask_time_daemon(const std::string& socket, const std::string& line);

}  // namespace conclave::cli
