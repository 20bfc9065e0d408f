// What is asked of a time daemon that runs here: status, check, watch, and whether it has the time.
#pragma once

#include "conclave/cli/command.hpp"

namespace conclave::cli {

struct TimedAsk {
    std::string wanted;  // what a check asks for beside the daemon's own standard: " within=1ms"
    std::optional<std::string> count;
    bool json = false;
};

// The answer of the daemon behind the socket. Throws a Refusal.
std::string ask_time_daemon(const std::string& socket, const std::string& line);

int print_time_status(const std::string& socket, const TimedAsk& asked);
// Yes if the clock is as good as the daemon's --within and --members say, or those that are given.
// Else a sentence for each reason.
int check_time(const std::string& socket, const TimedAsk& asked);
int watch_time(const std::string& socket, const TimedAsk& asked);
// The time as an interval, from the daemon's page. Yes if it is known.
int print_time(const std::string& page, const TimedAsk& asked);
// Yes as soon as the check would be; no, and why, if that takes longer than the timeout. An empty
// one: for ever.
int wait_for_time(const std::string& socket, const std::string& timeout, const TimedAsk& asked);

}  // namespace conclave::cli
