// What is asked of a time daemon that runs here: status, check, watch, and whether it has the time.
#pragma once

#include "conclave/cli/command.hpp"

namespace conclave::cli {

struct TimedAsk {
    std::optional<std::string> within, timeout, count;
    bool json = false;
};

int print_time_status(const std::string& socket, const TimedAsk& asked);
// Yes if the daemon is synchronised, and its clock off by no more than --within at the most.
int check_time(const std::string& socket, const TimedAsk& asked);
int watch_time(const std::string& socket, const TimedAsk& asked);
// Yes as soon as the daemon is synchronised; no if that takes longer than the timeout.
int wait_for_time(const std::string& socket, const std::string& timeout);

}  // namespace conclave::cli
