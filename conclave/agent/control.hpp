// The control socket of a node: one line asks, the answer ends with the connection.
//
//   status [text]      how the node stands (agent/status.hpp), as JSON or for people
//   members [text]     the same of the members alone
//   leader             its name, or nothing
//   is-leader          yes or no: by the lease, the clock and the guardian
//   resign [NAME]      hand over, to NAME or the best: ok, or why not
//   pause, resume      keep the role that the node has; no longer
//   why [json]         why the present leader leads
//   bound [json]       how long the group may be without a leader
//   question           ask the others who they are, for
//   doctor             what is wrong here, a line each
//   watch              a status now, and again at every change, until the caller hangs up
#pragma once

#include <list>
#include <string>

#include "conclave/agent/node.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::agent {

class Control {
public:
    // Replaces a socket that nobody listens to. Throws a net::Failure.
    Control(net::Loop& loop, Node& node, std::string path);
    ~Control();
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

    void tell_watchers();  // something has changed

private:
    struct Caller {
        net::Descriptor socket;
        std::string heard;
        bool watches = false;
    };
    void accept_caller();
    void serve(Caller& caller);
    std::string answer(Caller& caller, const std::string& line);
    void hang_up(const Caller& caller);

    net::Loop& loop_;
    Node& node_;
    std::string path_;
    net::Descriptor listener_;
    std::list<Caller> callers_;
};

// Asks the node behind `path`; calls `hear` with every line until it returns false. False: nobody
// listens there.
bool ask_node(const std::string& path, const std::string& line,
              const std::function<bool(const std::string&)>& hear);

}  // namespace conclave::agent
