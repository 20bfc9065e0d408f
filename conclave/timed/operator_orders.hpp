// An operator's orders through the control socket: another date, a hand-over.
//
//   set to NS     the network's date shall be this, in nanoseconds since 1970
//   set by NS     ... later by this
//   set           how the last order goes: "waits", "done NS TEXT" or "failed TEXT"
//   resign        the master hands over: "ok"
//
// An order that makes no sense is answered by "refused TEXT", one that cannot be obeyed now by
// "failed TEXT".
#pragma once

#include <optional>
#include <string>

#include "conclave/timed/daemon/daemon.hpp"

namespace conclave::timed {

// Nothing: it is no order. `may`: the asker is root or the user of the daemon.
std::optional<std::string> obey_order(Daemon& daemon, const std::string& line, bool may);

}  // namespace conclave::timed
