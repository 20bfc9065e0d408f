// The daemon with all that surrounds it in a process of its own: control socket, HTTP, systemd,
// drift file, signals.
//
// One thread, no fork, waiting in poll alone, so that it also runs where another program stands in
// for the kernel's clock and network.
#pragma once

#include "conclave/timed/daemon_config.hpp"

namespace conclave::timed {

// Until SIGTERM or SIGINT. Throws a DaemonConfigRefusal or a net::Failure.
int serve(const DaemonConfig& config);

}  // namespace conclave::timed
