// Faults of the processes of one machine; the machine itself may crash besides. Relief
// follows a fault, at any time or never.
#pragma once

#include <string>
#include <vector>

#include "conclave/core/types.hpp"

namespace conclave::member {

struct AgentDies {};
struct AgentPauses {};
struct AgentResumes {
    static constexpr bool relief = true;
};
struct AgentReturns {
    static constexpr bool relief = true;
};
struct GuardianDies {};
struct FileVanishes {};  // the state file of a dead agent, while the machine is up
struct AskedToLeave {};  // by an operator, who names the next member as successor
struct GuardianPauses {};
struct GuardianResumes {
    static constexpr bool relief = true;
};
struct CommandEnds {};  // by itself, and is to be started again
// Until the disk recovers, what is stored
struct DiskFills {};         // is not written, and that is reported
struct FolderUnsynced {};    // is written, reported as failed, and lost if the machine crashes
struct WriteUnconfirmed {};  // is on disk for good, and reported as failed
struct DiskRecovers {
    static constexpr bool relief = true;
};

// An operator asks this member to change the roster, if it leads; a plan says how.
struct RosterChanges {
    static constexpr bool relief = true;
};

// What operators and health checks say, and a disk that takes its time; a lease alone knows none of
// it.
struct HealthFails {};
struct HealthRecovers {
    static constexpr bool relief = true;
};
struct AgentSetAside {};  // conclave pause: it keeps its role
struct AgentReinstated {
    static constexpr bool relief = true;
};
struct AgentLeaves {};  // SIGTERM: it hands over and ends
struct DiskSlows {};    // until the disk recovers, nothing of what is stored is written

using Faults = Types<AgentDies, AgentPauses, AgentResumes, AgentReturns, GuardianDies, FileVanishes,
                     AskedToLeave, GuardianPauses, GuardianResumes, CommandEnds, DiskFills,
                     FolderUnsynced, WriteUnconfirmed, DiskRecovers>;
using MemberRequests =
    Types<HealthFails, HealthRecovers, AgentSetAside, AgentReinstated, AgentLeaves, DiskSlows>;
using DiskFaults = Types<DiskFills, FolderUnsynced, WriteUnconfirmed, DiskRecovers>;
using Requests = decltype(MemberRequests{} + Types<RosterChanges>{} + DiskFaults{});
using RosterFaults = decltype(Faults{} + Types<RosterChanges>{});
using MemberFaults = decltype(Faults{} + MemberRequests{});
using ChangingFaults = decltype(MemberFaults{} + Types<RosterChanges>{});

// "agent-dies" ...: in their order.
template <class List>
std::vector<std::string> fault_words() {
    std::vector<std::string> list;
    for (const std::string_view name : List::names) {
        std::string words;
        for (const char c : name) {
            const bool capital = c >= 'A' && c <= 'Z';
            if (capital && !words.empty()) words += '-';
            words += static_cast<char>(capital ? c - 'A' + 'a' : c);
        }
        list.push_back(words);
    }
    return list;
}

}  // namespace conclave::member
