// What is asked of a time daemon that runs here: status, check, watch, and whether it has the time.
#pragma once

#include "conclave/cli/command.hpp"

namespace conclave::cli {

struct TimedAsk {
    std::optional<std::string> within, members, timeout, count;
    bool json = false;
};

// The answer of the daemon behind the socket. Throws a Refusal.
std::string ask_time_daemon(const std::string& socket, const std::string& line);

int print_time_status(const std::string& socket, const TimedAsk& asked);
// Yes if the daemon is synchronised, its clock off by no more than --within at the most, and as
// many clocks as --members are behind the time. Else a sentence for each reason.
int check_time(const std::string& socket, const TimedAsk& asked);
int watch_time(const std::string& socket, const TimedAsk& asked);
// The time as an interval, from the daemon's page. Yes if it is known.
int print_time(const std::string& page, const TimedAsk& asked);
// Yes as soon as the daemon is synchronised; no if that takes longer than the timeout.
int wait_for_time(const std::string& socket, const std::string& timeout);

}  // namespace conclave::cli
