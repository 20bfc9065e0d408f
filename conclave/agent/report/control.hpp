// The control socket of a node: one line asks, the answer ends with the connection.
//
//   status [text]      how the node stands (agent/report/node_status.hpp), as JSON or for people
//   members [text]     the same of the members alone
//   leader             its name, or nothing
//   is-leader          yes or no: by the lease, the clock and the guardian
//   resign [NAME]      hand over, to NAME or the best: ok, or why not
//   change first|again CHANGE   "add d", as in agent/group/wishes.hpp: done, waits or refused, and
//   why vouch              an operator's word for a node without its memory: ok, or why not pause,
//   resume      keep the role that the node has; no longer why [json]         why the present
//   leader leads bound [json]       how long the group may be without a leader question ask the
//   others who they are, for group [text]       what each member says of itself and its leader, and
//   for doctor             what is wrong here, a line each watch              a status now, and
//   again at every change, until the caller hangs up
//
// Only the user of the node, and root, may steer it: resign, vouch, change, pause, resume. Whoever
// may open the socket may ask.
#pragma once

#include <string>

#include "conclave/agent/node.hpp"
#include "conclave/net/line_server.hpp"

namespace conclave::agent {

class Control {
public:
    // Throws a net::Failure.
    Control(net::Loop& loop, Node& node, std::string path);

    void tell_watchers();  // something has changed

private:
    net::LineServer::Answer answer(const std::string& line, const net::LineServer::Asker& asker);

    Node& node_;
    net::LineServer server_;
};

}  // namespace conclave::agent
