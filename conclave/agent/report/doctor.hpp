// Finds faults of a node, its peers and its machine: one sentence each, with its remedy.
#pragma once

#include <string>
#include <vector>

#include "conclave/agent/group/questions.hpp"
#include "conclave/agent/node_view.hpp"
#include "conclave/agent/report/lately.hpp"

namespace conclave::agent {

class Doctor {
public:
    explicit Doctor(NodeView node) : node_(node), site_(node.site) {}

    // At every heartbeat: what is counted since the last minute or so.
    void note_counts() { lately_.note(site_.post->counts(), net::boot_time()); }
    // Everybody was asked who they are.
    void note_question() { questions_.note(net::boot_time()); }
    const Questions& questions() const { return questions_; }
    // None: all is well. A peer that has not answered a question within `patience` is a finding.
    std::vector<std::string> examine(Duration patience) const;

private:
    using Findings = std::vector<std::string>;

    void examine_group(Time asked, Findings& findings) const;
    void examine_node(Findings& findings) const;
    void examine_peer(const Peer& peer, Time asked, Findings& findings) const;
    void compare(const std::string& who, const Presence& said, Findings& findings) const;
    void examine_traffic(Findings& findings) const;
    void examine_timing(Findings& findings) const;
    std::string where_lost(const std::string& name, Duration silence) const;

    NodeView node_;
    const Site& site_;
    Lately lately_{};
    Questions questions_{};
};

}  // namespace conclave::agent
