// How a node ends that does not end with its command's own code, and how a time daemon ends.
//
// A service manager that is told not to repeat a wrong configuration gives up on `refused` and
// starts it again after any other: what may pass by itself must never be `refused`.
#pragma once

namespace conclave::exit_code {

constexpr int refused = 2;       // bad usage or input; only before the node has joined
constexpr int removed = 120;     // from the roster, by an operator
constexpr int name_taken = 121;  // by another node or daemon, of the group or on this machine
constexpr int state = 122;       // its folder or a file in it cannot be used
constexpr int internal = 125;    // the machine denied something: a process, a socket, memory

}  // namespace conclave::exit_code
